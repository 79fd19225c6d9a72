package v3

import (
	"net/http"
	"slices"
)

// common lists the parameters that the route accepts besides its own, by their names in the document's components.
func (r Route) common() []string {
	names := []string{"Strict", "Timeout"}
	if r.static {
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
	header := func(name, description string, schema object) object {
		return object{{Name: "name", Value: name}, {Name: "in", Value: "header"}, {Name: "description", Value: description}, {Name: "schema", Value: schema}}
	}
	boolean := object{{Name: "type", Value: "boolean"}, {Name: "default", Value: false}}
	return object{
		{Name: "Strict", Value: object{
			{Name: "name", Value: "strict"},
			{Name: "in", Value: "query"},
			{Name: "description", Value: "Whether to reject unknown parameters with status 422. The default can be changed by the server's configuration."},
			{Name: "schema", Value: boolean},
		}},
		{Name: "MinSeqno", Value: header("X-Min-Seqno", "Waits until this masterchain block is indexed, for up to 5 seconds, then responds 503. Also accepted as query parameter x_min_seqno.",
			object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}})},
		{Name: "Timeout", Value: header("X-Timeout", "Request timeout in milliseconds, limited by the server's own timeout. Also accepted as query parameter x_timeout.",
			object{{Name: "type", Value: "integer"}, {Name: "minimum", Value: 1}})},
		{Name: "NoAddressBook", Value: header("X-No-Address-Book", "Whether to leave address_book empty. Also accepted as query parameter x_no_address_book.", boolean)},
		{Name: "ActionsVersion", Value: header("X-Actions-Version", "Replaces supported_action_types by this single name.", object{{Name: "type", Value: "string"}})},
		{Name: "NoMetadata", Value: header("X-No-Metadata", "Whether to leave metadata empty. Also accepted as query parameter x_no_metadata.", boolean)},
	}
}

func commonHeaders() object {
	header := func(description string, schema object) object {
		return object{{Name: "description", Value: description}, {Name: "schema", Value: schema}}
	}
	text := object{{Name: "type", Value: "string"}}
	return object{
		{Name: "McSeqno", Value: header("Masterchain seqno of the index snapshot from which the response was read.", object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}})},
		{Name: "Link", Value: header("URL of the next page, rel=\"next\" (RFC 8288). Present if this page is full.", text)},
		{Name: "NextCursor", Value: header("Cursor of the next page. Present if this page is full.", text)},
		{Name: "UnknownParameters", Value: header("Unknown parameters of the request.", text)},
	}
}
