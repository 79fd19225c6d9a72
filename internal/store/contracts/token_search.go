package contracts

import (
	"context"
	"strings"
	"unicode/utf8"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// longestName bounds what is searched of a token's name, in runes.
const longestName = 100

// SearchableName is the form in which names are compared.
func SearchableName(name string) string {
	name = strings.ToLower(strings.TrimSpace(sqlbuild.Storable(name)))
	for i := range name {
		if utf8.RuneCountInString(name[:i]) == longestName {
			return name[:i]
		}
	}
	return name
}

// The names that begin like the text, up to the next text that does not: U+10FFFF sorts after every letter. Masters come
// before collections, and these before items, of which there are most.
const selectTokensNamed = `SELECT t.address, t.kind FROM unnest('{1,3,4}'::smallint[]) WITH ORDINALITY k(kind, place) CROSS JOIN LATERAL (
	SELECT n.address, n.kind, n.name FROM token_names n WHERE n.kind = k.kind AND n.name >= $1 AND n.name < $1 || chr(1114111)
	ORDER BY n.name, n.address LIMIT $2) t ORDER BY k.place, t.name, t.address LIMIT $2`

// TokenRef names a token that was found by its name.
type TokenRef struct {
	Address chain.Address
	Kind    chain.TokenKind
}

// TokensNamed finds tokens whose names begin with a text, whatever the case: Jetton masters, then collections, then items,
// each by name.
func (r *Reader) TokensNamed(ctx context.Context, prefix string, limit int) ([]TokenRef, error) {
	prefix = SearchableName(prefix)
	if prefix == "" {
		return nil, nil
	}
	return sqlbuild.Collect(ctx, r.pool, "tokens by name", limit, func(r *sqlbuild.Row, t *TokenRef) {
		t.Address = r.Address()
		t.Kind = chain.TokenKind(r.Int2())
	}, selectTokensNamed, prefix, int64(limit))
}
