package observe

import (
	"slices"
	"strings"
	"sync"
)

const (
	// maxStatementNames bounds the names of statements, which are label values of metrics. There are about two hundred.
	maxStatementNames = 400
	// maxNamedTexts bounds the memory for texts whose names are cached.
	maxNamedTexts = 4096
	// otherStatement is the name of statements above maxStatementNames and of those that have no name.
	otherStatement = "other"
)

// namer names statements for metrics and traces: by what they do, the table that they are about and the
// column of their first condition, such as "select transactions by account". A name has no value and no other part of the text. Safe for concurrent use.
type namer struct {
	mu     sync.RWMutex
	byText map[string]string
	names  map[string]struct{}
}

func newNamer() *namer { return &namer{byText: map[string]string{}, names: map[string]struct{}{}} }

// name returns the name of a statement.
func (n *namer) name(text string) string {
	n.mu.RLock()
	name, cached := n.byText[text]
	n.mu.RUnlock()
	if cached {
		return name
	}
	name = statementLabel(text)
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, used := n.names[name]; !used {
		if len(n.names) >= maxStatementNames {
			name = otherStatement
		}
		n.names[name] = struct{}{}
	}
	if len(n.byText) < maxNamedTexts {
		n.byText[text] = name
	}
	return name
}

// verbs are the first keywords of statements that name them.
var verbs = []string{
	"SELECT", "INSERT", "UPDATE", "DELETE", "COPY", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "SHOW", "LISTEN", "UNLISTEN",
	"NOTIFY", "LOCK", "CREATE", "ALTER", "DROP", "TRUNCATE", "ANALYZE", "VACUUM", "PREPARE", "DEALLOCATE", "RESET",
}

// statementLabel returns the verb of a statement, its table and the column of the first condition on it. The table is the first one of the
// outermost query that names any.
func statementLabel(text string) string {
	tokens := scanStatement(text)
	verb, within := verbAndNames(tokens)
	if verb == "" {
		return otherStatement
	}
	table, depth := outermostTable(tokens, within)
	if table == "" {
		return verb
	}
	name := verb + " " + table
	if column := firstCondition(tokens, depth); column != "" {
		name += " by " + column
	}
	return name
}

// verbAndNames returns the verb of a statement, and the names that its WITH defines.
func verbAndNames(tokens []token) (verb string, within map[string]bool) {
	within = map[string]bool{}
	for i, t := range tokens {
		keyword := strings.ToUpper(t.text)
		switch {
		case t.depth == 0 && verb == "" && slices.Contains(verbs, keyword):
			verb = strings.ToLower(t.text)
		case keyword == "AS" && i > 0 && i+1 < len(tokens) && (tokens[i+1].text == "(" || strings.EqualFold(tokens[i+1].text, "MATERIALIZED") || strings.EqualFold(tokens[i+1].text, "NOT")):
			within[tokens[i-1].text] = true
		}
	}
	return verb, within
}

// outermostTable returns the first table of the outermost query that has one and the depth of that query, "" without one.
func outermostTable(tokens []token, within map[string]bool) (table string, depth int) {
	for i := range tokens {
		if table != "" && tokens[i].depth >= depth {
			continue
		}
		if found, ok := tableAfter(tokens, i); ok && !within[found] {
			table, depth = found, tokens[i].depth
		}
	}
	return table, depth
}

// firstCondition returns the column that WHERE of the query at depth begins with, "" without one.
func firstCondition(tokens []token, depth int) string {
	for i, t := range tokens {
		if t.depth != depth || !strings.EqualFold(t.text, "WHERE") || i+1 >= len(tokens) || !tokens[i+1].identifier {
			continue
		}
		column := strings.ToLower(tokens[i+1].text)
		if i+2 < len(tokens) && tokens[i+2].text == "(" || slices.Contains([]string{"not", "exists", "case", "true", "false"}, column) {
			return ""
		}
		return column[strings.LastIndexByte(column, '.')+1:]
	}
	return ""
}

// tableAfter returns the table that the keyword at i introduces.
func tableAfter(tokens []token, i int) (table string, ok bool) {
	keyword := strings.ToUpper(tokens[i].text)
	switch keyword {
	case "FROM", "JOIN", "INTO", "UPDATE", "COPY", "TABLE":
	default:
		return "", false
	}
	if keyword == "FROM" && i > 0 && strings.EqualFold(tokens[i-1].text, "DISTINCT") { // IS DISTINCT FROM
		return "", false
	}
	next := i + 1
	for next < len(tokens) && slices.Contains([]string{"ONLY", "IF", "NOT", "EXISTS"}, strings.ToUpper(tokens[next].text)) {
		next++
	}
	if next >= len(tokens) || !tokens[next].identifier || slices.Contains([]string{"SET", "SKIP", "NOWAIT", "OF", "LATERAL", "SELECT", "STDIN"}, strings.ToUpper(tokens[next].text)) {
		return "", false
	}
	call := next+1 < len(tokens) && tokens[next+1].text == "("
	if call && (keyword == "FROM" || keyword == "JOIN") { // a function
		return "", false
	}
	return strings.ToLower(tokens[next].text), true
}

// token is an identifier or a parenthesis of a statement. Literals, comments and values are none.
type token struct {
	text       string
	depth      int // of parentheses
	identifier bool
}

// scanStatement returns the identifiers and parentheses of a statement.
func scanStatement(text string) []token {
	var tokens []token
	depth := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\'':
			i = after(text, i+1, "'")
		case strings.HasPrefix(text[i:], "--"):
			i = after(text, i, "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i = after(text, i+2, "*/")
		case c == '(':
			tokens = append(tokens, token{text: "(", depth: depth})
			depth++
			i++
		case c == ')':
			depth--
			i++
		case isLetter(c) && (c < '0' || c > '9'):
			end := i + 1
			for end < len(text) && (isLetter(text[end]) || text[end] == '.') {
				end++
			}
			const longest = 63 // bytes of an identifier in PostgreSQL
			if end-i <= longest {
				tokens = append(tokens, token{text: text[i:end], depth: depth, identifier: true})
			}
			i = end
		default:
			i++
			for (c == '$' || c >= '0' && c <= '9') && i < len(text) && isLetter(text[i]) { // a number or a parameter
				i++
			}
		}
	}
	return tokens
}

// after returns the index after the next end in text from i on.
func after(text string, i int, end string) int {
	if n := strings.Index(text[i:], end); n >= 0 {
		return i + n + len(end)
	}
	return len(text)
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
