package scalar

import (
	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalShard writes upper-case hex.
func MarshalShard(s chain.Shard) graphql.Marshaler { return printed(AppendShard(nil, s)) }

// AppendShard writes upper-case hex.
func AppendShard(to []byte, s chain.Shard) []byte {
	return append(append(append(to, '"'), s.String()...), '"')
}

// UnmarshalShard parses hex or a signed decimal.
func UnmarshalShard(v any) (chain.Shard, error) {
	s, err := text("Shard", v)
	if err != nil {
		return 0, err
	}
	return chain.ParseShard(s)
}
