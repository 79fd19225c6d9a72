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
		return object{{Name: "name", Value: name}, {Name: "in", Value: "header"}, {Name: "description", Value: meaning}, {Name: "schema", Value: schema}}
	}
	boolean := object{{Name: "type", Value: "boolean"}, {Name: "default", Value: false}}
	return object{
		{Name: "Strict", Value: object{
			{Name: "name", Value: "strict"},
			{Name: "in", Value: "query"},
			{Name: "description", Value: "Whether a parameter that the route does not have is a mistake (422). The server may be set so for all."},
			{Name: "schema", Value: boolean},
		}},
		{Name: "MinSeqno", Value: header("X-Min-Seqno", "Waits until the index has this masterchain block, up to 5 seconds; then 503. Also as x_min_seqno.",
			object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}})},
		{Name: "Timeout", Value: header("X-Timeout", "Milliseconds that the answer may take, at most the server's own limit. Also as x_timeout.",
			object{{Name: "type", Value: "integer"}, {Name: "minimum", Value: 1}})},
		{Name: "NoAddressBook", Value: header("X-No-Address-Book", "Leaves address_book empty. Also as x_no_address_book.", boolean)},
		{Name: "ActionsVersion", Value: header("X-Actions-Version", "The one name that supported_action_types is to consist of.", object{{Name: "type", Value: "string"}})},
		{Name: "NoMetadata", Value: header("X-No-Metadata", "Leaves metadata empty. Also as x_no_metadata.", boolean)},
	}
}

func commonHeaders() object {
	header := func(meaning string, schema object) object {
		return object{{Name: "description", Value: meaning}, {Name: "schema", Value: schema}}
	}
	text := object{{Name: "type", Value: "string"}}
	return object{
		{Name: "McSeqno", Value: header("Masterchain seqno of the state of the index that the answer was read from.", object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}})},
		{Name: "Link", Value: header("The next page, rel=\"next\" (RFC 8288), when this one is full.", text)},
		{Name: "NextCursor", Value: header("The cursor of the next page, when this one is full.", text)},
		{Name: "UnknownParameters", Value: header("Parameters that were sent and that the route does not have.", text)},
	}
}
