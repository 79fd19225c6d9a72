package trace

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/chain"
)

func TestRead_ComputePhaseIsOneOfThreeKinds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		compute        *chain.ComputePhase
		skipped, noGas bool
		code           int32
	}{
		"executed":                     {compute: &chain.ComputePhase{ExitCode: 77}, code: 77},
		"none, in a storage tick":      {skipped: true},
		"skipped for lack of gas":      {compute: &chain.ComputePhase{Skipped: true, Reason: chain.SkipNoGas}, skipped: true, noGas: true},
		"skipped for lack of a state":  {compute: &chain.ComputePhase{Skipped: true, Reason: chain.SkipNoState}, skipped: true},
		"executed, with no gas reason": {compute: &chain.ComputePhase{Reason: chain.SkipNoGas, ExitCode: 5}, code: 5},
	} {
		content := newPaymentTrace(nil)
		content.Transactions[1].Description = chain.TransactionDescription{Compute: tc.compute, Aborted: true}
		got := read(t, content).Transactions[1]
		require.Equal(t, tc.skipped, got.Skipped, name)
		require.Equal(t, tc.noGas, got.NoGas, name)
		require.Equal(t, tc.code, got.ExitCode, name)
		require.True(t, got.Aborted, name)
	}
	ticked := newPaymentTrace(nil)
	ticked.Transactions[0].In, ticked.Transactions[0].Description.Kind = nil, chain.TickTock
	got := read(t, ticked).Transactions[0]
	require.True(t, got.TickTock)
	require.Nil(t, got.In)
}

func TestRead_MessagesHaveTheirFlagsAndExtraCurrencies(t *testing.T) {
	t.Parallel()
	content := newPaymentTrace(nil)
	sent := content.Transactions[0].Out[0]
	got := read(t, content).Transactions[1].In
	require.False(t, got.Bounce)
	require.False(t, got.Bounced)
	require.Nil(t, got.Extra)

	sent.Bounce, sent.Bounced = new(true), new(false)
	sent.ValueExtra = chain.ExtraCurrencies{100: big.NewInt(7), 4_000_000_000: big.NewInt(8)}
	trace := read(t, content)
	got = trace.Transactions[1].In
	require.Same(t, got, trace.Transactions[0].Out[0], "both ends of a message share its cells")
	require.True(t, got.Bounce)
	require.False(t, got.Bounced)
	require.Equal(t, map[string]*big.Int{"100": big.NewInt(7), "4000000000": big.NewInt(8)}, got.Extra)

	sent.Bounce, sent.Bounced = new(false), new(true)
	got = read(t, content).Transactions[1].In
	require.False(t, got.Bounce)
	require.True(t, got.Bounced)
}

func read(t *testing.T, content *chain.TraceContent) *action.Trace {
	t.Helper()
	r, ok := Classifier{}.Read(content).(*reading)
	require.True(t, ok)
	return r.trace
}

// A panic of a pattern is the failure of one trace, not of the block that completes it.
func TestReading_PanicFailsItsTrace(t *testing.T) {
	t.Parallel()
	var failed []error
	c := Classifier{Failed: func(_ chain.Hash, err error) { failed = append(failed, err) }}
	r, ok := c.Read(newPaymentTrace(nil)).(*reading)
	require.True(t, ok)
	r.trace.Transactions[1] = nil
	require.Nil(t, r.Accounts(nil))
	rows, err := r.Classify(nil)
	require.ErrorContains(t, err, "panic")
	require.Nil(t, rows)
	require.Equal(t, []error{err}, failed)
	r.err = nil
	rows, err = r.Classify(nil)
	require.ErrorContains(t, err, "panic")
	require.Nil(t, rows)
	require.Len(t, failed, 2)
}

// A contract that sells is a sale, an auction, or an item that is its own auction; a record of one kind is none of the others.
func TestRecords_SalesAreOfOneKind(t *testing.T) {
	t.Parallel()
	market, item, owner := &chain.Address{ID: [32]byte{1}}, &chain.Address{ID: [32]byte{2}}, &chain.Address{ID: [32]byte{3}}
	sale := func(kind chain.NFTSaleKind) *chain.NFTSale {
		s := &chain.NFTSale{Kind: kind, Marketplace: market, NFT: item, NFTOwner: owner}
		switch kind {
		case chain.FixedPriceSale:
			s.FixedPrice = &chain.NFTFixedPrice{FullPrice: big.NewInt(9)}
		case chain.AuctionSale:
			s.Auction = &chain.NFTAuction{LastBid: big.NewInt(8)}
		case chain.TelemintSale:
			s.Telemint = &chain.TelemintAuction{}
		}
		return s
	}
	a := chain.Address{ID: [32]byte{9}}
	for _, kind := range []chain.NFTSaleKind{chain.FixedPriceSale, chain.AuctionSale, chain.TelemintSale} {
		r := records{a: {NFTSale: sale(kind), NFTItem: &chain.NFTItem{Index: big.NewInt(4)}}}
		if kind == chain.FixedPriceSale {
			require.Equal(t, &action.NFTSale{Marketplace: market, Item: item, Owner: owner, FullPrice: big.NewInt(9)}, r.NFTSale(a))
		} else {
			require.Nil(t, r.NFTSale(a))
		}
		if kind == chain.AuctionSale {
			require.Equal(t, &action.NFTAuction{Marketplace: market, Item: item, Owner: owner, LastBid: big.NewInt(8)}, r.NFTAuction(a))
		} else {
			require.Nil(t, r.NFTAuction(a))
		}
		require.Equal(t, kind == chain.TelemintSale, r.NFTItem(a).Teleitem)
	}
}

func TestRecords_OfOtherAccountsAreNone(t *testing.T) {
	t.Parallel()
	order, item, other := chain.Address{ID: [32]byte{1}}, chain.Address{ID: [32]byte{2}}, chain.Address{ID: [32]byte{3}}
	signers := []chain.Address{item, other}
	uri := strings.Repeat("é", chain.MaxTraceURI)
	r := records{
		order: {MultisigOrder: &chain.MultisigOrder{Signers: signers}, CodeHash: &chain.Hash{1}},
		item:  {NFTItem: &chain.NFTItem{Index: big.NewInt(4), Collection: &order, Owner: &other, Content: chain.Content{"uri": uri + "x"}}},
	}
	require.Equal(t, &action.MultisigOrder{Signers: signers}, r.MultisigOrder(order))
	require.Equal(t, []*chain.Address{&order, &other}, []*chain.Address{r.NFTItem(item).Collection, r.NFTItem(item).Owner})
	require.Equal(t, uri, r.NFTItem(item).URI, "the part that the index reads of a uri")
	require.False(t, r.NFTItem(item).Teleitem)
	for _, a := range []chain.Address{item, other} {
		require.Nil(t, r.JettonWallet(a))
		require.Nil(t, r.MultisigOrder(a))
		require.Nil(t, r.NFTSale(a))
		require.Nil(t, r.NFTAuction(a))
		require.False(t, r.NominatorPool(a))
	}
	require.Nil(t, r.NFTItem(other))
	require.False(t, r.NominatorPool(order))
	pool, err := chain.ParseHash(publishedPool)
	require.NoError(t, err)
	require.True(t, records{other: {CodeHash: &pool}}.NominatorPool(other))
}

// publishedPool is the hash of the code of the nominator pools of the main network.
const publishedPool = "9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf"
