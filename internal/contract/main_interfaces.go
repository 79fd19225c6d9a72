package contract

import (
	"slices"
	"strings"
)

// interfaceByName is the first row of the table with a name.
var interfaceByName = func() map[string]*Interface {
	byName := make(map[string]*Interface, len(interfaces))
	for i := range interfaces {
		if _, again := byName[interfaces[i].Name]; !again {
			byName[interfaces[i].Name] = &interfaces[i]
		}
	}
	return byName
}()

// MainInterfaces are those of names that say most, ascending. Names found by methods are not exclusive: a vesting wallet
// offers all that wallets of seven versions offer. So a name whose methods are some of another's is left out, and names with
// the very same methods, which differ only in their code, become the prefix they share: wallet_v4r1 and wallet_v4r2 are
// wallet. Where they share none, all stay. Names that methods cannot give stay.
func MainInterfaces(names []string) []string {
	if len(names) == 1 {
		return names // perhaps known by its code
	}
	main := []string{}
	for _, name := range names {
		of := interfaceByName[name]
		if of == nil || len(of.ids) == 0 {
			main = append(main, name)
			continue
		}
		shared := name
		implied := slices.ContainsFunc(names, func(other string) bool {
			o := interfaceByName[other]
			if other == name || o == nil || !includes(o.ids, of.ids) {
				return false
			}
			if len(o.ids) == len(of.ids) {
				shared = sharedPrefix(shared, other)
				return false
			}
			return true
		})
		switch {
		case implied:
		case shared == "":
			main = append(main, name)
		default:
			main = append(main, shared)
		}
	}
	slices.Sort(main)
	return slices.Compact(main)
}

// includes says that all has every one of some.
func includes(all, some []int32) bool {
	for _, id := range some {
		if !slices.Contains(all, id) {
			return false
		}
	}
	return true
}

// sharedPrefix are the words that both names begin with.
func sharedPrefix(a, b string) string {
	x, y := strings.Split(a, "_"), strings.Split(b, "_")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], "_")
}
