package resolvers

import (
	"encoding/json"

	"tonql/internal/chain"
)

// inputs checks the filter of a GraphQL request; nil matches everything. Its lists have at most [chain.MaxInputs] values.
func inputs[F any, P interface {
	*F
	Longest() int
}](where P) (f F, err error) {
	if where == nil {
		return f, nil
	}
	if err := chain.CheckInputs(where.Longest()); err != nil {
		return f, err
	}
	return *where, nil
}

// attributes renders content as JSON.
func attributes(c chain.Content) (json.RawMessage, error) {
	if c == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(c)
}

// seller returns the account that put an item on sale; nil when it is not on sale.
func seller(n *chain.NFTItem) *chain.Account {
	if n.Sale == nil {
		return nil
	}
	return account(n.Sale.NFTOwner)
}
