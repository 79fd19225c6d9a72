package contract

import (
	"slices"
	"strings"
)

// interfaceByName has the first row of the table for each name.
var interfaceByName = func() map[string]*Interface {
	byName := make(map[string]*Interface, len(interfaces))
	for i := range interfaces {
		if _, again := byName[interfaces[i].Name]; !again {
			byName[interfaces[i].Name] = &interfaces[i]
		}
	}
	return byName
}()

// MainInterfaces returns the most specific of the names, ascending. Names that are found by methods are not exclusive:
// a vesting wallet has all methods of seven versions of wallets. So a name whose methods are a part of another's is
// left out, and names with the same methods, which differ only in their code, are replaced by their common prefix:
// wallet_v4r1 and wallet_v4r2 by wallet. Without a common prefix all of them stay. Names that are not found by methods
// stay.
func MainInterfaces(names []string) []string {
	if len(names) == 1 {
		return names // possibly found by its code
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

// includes reports whether all contains every element of some.
func includes(all, some []int32) bool {
	for _, id := range some {
		if !slices.Contains(all, id) {
			return false
		}
	}
	return true
}

// sharedPrefix returns the common prefix of two names, in complete parts between underscores.
func sharedPrefix(a, b string) string {
	x, y := strings.Split(a, "_"), strings.Split(b, "_")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], "_")
}
