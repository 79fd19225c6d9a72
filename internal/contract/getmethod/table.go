package getmethod

import (
	_ "embed"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
)

// Kind is what an argument or a result means.
type Kind string

// The kinds.
const (
	Int        Kind = "int"
	Bool       Kind = "bool"
	Coins      Kind = "coins"      // nanotons
	Time       Kind = "time"       // Unix seconds
	Hash       Kind = "hash"       // 256 bits
	Address    Kind = "address"    // a slice
	Text       Kind = "text"       // UTF-8 in a slice or a cell and those it continues in
	Content    Kind = "content"    // of a token, TEP-64
	Cell       Kind = "cell"       //
	Slice      Kind = "slice"      //
	Dictionary Kind = "dictionary" //
	List       Kind = "list"       //
	Tuple      Kind = "tuple"      //
)

// Value is an argument or a result.
type Value struct {
	Name string
	Kind Kind
	// KeyBits is the width of the keys of a dictionary, Entry the kind of its values.
	KeyBits uint
	Entry   Kind
}

// Method is a get-method of a published standard.
type Method struct {
	Name      string
	ID        int32
	Arguments []Value
	forms     [][]Value // results, one for each form
}

//go:embed methods.tsv
var methodsTSV string

var (
	methods = read(methodsTSV)
	byID    = indexed(methods)
)

// ByID returns the method with an id; nil when no standard has it.
func ByID(id int32) *Method { return byID[id] }

// NameOf returns the name of a method by its id; empty when no standard has it.
func NameOf(id int32) string {
	if m := byID[id]; m != nil {
		return m.Name
	}
	return ""
}

func indexed(list []*Method) map[int32]*Method {
	table := make(map[int32]*Method, len(list))
	for _, m := range list {
		table[m.ID] = m
	}
	for _, name := range interfaceMethods() {
		if id := contract.MethodID(name); table[id] == nil {
			table[id] = &Method{Name: name, ID: id}
		}
	}
	return table
}

// interfaceMethods are the names of methods by which interfaces are detected.
func interfaceMethods() []string {
	var names []string
	for _, i := range contract.AllInterfaces() {
		names = append(names, i.Methods...)
	}
	return names
}

func read(text string) []*Method {
	var list []*Method
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		name := fields[0]
		if len(list) == 0 || list[len(list)-1].Name != name {
			list = append(list, &Method{Name: name, ID: contract.MethodID(name), Arguments: values(fields[1])})
		}
		m := list[len(list)-1]
		m.forms = append(m.forms, values(fields[2]))
	}
	return list
}

var valuePattern = regexp.MustCompile(`^([A-Za-z0-9_]+):(?:([a-z]+)|dict\((\d+),([a-z]+)\))\??$`)

func values(text string) []Value {
	list := []Value{}
	for field := range strings.FieldsSeq(text) {
		parts := valuePattern.FindStringSubmatch(field)
		if parts == nil {
			panic(fmt.Errorf("methods.tsv: %s", field)) //nolint:forbidigo // the embedded table is constant
		}
		v := Value{Name: parts[1], Kind: Kind(parts[2])}
		if parts[3] != "" {
			bits, _ := strconv.Atoi(parts[3]) // digits by the pattern
			v.Kind, v.KeyBits, v.Entry = Dictionary, uint(bits), Kind(parts[4])
		}
		list = append(list, v)
	}
	return list
}

// Results returns the form of the results that a stack has; nil when the stack has no known form.
func (m *Method) Results(stack []any) []Value {
	for _, form := range m.forms {
		if len(form) != len(stack) {
			continue
		}
		fits := true
		for i := range form {
			fits = fits && form[i].fits(stack[i])
		}
		if fits {
			return form
		}
	}
	return nil
}

// fits reports whether a value of the stack can be of the kind. Contracts return null for what they do not have.
func (v Value) fits(value any) bool {
	switch value.(type) {
	case nil:
		return true
	case *big.Int:
		return slices.Contains([]Kind{Int, Bool, Coins, Time, Hash}, v.Kind)
	case *cell.Cell:
		return slices.Contains([]Kind{Cell, Content, Text, Dictionary, Address}, v.Kind)
	case *cell.Slice:
		return slices.Contains([]Kind{Slice, Address, Text}, v.Kind)
	case []any:
		return v.Kind == List || v.Kind == Tuple
	default:
		return true
	}
}
