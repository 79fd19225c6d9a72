package resolvers

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/multisig"
)

// MultisigRows is the documented maximum of a page of multisig wallets or orders, above that of other lists.
const MultisigRows = 1024

// Multisigs lists multisig wallets by address in p's direction, with their unparsed orders if f requests them.
func (s *Service) Multisigs(ctx context.Context, f chain.MultisigFilter, p chain.Page) ([]chain.Multisig, error) {
	p, err := s.multisigPage(p, list{"address", len(f.Addresses)}, list{"wallet_address", len(f.Members)})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return s.index.Multisigs(ctx, f, p)
}

// MultisigOrders lists orders in p's direction, with their actions if f requests them.
func (s *Service) MultisigOrders(ctx context.Context, f chain.OrderFilter, p chain.Page) ([]chain.MultisigOrder, error) {
	p, err := s.multisigPage(p, list{"address", len(f.Addresses)}, list{"multisig_address", len(f.Multisigs)})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	orders, err := s.index.MultisigOrders(ctx, f, p)
	if err != nil || !f.Actions {
		return orders, err
	}
	for i := range orders {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		orders[i].Actions = parseOrder(orders[i].Order)
	}
	return orders, nil
}

func (s *Service) multisigPage(p chain.Page, lists ...list) (chain.Page, error) {
	if err := s.checkLists(lists); err != nil {
		return p, err
	}
	return s.pageWithin(p, max(s.opts.Limits.Rows, MultisigRows))
}

// maxOrderCells bounds the cells of an order that is parsed; a bag of more is not one the chain accepts as a message.
const maxOrderCells = 8192

// parseOrder lists the actions of an order, none while it is not initialised. An order that cannot be read is one
// action that says why, so that nobody takes it for harmless.
func parseOrder(boc chain.BOC) []chain.OrderAction {
	if boc == nil {
		return []chain.OrderAction{}
	}
	root, err := cell.FromBOCWithOptions(boc, cell.BOCParseOptions{NoCopyPayload: true, MaxCells: maxOrderCells})
	if err == nil {
		var actions []chain.OrderAction
		if actions, err = multisig.ParseOrder(root); err == nil {
			return actions
		}
	}
	return []chain.OrderAction{{Error: orderFault(err), BodyType: "unknown"}}
}

// orderFault is the text a client may see.
func orderFault(err error) string {
	if chain.KindOf(err) == chain.Invalid {
		return chain.PublicMessage(err)
	}
	return "an order that is no readable bag of cells"
}
