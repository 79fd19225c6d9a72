// Package docs is the documentation as text in Markdown. [tonql/rest/manual] serves it.
package docs

import "embed"

// Files has the pages, below guides/ those that lead through a task, and the JSON schemas that pages link to.
//
//go:embed *.md guides/*.md *.schema.json
var Files embed.FS
