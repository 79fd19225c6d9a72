package v3

import (
	"net/http"
	"slices"
)

// common are the parameters that every route takes, by their names in the document.
func (r Route) common() []string {
	names := []string{"Strict", "Timeout"}
	if r.pure {
		return names
	}
	names = append(names, "MinSeqno")
	if r.Method == http.MethodGet {
		names = append(names, "NoAddressBook", "NoMetadata")
	}
	if slices.Contains(r.Params, "supported_action_types") {
		names = append(names, "ActionsVersion")
	}
	return names
}

func commonParameters() object {
	header := func(name, meaning string, schema object) object {
		return object{{"name", name}, {"in", "header"}, {"description", meaning}, {"schema", schema}}
	}
	boolean := object{{"type", "boolean"}, {"default", false}}
	return object{
		{"Strict", object{
			{"name", "strict"},
			{"in", "query"},
			{"description", "Whether a parameter that the route does not have is a mistake (422). The server may be set so for all."},
			{"schema", boolean},
		}},
		{"MinSeqno", header("X-Min-Seqno", "Waits until the index has this masterchain block, up to 5 seconds; then 503. Also as x_min_seqno.",
			object{{"type", "integer"}, {"format", "int64"}, {"minimum", 0}})},
		{"Timeout", header("X-Timeout", "Milliseconds that the answer may take, at most the server's own limit. Also as x_timeout.",
			object{{"type", "integer"}, {"minimum", 1}})},
		{"NoAddressBook", header("X-No-Address-Book", "Leaves address_book empty. Also as x_no_address_book.", boolean)},
		{"ActionsVersion", header("X-Actions-Version", "The one name that supported_action_types is to consist of.", object{{"type", "string"}})},
		{"NoMetadata", header("X-No-Metadata", "Leaves metadata empty. Also as x_no_metadata.", boolean)},
	}
}

func commonHeaders() object {
	header := func(meaning string, schema object) object {
		return object{{"description", meaning}, {"schema", schema}}
	}
	text := object{{"type", "string"}}
	return object{
		{"McSeqno", header("Masterchain seqno of the state of the index that the answer was read from.", object{{"type", "integer"}, {"format", "int64"}})},
		{"Link", header("The next page, rel=\"next\" (RFC 8288), when this one is full.", text)},
		{"NextCursor", header("The cursor of the next page, when this one is full.", text)},
		{"UnknownParameters", header("Parameters that were sent and that the route does not have.", text)},
	}
}
