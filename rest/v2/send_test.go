package v2_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// The response has no fees of the messages that the account sends, so it does not depend on their receivers, which here neither the index nor a
// node has.
func TestEstimateFee_ReceiversAreNotRead(t *testing.T) {
	t.Parallel()
	const begins = 20
	n := startNetwork(t, begins, begins+2)
	pay := func(to *address.Address) *cell.Cell {
		ticket := contracts.Ticket{Seqno: n.faucetSeqno(), ValidUntil: n.devnet.Chain.Now() + 600}
		message, err := n.faucet.External(ticket, contracts.Order{Message: contracts.Transfer(to, 1e6, "")})
		require.NoError(t, err)
		return message
	}
	require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, pay(n.faucet.Address))) // so that the index has the sender
	n.advance(begins + 4)
	var message tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&message, pay(address.NewAddress(0, 0, unused.ID[:]))))
	n.serve(t, nil)
	var fees struct {
		Source struct {
			Gas uint64 `json:"gas_fee"`
			Fwd uint64 `json:"fwd_fee"`
		} `json:"source_fees"`
	}
	n.read("estimateFee", params{"address": n.faucet.Address.StringRaw(), "body": base64.StdEncoding.EncodeToString(message.Body.ToBOC())}, &fees)
	require.NotZero(t, fees.Source.Gas)
	require.NotZero(t, fees.Source.Fwd)

	// The signature is checked only if the request says so, and a wallet that refuses it uses no gas.
	signed, err := message.Body.BeginParse()
	require.NoError(t, err)
	require.NoError(t, signed.SkipBits(512))
	unsigned := cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreBuilder(signed.ToBuilder()).EndCell()
	query := params{"address": n.faucet.Address.StringRaw(), "body": base64.StdEncoding.EncodeToString(unsigned.ToBOC())}
	for _, ignored := range []bool{true, false} {
		query["ignore_chksig"] = ignored
		n.read("estimateFee", query, &fees)
		require.Equal(t, ignored, fees.Source.Gas != 0)
	}
}
