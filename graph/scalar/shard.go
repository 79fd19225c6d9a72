package scalar

import (
	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalShard writes upper-case hex.
func MarshalShard(s chain.Shard) graphql.Marshaler { return quoted([]byte(s.String())) }

// UnmarshalShard reads hex or a signed decimal.
func UnmarshalShard(v any) (chain.Shard, error) {
	s, err := text("Shard", v)
	if err != nil {
		return 0, err
	}
	return chain.ParseShard(s)
}
