package resolvers

import (
	"encoding/json"

	"tonql/internal/chain"
)

// inputs is a question about contracts as GraphQL asks it; nil asks for everything. Its lists are short there.
func inputs[F any, P interface {
	*F
	Longest() int
}](where P) (f F, err error) {
	if where == nil {
		return f, nil
	}
	if where.Longest() > chain.MaxInputs {
		return f, chain.Invalidf("each list takes at most %d values", chain.MaxInputs)
	}
	return *where, nil
}

// attributes prints content as JSON.
func attributes(c chain.Content) (json.RawMessage, error) {
	if c == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(c)
}

// seller is who put an item on sale; nil while it is not.
func seller(n *chain.NFTItem) *chain.Account {
	if n.Sale == nil {
		return nil
	}
	return account(n.Sale.NFTOwner)
}
