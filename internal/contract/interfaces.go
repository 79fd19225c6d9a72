package contract

import (
	_ "embed"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Interface is a published name for a kind of contract. A contract has it by exact code hash, or else by offering all
// the methods. A row with neither is a name that detection by code cannot give.
type Interface struct {
	Name       string
	Methods    []string
	CodeHashes []chain.Hash

	ids []int32 // of Methods
}

// interfacesTSV has one interface per line: name, methods and code hashes, separated by tabs, lists by commas. One
// name ends with a space: that is how it is published.
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

// AllInterfaces lists every known interface in the order of the table.
func AllInterfaces() []Interface { return slices.Clone(interfaces) }

// CodeName is the interface published for exactly this code; false when the code is not a known one.
func CodeName(codeHash chain.Hash) (string, bool) {
	name, ok := interfaceByCode[codeHash]
	return name, ok
}

// Interfaces names what a contract is: the one name of its code, or else every name all of whose methods it offers,
// ascending. methods must be ascending, as [Methods] gives them. Nothing known is an empty list.
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
