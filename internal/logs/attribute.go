package logs

import (
	"encoding/json"
	"fmt"
)

// Attribute is a name that log lines use for a value.
type Attribute struct {
	Name        string
	Type        string // JSON type
	Description string
}

// Types of JSON.
const (
	text    = "string"
	integer = "integer"
	number  = "number"
	object  = "object"
)

// Attributes lists the names, in alphabetical order. Every log line of this module uses these only.
func Attributes() []Attribute {
	return []Attribute{
		{"account", text, "raw address of an account"},
		{"accounts", integer, "number of accounts"},
		{"addresses", integer, "number of addresses"},
		{"assembled", integer, "number of traces that were assembled again"},
		{"batches", integer, "number of batches of blocks"},
		{"behind", integer, "number of masterchain blocks from the newest indexed one to the head"},
		{"binaries", text, "folder of PostgreSQL's programs"},
		{"blocks", integer, "number of masterchain blocks"},
		{"bytes", integer, "size of a response or of rows"},
		{"client", text, "network address of a client"},
		{"cluster", text, "folder of a PostgreSQL cluster"},
		{"code", integer, "code of a liteserver's error"},
		{"component", text, "part of the process that the line is from: the library, or a component of tonql"},
		{"continue_with", text, "flag with which another run continues"},
		{"count", integer, "number of things that the message names"},
		{"delivery", integer, "id of a webhook delivery"},
		{"differing", integer, "number of rows that differ from their raw transaction"},
		{"endpoint", integer, "id of a webhook endpoint"},
		{"err", text, "error with all its causes"},
		{"expected_links", integer, "number of links that a chain of proofs will have"},
		{"family", text, "family of contracts"},
		{"field", text, "path of a field in a GraphQL response"},
		{"file", text, "path of a file"},
		{"files", integer, "number of files"},
		{"first", integer, "first masterchain seqno of a range"},
		{"folder", text, "path of a folder"},
		{"follow_from", integer, "masterchain seqno from which the head is followed"},
		{"from", integer, "first masterchain seqno"},
		{"hash", text, "hash of the object that the message names, in base64"},
		{"head", integer, "newest masterchain seqno of the network or of a liteserver"},
		{"indexed", integer, "newest indexed masterchain seqno"},
		{"key_block", integer, "masterchain seqno of a key block"},
		{"kind", text, "kind of an error, of a statement or of a reason"},
		{"last", integer, "last masterchain seqno of a range"},
		{"library", object, "attributes of a library's own log line"},
		{"limit", text, "limit that was exceeded"},
		{"line", text, "log line of PostgreSQL or of a library"},
		{"lines_skipped", integer, "number of lines with this message that were not written since the last one"},
		{"links", integer, "number of links of a chain of proofs"},
		{"lt", integer, "logical time"},
		{"mc_seqno", integer, "masterchain seqno"},
		{"message", text, "hash of a message, in base64"},
		{"method", text, "HTTP method"},
		{"migrations", integer, "number of migrations"},
		{"missing", integer, "number of masterchain blocks in gaps"},
		{"move", text, "name of a move of rows to another form"},
		{"of", integer, "number of things among which count were affected"},
		{"operation", text, "operation that failed"},
		{"path", text, "path of the URL of a request"},
		{"pause", number, "time in seconds before the next try"},
		{"percent", number, "share in percent"},
		{"processes", text, "ids of processes"},
		{"query", text, "name of a query to a liteserver"},
		{"reason", text, "cause in a sentence, or its short name"},
		{"replayed", integer, "number of transactions that were re-executed"},
		{"request_id", text, "id of the HTTP request that the line is for, as in its header X-Request-Id"},
		{"rows", integer, "number of rows"},
		{"rule", text, "rule of the network"},
		{"schema", integer, "version of a database schema, the number of its newest migration"},
		{"server", text, "address of a liteserver, or name of a PostgreSQL server"},
		{"similar", text, "name of the environment variable that was probably meant"},
		{"socket", text, "folder of a Unix socket"},
		{"stack", text, "stack of a goroutine"},
		{"state", text, "state that systemd is notified of"},
		{"statement", text, "beginning of an SQL statement"},
		{"states", integer, "number of account states"},
		{"status", integer, "HTTP status"},
		{"step", text, "step of the start, an export or an import"},
		{"stopped", text, "component that was stopped"},
		{"supported", integer, "number of the newest migration of this binary"},
		{"to", integer, "last masterchain seqno"},
		{"took", number, "duration in seconds"},
		{"trace", text, "id of a trace, in base64"},
		{"traces", integer, "number of traces"},
		{"transactions", integer, "number of transactions"},
		{"tries", integer, "number of tries so far"},
		{"tx_per_second", integer, "number of transactions written per second"},
		{"url", text, "URL"},
		{"variable", text, "name of an environment variable"},
		{"verify", text, "value of --verify"},
		{"version", text, "version of a program"},
		{"waiting_for", text, "reason why the indexer waits, in a sentence"},
		{"without_raw", integer, "number of rows without a raw transaction"},
		{"without_rest", integer, "number of rows without the rest of an account state"},
	}
}

// Schema returns the JSON schema of a line of --log-format json.
func Schema() ([]byte, error) {
	type property map[string]any
	properties := map[string]property{
		"time":  {"type": text, "format": "date-time", "description": "time of the line"},
		"level": {"enum": []string{"DEBUG", "INFO", "WARN", "ERROR"}, "description": "severity"},
		"msg":   {"type": text, "minLength": 1, "description": "what happened, in a fixed text"},
	}
	for _, a := range Attributes() {
		p := property{"type": a.Type, "description": a.Description}
		if a.Type == text {
			p["maxLength"] = maxText + 64 // the mark of a shortened text
		}
		properties[a.Name] = p
	}
	schema, err := json.MarshalIndent(map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "Log line of tonql",
		"description":          "A line of --log-format json. The text format has the same attributes, with durations such as 1.5s.",
		"type":                 object,
		"required":             []string{"time", "level", "msg"},
		"properties":           properties,
		"additionalProperties": false,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of log lines: %w", err)
	}
	return append(schema, '\n'), nil
}
