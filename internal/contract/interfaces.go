package contract

import (
	_ "embed"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Interface is a published name for a kind of contract. A contract has it by its code hash, or else by having all the
// methods. A row with neither is a name that is never detected by code.
type Interface struct {
	Name       string
	Methods    []string
	CodeHashes []chain.Hash

	ids []int32 // of Methods
}

// interfacesTSV has one interface per line: name, methods and code hashes, separated by tabs; lists are separated by
// commas. One name ends with a space, because it is published so.
//
//go:embed interfaces.tsv
var interfacesTSV string

var (
	interfaces      = readInterfaces(interfacesTSV)
	interfaceByCode = indexInterfaces(interfaces)
)

func readInterfaces(text string) []Interface {
	var list []Interface
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		i := Interface{Name: fields[0]}
		for _, m := range fieldsOf(fields[1]) {
			i.Methods = append(i.Methods, m)
			i.ids = append(i.ids, MethodID(m))
		}
		for _, text := range fieldsOf(fields[2]) {
			hash, err := chain.ParseHash(text)
			if err != nil {
				panic(err) //nolint:forbidigo // the embedded table is constant
			}
			i.CodeHashes = append(i.CodeHashes, hash)
		}
		list = append(list, i)
	}
	return list
}

func fieldsOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func indexInterfaces(list []Interface) map[chain.Hash]string {
	byCode := map[chain.Hash]string{}
	for _, i := range list {
		for _, hash := range i.CodeHashes {
			byCode[hash] = i.Name
		}
	}
	return byCode
}

// AllInterfaces returns all interfaces in the order of the table.
func AllInterfaces() []Interface { return slices.Clone(interfaces) }

// CodeName returns the interface that is published for the code; false when there is none.
func CodeName(codeHash chain.Hash) (string, bool) {
	name, ok := interfaceByCode[codeHash]
	return name, ok
}

// Interfaces returns the interfaces of a contract: the name of its code, or else every name whose methods it has all,
// ascending. methods must be ascending, as [Methods] returns them. The list is empty when no interface matches.
func Interfaces(codeHash chain.Hash, methods []int32) []string {
	if name, ok := interfaceByCode[codeHash]; ok {
		return []string{name}
	}
	names := []string{}
	for _, i := range interfaces {
		if len(i.ids) > 0 && offersAll(methods, i.ids) {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return names
}

func offersAll(methods, wanted []int32) bool {
	for _, id := range wanted {
		if _, ok := slices.BinarySearch(methods, id); !ok {
			return false
		}
	}
	return true
}
