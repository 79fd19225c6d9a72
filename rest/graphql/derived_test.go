package graphql_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// board is a multisig wallet with orders in each state, and other contracts whose state depends on the time of the
// chain.
type board struct {
	*testIndex
	orders                map[string]chain.Address // by the state they must have
	multisig, vesting     chain.Address
	sale, item, elsewhere chain.Address
	domain                chain.Address
	now                   uint32
}

func newBoard(t *testing.T) *board {
	t.Helper()
	w, db := emptyTestIndex(t)
	b := &board{testIndex: w, orders: map[string]chain.Address{}, multisig: testdb.Address()}
	mb := testdb.Master(1)
	b.now = mb.Block.GenUtime
	add := func(edit func(*chain.Contract)) chain.Address { return testdb.AddContract(mb, testdb.Address(), edit) }
	signer := testdb.Address()
	order := func(state string, seqno int64, sent *bool, until uint32) {
		b.orders[state] = add(func(c *chain.Contract) {
			o := &chain.MultisigOrder{Address: c.Account, Multisig: b.multisig, Seqno: big.NewInt(seqno), LastTxLT: c.LT}
			if sent != nil {
				o.SentForExecution, o.Expiration, o.Threshold, o.ApprovalsNum = sent, new(int64(until)), new(1), new(1)
				o.ApprovalsMask, o.Order, o.Signers = big.NewInt(1), chain.BOC{1}, []chain.Address{signer}
			}
			c.MultisigOrder = o
		})
	}
	// receive delivers an order's request for execution to its wallet.
	receive := func(order chain.Address, opcode uint32, aborted bool) {
		m := testdb.NewMessage(mb, order, b.multisig)
		m.Opcode = &opcode
		tx := testdb.NewTransaction(mb, b.multisig)
		tx.Description.Aborted = aborted
		testdb.Receive(&tx, &m)
		mb.Messages = append(mb.Messages, m)
		testdb.AddTransaction(mb, &tx)
	}
	const approveRejected = 0x82609bf6
	order("UNINITIALIZED", 0, nil, 0)
	order("OPEN", 1, new(false), b.now)
	order("EXPIRED", 2, new(false), b.now-1)
	order("SENT", 3, new(true), b.now+100)
	order("EXECUTED", 4, new(true), b.now-100)
	order("FAILED", 5, new(true), b.now+100)
	receive(b.orders["EXECUTED"], chain.OpOrderExecute, false)
	receive(b.orders["EXECUTED"], approveRejected, true)
	receive(b.orders["FAILED"], chain.OpOrderExecute, true)
	receive(b.orders["SENT"], approveRejected, false)
	b.vesting = add(func(c *chain.Contract) {
		c.Vesting = &chain.Vesting{
			Address: c.Account, StartTime: uint64(b.now - 250), TotalDuration: 1000, UnlockPeriod: 100, TotalAmount: big.NewInt(1000),
			Sender: signer, Owner: signer, Whitelist: []chain.Address{}, LastTxLT: c.LT,
		}
	})
	b.domain = add(func(c *chain.Contract) {
		c.NFTItem = &chain.NFTItem{
			Address: c.Account, Init: true, Index: big.NewInt(1), Owner: &signer, Content: chain.Content{}, Domain: "late.ton", LastTxLT: c.LT,
		}
		c.DNS = &chain.DNSRecord{
			Item: c.Account, Owner: &signer, Domain: "late.ton", LastFillUp: new(b.now - 100), ExpiresAt: new(b.now - 1), LastTxLT: c.LT,
		}
	})
	offer := func(item *chain.Address, holds bool) chain.Address {
		sale := testdb.Address()
		*item = add(func(c *chain.Contract) {
			owner := signer
			if holds {
				owner = sale
			}
			c.NFTItem = &chain.NFTItem{Address: c.Account, Init: true, Index: big.NewInt(0), Owner: &owner, Content: chain.Content{}, LastTxLT: c.LT}
		})
		return testdb.AddContract(mb, sale, func(c *chain.Contract) {
			c.NFTSale = &chain.NFTSale{
				Kind: chain.AuctionSale, Address: sale, NFT: item, NFTOwner: &signer, Known: true, LastTxLT: c.LT,
				Auction: &chain.NFTAuction{EndTime: int64(b.now), MinBid: big.NewInt(1)},
			}
		})
	}
	b.sale = offer(&b.item, true)
	var gone chain.Address
	b.elsewhere = offer(&gone, false)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	return b
}

func TestDerived_StatesFollowTheClockOfTheChain(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	var got struct {
		MultisigOrders struct {
			Nodes []struct {
				State   string
				Account struct{ Address string }
			}
		}
		V struct {
			Vesting struct {
				Progress struct{ LockedAmount, ReleasedAmount, Time, NextReleaseAt string }
			}
		}
		Sale, Elsewhere struct{ NFTSale struct{ State string } }
		Domain          struct {
			NFTItem struct {
				DNS struct {
					Expired              bool
					RenewedAt, ExpiresAt string
				}
			}
		}
	}
	b.query(t, `query($m: Address!, $v: Address!, $s: Address!, $e: Address!, $d: Address!) {
		multisigOrders(where: {multisigs: [$m]}) { nodes { state account { address } } }
		v: account(address: $v) { vesting { progress { lockedAmount releasedAmount time nextReleaseAt } } }
		sale: account(address: $s) { nftSale { state } } elsewhere: account(address: $e) { nftSale { state } }
		domain: account(address: $d) { nftItem { dns { expired renewedAt expiresAt } } } }`, map[string]any{
		"m": b.multisig.String(), "v": b.vesting.String(), "s": b.sale.String(), "e": b.elsewhere.String(), "d": b.domain.String(),
	}, &got)
	states := map[string]chain.Address{}
	for _, o := range got.MultisigOrders.Nodes {
		a, err := chain.ParseAddress(o.Account.Address)
		require.NoError(t, err)
		states[o.State] = a
	}
	require.Equal(t, b.orders, states)
	require.Equal(t, "800", got.V.Vesting.Progress.LockedAmount)
	require.Equal(t, "200", got.V.Vesting.Progress.ReleasedAmount)
	require.Equal(t, "ENDED", got.Sale.NFTSale.State)
	require.Equal(t, "INACTIVE", got.Elsewhere.NFTSale.State)
	require.True(t, got.Domain.NFTItem.DNS.Expired)
	require.NotEqual(t, got.Domain.NFTItem.DNS.RenewedAt, got.Domain.NFTItem.DNS.ExpiresAt)
}

// The states of all orders of a page cost one statement.
func TestDerived_StatesOfAPageAreOneStatement(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	count := func(query string) int64 {
		var got any
		b.query(t, query, map[string]any{"m": b.multisig.String()}, &got) // caches the head
		before := b.count.n.Load()
		b.query(t, query, map[string]any{"m": b.multisig.String()}, &got)
		return b.count.n.Load() - before
	}
	const list = `query($m: Address!) { multisigOrders(where: {multisigs: [$m]}) { nodes { %s } } }`
	require.Equal(t, count(fmt.Sprintf(list, "seqno"))+1, count(fmt.Sprintf(list, "seqno state")))
}

// The default form of a user-friendly address equals that of the address book of /api/v3.
func TestFriendly_EqualsTheAddressBook(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	outside := testdb.Address()
	var got map[string]struct{ Own, Bounceable, Fixed, Test string }
	b.query(t, `query($c: Address!, $s: Address!) { contract: account(address: $c) { ...forms } outside: account(address: $s) { ...forms } }
		fragment forms on Account { own: friendly bounceable: friendly(bounceable: true) fixed: friendly(bounceable: false) test: friendly(bounceable: true, testOnly: true) }`,
		map[string]any{"c": b.vesting.String(), "s": outside.String()}, &got)
	require.Equal(t, got["outside"].Fixed, got["outside"].Own, "non-bounceable without known code")
	require.Equal(t, outside.Friendly(true, true), got["outside"].Test)
	require.Equal(t, outside.Friendly(true, false), got["outside"].Bounceable, "the network is mainnet")
}
