package merchant

import "reflect"

// Routes lists the routes of the API as method and path.
func Routes() (list []string) {
	for _, r := range (&api{}).routes() {
		list = append(list, r.method+" "+Prefix+r.path)
	}
	return list
}

// RequestMembers lists the members that create-transfer reads.
func RequestMembers() (names []string) {
	for f := range reflect.TypeFor[request]().Fields() {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}
