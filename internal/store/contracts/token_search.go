package contracts

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	longestName = 100 // runes of a text by which a token is found
	maxTerms    = 8   // parts of a name, separated by blanks, that a search may begin with
	opening     = `"'([{#$@&`
)

// searchableName is the form in which names are compared.
func searchableName(name string) string {
	name = strings.ToLower(strings.TrimSpace(sqlbuild.Storable(name)))
	for i := range name {
		if utf8.RuneCountInString(name[:i]) == longestName {
			return name[:i]
		}
	}
	return name
}

// SearchableNames are the texts whose beginnings find a token: its name, its symbol, and its name from each further word on.
func SearchableNames(name, symbol string) []string {
	texts := []string{searchableName(name), searchableName(symbol)}
	rest := strings.TrimSpace(name)
	for range maxTerms - 1 {
		space := strings.IndexFunc(rest, unicode.IsSpace)
		if space < 0 {
			break
		}
		rest = strings.TrimLeftFunc(rest[space:], unicode.IsSpace)
		texts = append(texts, searchableName(strings.TrimLeft(rest, opening)))
	}
	slices.Sort(texts)
	return slices.DeleteFunc(slices.Compact(texts), func(text string) bool { return text == "" })
}

// The texts that begin like the prefix, up to the next one that does not: U+10FFFF sorts after every letter. Masters come before
// collections, and these before items, of which there are most. A token has at most 9 texts.
const selectTokensNamed = `SELECT t.address, t.kind FROM unnest('{1,3,4}'::smallint[]) WITH ORDINALITY k(kind, place) CROSS JOIN LATERAL (
	SELECT m.address, m.kind, min(m.name) AS name FROM (
		SELECT n.address, n.kind, n.name FROM token_names n WHERE n.kind = k.kind AND n.name >= $1 AND n.name < $1 || chr(1114111)
		ORDER BY n.name, n.address LIMIT 9 * $2) m
	GROUP BY m.address, m.kind ORDER BY name, m.address LIMIT $2) t ORDER BY k.place, t.name, t.address`

// TokenRef names a token that was found by its name.
type TokenRef struct {
	Address chain.Address
	Kind    chain.TokenKind
}

// TokensNamed finds tokens whose name, symbol or a word of the name begins with a text, whatever the case: Jetton masters, then
// collections, then items, each by name, at most limit of each.
func (r *Reader) TokensNamed(ctx context.Context, prefix string, limit int) ([]TokenRef, error) {
	prefix = searchableName(prefix)
	if prefix == "" {
		return nil, nil
	}
	return sqlbuild.Collect(ctx, r.pool, "tokens by name", limit, func(r *sqlbuild.Row, t *TokenRef) {
		t.Address = r.Address()
		t.Kind = chain.TokenKind(r.Int2())
	}, selectTokensNamed, prefix, int64(limit))
}

// TokensNamedStatement returns the statement of [Reader.TokensNamed], for tests of its plan.
func TokensNamedStatement(prefix string, limit int) (text string, args []any) {
	return selectTokensNamed, []any{searchableName(prefix), int64(limit)}
}
