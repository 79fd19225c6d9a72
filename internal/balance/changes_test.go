package balance

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

func account(id byte) chain.Address { return chain.Address{ID: chain.Hash{id}} }

// An account receives the value of its message with the IHR fee, pays the fees of the transaction and the forwarding fees of its messages,
// and what these carry. Extra currencies have no fees; what comes and goes is no change.
func TestOf_CoinsAndCurrenciesOfEachAccount(t *testing.T) {
	t.Parallel()
	a, b := account(1), account(2)
	txs := []chain.FullTransaction{
		{
			Transaction: chain.Transaction{Account: a, TotalFees: 10},
			InMessage:   &chain.Message{Value: new(chain.Coins(1000)), IHRFee: new(chain.Coins(5)), FwdFee: new(chain.Coins(77)), ValueExtra: chain.ExtraCurrencies{1: big.NewInt(8), 2: big.NewInt(3)}},
			OutMessages: []chain.Message{
				{Value: new(chain.Coins(300)), FwdFee: new(chain.Coins(20)), IHRFee: new(chain.Coins(4)), ValueExtra: chain.ExtraCurrencies{1: big.NewInt(8), 2: big.NewInt(1)}},
				{FwdFee: new(chain.Coins(7))}, // to the outside
			},
		},
		{Transaction: chain.Transaction{Account: a, TotalFees: 1}},
		{Transaction: chain.Transaction{Account: b, TotalFees: 2}, InMessage: &chain.Message{}}, // from the outside
	}
	c := Of(txs, nil)
	require.Equal(t, &chain.BalanceChanges{
		Changes: map[chain.Address]chain.Amount{a: "663", b: "-2"}, Fees: map[chain.Address]chain.Amount{a: "38", b: "2"},
		Jettons: map[chain.Address]map[chain.Address]chain.Amount{},
	}, c.Result())
	require.EqualValues(t, 40, c.Fees().Int64())
	rows := c.Rows()
	require.Len(t, rows, 2)
	require.Equal(t, []chain.Address{a, b}, []chain.Address{rows[0].Account, rows[1].Account})
	require.Equal(t, chain.ExtraCurrencies{2: big.NewInt(2)}, rows[0].Extra)
	require.Empty(t, rows[1].Extra)
	require.EqualValues(t, 663, rows[0].Coins.Int64())
	require.EqualValues(t, 38, rows[0].Fees.Int64())
	require.Empty(t, rows[0].Jettons)
	require.Empty(t, Of(nil, nil).Rows())
}

// moving is a message that moves an amount between Jetton wallets, or to the master.
func moving(op uint64, amount uint64, bounced bool) *chain.Message {
	body := cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(7, 64).MustStoreCoins(amount)
	if bounced {
		body = cell.BeginCell().MustStoreUInt(0xFFFFFFFF, 32).MustStoreBuilder(body)
	}
	return messageOf(body.EndCell(), bounced)
}

// A wallet gains what it receives from a wallet, and what bounces back to it; it loses what it sends. A message of a burn that a wallet
// receives, and one that it returns, move nothing of its own. Failed transactions, and accounts that are no wallets, move nothing.
func TestOf_JettonsOfEachOwner(t *testing.T) {
	t.Parallel()
	first, second, other := account(1), account(2), account(3)
	owner, master, another := account(11), account(21), account(20)
	wallets := map[chain.Address]*chain.JettonWallet{
		first: {Address: first, Owner: owner, Jetton: master}, second: {Address: second, Owner: owner, Jetton: another},
	}
	tx := func(at chain.Address, aborted bool, in *chain.Message, out ...*chain.Message) chain.FullTransaction {
		full := chain.FullTransaction{Transaction: chain.Transaction{Account: at}, InMessage: in}
		full.Description.Aborted = aborted
		for _, m := range out {
			full.OutMessages = append(full.OutMessages, *m)
		}
		return full
	}
	jettons := func(txs ...chain.FullTransaction) []chain.JettonChange {
		for _, row := range Of(txs, wallets).Rows() {
			if row.Account == owner {
				return row.Jettons
			}
		}
		return nil
	}
	const internal, burn = jetton.OpInternalTransfer, jetton.OpBurnNotification
	for name, c := range map[string]struct {
		tx   chain.FullTransaction
		want int64
	}{
		"received":               {tx(first, false, moving(internal, 5, false)), 5},
		"sent":                   {tx(first, false, nil, moving(internal, 5, false), moving(burn, 2, false)), -7},
		"received and passed on": {tx(first, false, moving(internal, 5, false), moving(internal, 5, false)), 0},
		"sent in vain":           {tx(first, false, moving(internal, 5, true)), 5},
		"burned in vain":         {tx(first, false, moving(burn, 5, true)), 5},
		"not of a wallet":        {tx(first, false, moving(burn, 5, false)), 0},
		"returned":               {tx(first, false, nil, moving(internal, 5, true)), 0},
		"failed":                 {tx(first, true, moving(internal, 5, false), moving(internal, 5, true)), 0},
		"of no wallet":           {tx(other, false, moving(internal, 5, false)), 0},
	} {
		got := jettons(c.tx)
		if c.want == 0 {
			require.Empty(t, got, name)
			continue
		}
		require.Equal(t, []chain.JettonChange{{Jetton: master, Amount: big.NewInt(c.want)}}, got, name)
	}
	all := []chain.FullTransaction{
		tx(first, false, moving(internal, 5, false)), tx(second, false, moving(internal, 1, false)), tx(first, false, nil, moving(internal, 2, false)),
		tx(account(9), false, &chain.Message{}, &chain.Message{}), tx(second, false, &chain.Message{Opcode: new(uint32(internal))}, &chain.Message{}), tx(other, false, nil, moving(burn, 1, false)),
	}
	require.Equal(t, []chain.JettonChange{{Jetton: another, Amount: big.NewInt(1)}, {Jetton: master, Amount: big.NewInt(3)}}, jettons(all...), "by master")
	require.Equal(t, map[chain.Address]map[chain.Address]chain.Amount{owner: {master: "3", another: "1"}}, Of(all, wallets).Result().Jettons)
	require.Equal(t, []chain.Address{first, second, other}, JettonAccounts(all))
}

// A transfer and a burn with the proof of an airdrop claim it for the owner of the wallet.
func TestOf_ClaimsOfAirdrops(t *testing.T) {
	t.Parallel()
	wallet := &chain.JettonWallet{Address: account(1), Owner: account(2), Jetton: account(3)}
	key := cell.BeginCell().MustStoreUInt(4, 3).MustStoreUInt(0, 8).MustStoreSlice(wallet.Owner.ID[:], 256)
	airdrop := cell.NewDict(267)
	require.NoError(t, airdrop.Set(key.EndCell(), cell.BeginCell().MustStoreCoins(500).MustStoreUInt(0, 96).EndCell()))
	root := airdrop.AsCell()
	proof, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(root.Hash(), 256).MustStoreUInt(uint64(root.Depth()), 16).MustStoreRef(root).EndCellSpecial(true)
	require.NoError(t, err)
	payload := cell.BeginCell().MustStoreUInt(jetton.OpMerkleAirdropClaim, 32).MustStoreRef(proof).EndCell()
	none := cell.BeginCell().MustStoreUInt(0, 2)
	transfer := func(op uint64, custom *cell.Cell) *chain.Message {
		b := cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(7, 64).MustStoreCoins(5)
		if op == jetton.OpTransfer {
			b.MustStoreBuilder(key).MustStoreBuilder(none).MustStoreMaybeRef(custom).MustStoreCoins(1).MustStoreBoolBit(false)
		} else {
			b.MustStoreBuilder(none).MustStoreMaybeRef(custom)
		}
		return messageOf(b.EndCell(), false)
	}
	for name, c := range map[string]struct {
		in   *chain.Message
		want string
	}{
		"transfer": {transfer(jetton.OpTransfer, payload), "493"}, "burn": {transfer(jetton.OpBurn, payload), "493"},
		"transfer without a proof": {transfer(jetton.OpTransfer, nil), "-7"}, "no message": {nil, "-7"}, "no body": {&chain.Message{}, "-7"},
	} {
		full := chain.FullTransaction{Transaction: chain.Transaction{Account: wallet.Address, OrigStatus: chain.Uninit}, InMessage: c.in}
		full.OutMessages = []chain.Message{*moving(jetton.OpInternalTransfer, 7, false)}
		changes := Of([]chain.FullTransaction{full}, map[chain.Address]*chain.JettonWallet{wallet.Address: wallet})
		require.NoError(t, changes.Credit(t.Context(), nil))
		require.EqualValues(t, c.want, changes.Result().Jettons[wallet.Owner][wallet.Jetton], name)
	}
}

// Only the two newest balances, of which the last is that of the transaction, show that a claim is a repetition.
func TestCredit_BalancesThatDoNotShowTheTransactionCount(t *testing.T) {
	t.Parallel()
	wallet := &chain.JettonWallet{Address: account(1), Owner: account(2)}
	credited := func(points Points) (*big.Int, error) {
		c := newChanges(map[chain.Address]*chain.JettonWallet{wallet.Address: wallet})
		tx := &chain.FullTransaction{Transaction: chain.Transaction{LT: 10, OrigStatus: chain.Active}}
		c.claims = []claim{{tx: tx, wallet: wallet, amount: big.NewInt(100), moved: big.NewInt(-1)}}
		err := c.Credit(t.Context(), points)
		return c.jettons[wallet.Owner][wallet.Jetton], err
	}
	point := func(lt uint64, balance int64) chain.JettonBalancePoint {
		return chain.JettonBalancePoint{Wallet: wallet.Address, LT: lt, Balance: big.NewInt(balance)}
	}
	for name, list := range map[string][]chain.JettonBalancePoint{
		"none": nil, "one": {point(10, 49)}, "another transaction": {point(9, 49), point(5, 50)},
	} {
		sum, err := credited(func(context.Context, chain.Address, chain.Page) ([]chain.JettonBalancePoint, error) { return list, nil })
		require.NoError(t, err, name)
		require.EqualValues(t, 100, sum.Int64(), name)
	}
	sum, err := credited(func(_ context.Context, at chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error) {
		require.Equal(t, wallet.Address, at)
		next := point(11, 0)
		require.Equal(t, chain.Page{Limit: 2, Sort: chain.Descending, After: new(next.Cursor())}, p, "the balances up to the transaction")
		return []chain.JettonBalancePoint{point(10, 49), point(5, 50)}, nil
	})
	require.NoError(t, err)
	require.Nil(t, sum)
	_, err = credited(func(context.Context, chain.Address, chain.Page) ([]chain.JettonBalancePoint, error) {
		return nil, errors.ErrUnsupported
	})
	require.ErrorIs(t, err, errors.ErrUnsupported)
}
