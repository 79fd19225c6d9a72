package resolvers

import (
	"context"
	"slices"
	"strconv"

	"tonql/internal/chain"
)

// exampleRows is how many of the newest rows are searched for an example.
const exampleRows = 50

// Examples returns objects of the index for examples in documentation, by the names of rest/docs/examples.json. A name is missing
// when the newest rows have no such object.
func (s *Service) Examples(ctx context.Context) (map[string]string, error) {
	at, done := s.Snapshot(ctx, func(uint32) {})
	defer done()
	found := examples{}
	for _, find := range []func(context.Context, *Service) error{
		found.head, found.messages, found.externals, found.traces, found.jettons, found.items, found.pools, found.contracts,
	} {
		if err := find(ctx, at); err != nil {
			return nil, err
		}
	}
	return found, nil
}

type examples map[string]string

func (e examples) head(ctx context.Context, s *Service) error {
	info, err := s.index.MasterchainInfo(ctx)
	if err != nil {
		return err
	}
	e["mcSeqno"] = strconv.FormatUint(uint64(info.Last.Seqno), 10)
	return nil
}

// messages chooses the newest message of which both sides are indexed, and its recipient as the account.
func (e examples) messages(ctx context.Context, s *Service) error {
	kind := chain.InternalMessage
	list, err := s.Messages(ctx, chain.MessageFilter{Kind: &kind}, chain.Page{Limit: exampleRows, Sort: chain.Descending})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(m chain.Message) bool { return m.SentBy != nil && m.ReceivedBy != nil && m.CreatedLT != nil })
	if i < 0 {
		return nil
	}
	m := &list[i]
	e["account"], e["messageSource"] = m.Destination.String(), m.Source.String()
	e["messageHash"], e["messageLt"] = m.Hash.Hex(), strconv.FormatUint(*m.CreatedLT, 10)
	e["transactionHash"], e["transactionLt"] = m.ReceivedBy.Hash.Hex(), strconv.FormatUint(m.ReceivedBy.LT, 10)
	return nil
}

// externals chooses the newest external message to a wallet.
func (e examples) externals(ctx context.Context, s *Service) error {
	kind := chain.ExternalIn
	list, err := s.Messages(ctx, chain.MessageFilter{Kind: &kind}, chain.Page{Limit: exampleRows, Sort: chain.Descending})
	if err != nil {
		return err
	}
	var accounts []chain.Address
	for i := range list {
		if d := list[i].Destination; d != nil && !slices.Contains(accounts, *d) {
			accounts = append(accounts, *d)
		}
	}
	if len(accounts) == 0 {
		return nil
	}
	wallets, err := s.WalletStates(ctx, accounts)
	if err != nil {
		return err
	}
	for i := range list {
		at := slices.IndexFunc(wallets, func(w WalletState) bool {
			return w.Wallet != nil && list[i].Destination != nil && w.Account == *list[i].Destination
		})
		if at >= 0 {
			e["externalHash"], e["wallet"] = list[i].Hash.Hex(), wallets[at].Account.String()
			return nil
		}
	}
	return nil
}

func (e examples) traces(ctx context.Context, s *Service) error {
	list, err := s.Traces(ctx, chain.TraceFilter{}, chain.Page{Limit: 1, Sort: chain.Descending})
	if err == nil && len(list) > 0 {
		e["traceId"] = list[0].ID.Hex()
	}
	return err
}

func (e examples) jettons(ctx context.Context, s *Service) error {
	list, err := s.JettonTransfers(ctx, chain.JettonTransferFilter{}, chain.Page{Limit: 1, Sort: chain.Descending})
	if err == nil && len(list) > 0 {
		t := &list[0]
		e["jettonMaster"], e["jettonWallet"], e["jettonOwner"] = t.Jetton.String(), t.SourceWallet.String(), t.Source.String()
	}
	return err
}

func (e examples) items(ctx context.Context, s *Service) error {
	list, err := s.NFTItems(ctx, chain.NFTItemFilter{}, chain.Page{Limit: exampleRows})
	if err != nil {
		return err
	}
	for i := range list {
		n := &list[i]
		if n.Domain != "" && e["domain"] == "" {
			e["domain"] = n.Domain
		}
		if n.Collection != nil && e["nftItem"] == "" {
			e["nftItem"], e["nftCollection"] = n.Address.String(), n.Collection.String()
		}
		if n.Sale != nil && e["nftSale"] == "" {
			e["nftSale"] = n.Sale.Address.String()
		}
	}
	if e["nftSale"] == "" {
		e["nftSale"] = e["nftItem"] // which has no sale, so the list is empty
	}
	return nil
}

// pools chooses a pool of nominators among the newest deposits of stakes.
func (e examples) pools(ctx context.Context, s *Service) error {
	list, err := s.Actions(ctx, chain.ActionFilter{Types: []string{"stake_deposit"}}, chain.Page{Limit: exampleRows, Sort: chain.Descending})
	if err != nil {
		return err
	}
	var parties []chain.Address
	for i := range list {
		parties = append(parties, list[i].Accounts...)
	}
	if len(parties) == 0 {
		return nil
	}
	states, err := s.index.AccountStates(ctx, chain.AccountFilter{Addresses: parties}, chain.Page{Limit: len(parties)})
	for i := range states {
		if isPoolState(&states[i]) {
			e["pool"] = states[i].Account.String()
			break
		}
	}
	return err
}

// contracts chooses a multisig wallet and a vesting wallet by the newest actions of such contracts.
func (e examples) contracts(ctx context.Context, s *Service) error {
	accounts := func(kind string) ([]chain.Address, error) {
		list, err := s.Actions(ctx, chain.ActionFilter{Types: []string{kind}}, chain.Page{Limit: 1, Sort: chain.Descending})
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0].Accounts, nil
	}
	parties, err := accounts("multisig_create_order")
	if err != nil {
		return err
	}
	if len(parties) > 0 {
		multisigs, err := s.Multisigs(ctx, chain.MultisigFilter{Addresses: parties}, chain.Page{Limit: 1})
		if err != nil {
			return err
		}
		if len(multisigs) > 0 {
			e["multisig"] = multisigs[0].Address.String()
		}
	}
	if parties, err = accounts("vesting_send_message"); err != nil || len(parties) == 0 {
		return err
	}
	vestings, err := s.Vestings(ctx, chain.VestingFilter{Contracts: parties}, chain.Page{Limit: 1})
	if err == nil && len(vestings) > 0 {
		e["vesting"] = vestings[0].Address.String()
	}
	return err
}
