package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/toncenter"

	"tonql/internal/devnet/contracts"
)

// checkGoClient calls every method of the client of tonutils-go, for v2 and for v3, and sends transfers from a wallet.
func checkGoClient(t *testing.T, base, admin string) {
	t.Helper()
	v2 := toncenter.New(base).V2()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	wallet, err := contracts.NewWallet(contracts.V4R2, 0, ed25519.NewKeyFromSeed(make([]byte, 32)), 0)
	require.NoError(t, err)
	to := address.NewAddress(0, 0, append([]byte{9}, make([]byte, 31)...))
	pay(t, admin, wallet.Address)
	eventually(t, time.Minute, "coins arrive", func() bool {
		balance, err := v2.GetAddressBalance(ctx, wallet.Address)
		require.NoError(t, err)
		return balance.MustCoins(9).Nano().Sign() > 0
	})

	order := contracts.Order{Message: contracts.Transfer(to, 3e8, "")}
	first, err := wallet.External(contracts.Ticket{ValidUntil: uint32(time.Now().Unix()) + 300, Deploy: true}, order)
	require.NoError(t, err)
	var message tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&message, first))
	fee, err := v2.EstimateFee(ctx, toncenter.EstimateFeeRequest{
		Address: wallet.Address, Body: message.Body, InitCode: wallet.Init.Code, InitData: wallet.Init.Data, IgnoreSignatureCheck: true,
	})
	require.NoError(t, err)
	require.NotZero(t, fee.SourceFees.GasFee)
	require.NoError(t, v2.SendBoc(ctx, first.ToBOC()))
	seqno := func() uint64 {
		res, err := v2.RunGetMethod(ctx, wallet.Address, "seqno", nil, nil) //nolint:staticcheck // deprecated, and still supported
		require.NoError(t, err)
		if res.ExitCode != 0 || len(res.Stack) == 0 {
			return 0
		}
		return res.Stack[0].(*big.Int).Uint64()
	}
	eventually(t, time.Minute, "the wallet pays", func() bool { return seqno() == 1 })
	requireArrived(t, base, []transfer{{By: "tonutils-go", From: raw(wallet.Address), To: raw(to), Nano: "300000000"}})
	checkSentHash(t, base, wallet, order, func() bool { return seqno() == 2 })

	state, err := v2.GetAddressInformation(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, "active", state.State)
	require.Equal(t, wallet.Init.Code.Hash(), state.Code.Hash())
	extended, err := v2.GetExtendedAddressInformation(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, "wallet.v4.accountState", extended.AccountState["@type"])
	info, err := v2.GetWalletInformation(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, uint64(2), info.Seqno)
	accountStatus, err := v2.GetAddressState(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, "active", accountStatus)

	var txs []toncenter.TransactionV2
	eventually(t, time.Minute, "both transfers arrive", func() bool {
		txs, err = v2.GetTransactions(ctx, to, nil)
		require.NoError(t, err)
		return len(txs) == 2
	})
	require.Equal(t, txs[0].TransactionID.Hash, txs[0].Data.Hash())
	limit, lt, hash := 1, int64(txs[1].TransactionID.LT), base64.StdEncoding.EncodeToString(txs[1].TransactionID.Hash)
	older, err := v2.GetTransactions(ctx, to, &toncenter.GetTransactionsV2Opts{Limit: &limit, Lt: &lt, Hash: &hash})
	require.NoError(t, err)
	require.Equal(t, txs[1].TransactionID, older[0].TransactionID)
	located, err := v2.TryLocateTx(ctx, wallet.Address, to, txs[0].InMsg.CreatedLt) //nolint:staticcheck // deprecated, and still supported
	require.NoError(t, err)
	require.Equal(t, txs[0].TransactionID, located.TransactionID)
	_, err = v2.TryLocateResultTx(ctx, wallet.Address, to, txs[0].InMsg.CreatedLt) //nolint:staticcheck // deprecated, and still supported
	require.NoError(t, err)
	_, err = v2.TryLocateSourceTx(ctx, wallet.Address, to, txs[0].InMsg.CreatedLt) //nolint:staticcheck // deprecated, and still supported
	require.NoError(t, err)
	checkGoClientBlocks(ctx, t, v2)
	checkGoClientV3(ctx, t, base, wallet)
}

// checkGoClientV3 calls the methods of /api/v3; the wallet has sent two messages.
func checkGoClientV3(ctx context.Context, t *testing.T, base string, wallet *contracts.Wallet) {
	t.Helper()
	v3 := toncenter.New(base).V3()
	to := address.NewAddress(0, 0, append([]byte{10}, make([]byte, 31)...))
	order := contracts.Order{Message: contracts.Transfer(to, 2e8, "by v3")}
	root, err := wallet.External(contracts.Ticket{Seqno: 2, ValidUntil: uint32(time.Now().Unix()) + 300}, order)
	require.NoError(t, err)
	var message tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&message, root))
	fee, err := v3.EstimateFee(ctx, toncenter.EstimateFeeRequest{Address: wallet.Address, Body: message.Body, IgnoreSignatureCheck: true})
	require.NoError(t, err)
	require.NotZero(t, fee.SourceFees.GasFee)
	require.NoError(t, v3.SendMessage(ctx, root.ToBOC()))
	eventually(t, time.Minute, "the wallet pays", func() bool {
		res, err := v3.RunGetMethod(ctx, wallet.Address, "seqno", nil, nil)
		require.NoError(t, err)
		return res.Stack[0].(*big.Int).Uint64() == 3
	})
	requireArrived(t, base, []transfer{{By: "tonutils-go, v3", From: raw(wallet.Address), To: raw(to), Nano: "200000000"}})
	state, err := v3.GetAddressInformation(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, "active", state.Status)
	require.Equal(t, wallet.Init.Code.Hash(), state.Code.Hash())
	info, err := v3.GetWalletInformation(ctx, wallet.Address)
	require.NoError(t, err)
	require.Equal(t, "wallet v4 r2", info.WalletType)
	require.Equal(t, uint64(3), info.Seqno)
	require.Equal(t, info.Balance, state.Balance)
}

// checkGoClientBlocks calls the methods of blocks and of the configuration.
func checkGoClientBlocks(ctx context.Context, t *testing.T, v2 *toncenter.V2) {
	t.Helper()
	master, err := v2.GetMasterchainInfo(ctx)
	require.NoError(t, err)
	require.Len(t, master.StateRootHash, 32)
	require.Len(t, master.Init.RootHash, 32)
	consensus, err := v2.GetConsensusBlock(ctx)
	require.NoError(t, err)
	require.GreaterOrEqual(t, consensus.Seqno, master.Last.Seqno)
	signatures, err := v2.GetMasterchainBlockSignatures(ctx, master.Last.Seqno)
	require.NoError(t, err)
	require.NotEmpty(t, signatures.Signatures)
	shards, err := v2.GetShards(ctx, master.Last.Seqno)
	require.NoError(t, err)
	for _, s := range shards {
		proof, err := v2.GetShardBlockProof(ctx, s.Workchain, s.Shard, s.Seqno, nil)
		require.NoError(t, err)
		require.NotEmpty(t, proof.Links)
		found, err := v2.LookupBlock(ctx, s.Workchain, s.Shard, &toncenter.LookupBlockV2Options{Seqno: &s.Seqno})
		require.NoError(t, err)
		require.Equal(t, s.RootHash, found.RootHash)
		header, err := v2.GetBlockHeader(ctx, s.Workchain, s.Shard, s.Seqno, nil)
		require.NoError(t, err)
		require.Equal(t, s.Seqno, header.ID.Seqno)
		_, err = v2.GetBlockTransactions(ctx, s.Workchain, s.Shard, s.Seqno, nil)
		require.NoError(t, err)
	}
	sizes, err := v2.GetOutMsgQueueSizes(ctx)
	require.NoError(t, err)
	require.Len(t, sizes.Shards, len(shards)+1)
	config, err := v2.GetConfigParam(ctx, 34, nil)
	require.NoError(t, err)
	require.NotNil(t, config)
	all, err := v2.GetConfigAll(ctx, nil)
	require.NoError(t, err)
	require.NotNil(t, all)
}

// checkSentHash sends a message by sendBocReturnHash and finds it by both hashes, by /api/v3 and GraphQL.
func checkSentHash(t *testing.T, base string, wallet *contracts.Wallet, order contracts.Order, done func() bool) {
	t.Helper()
	message, err := wallet.External(contracts.Ticket{Seqno: 1, ValidUntil: uint32(time.Now().Unix()) + 300}, order)
	require.NoError(t, err)
	request, err := json.Marshal(map[string]string{"boc": base64.StdEncoding.EncodeToString(message.ToBOC())})
	require.NoError(t, err)
	resp, err := http.Post(base+"/api/v2/sendBocReturnHash", "application/json", strings.NewReader(string(request)))
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	var sent struct {
		Result struct {
			Hash string
			Norm string `json:"hash_norm"`
		}
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&sent))
	require.Equal(t, base64.StdEncoding.EncodeToString(message.Hash()), sent.Result.Hash)
	eventually(t, time.Minute, "the message is executed", done)
	for _, hash := range []string{sent.Result.Hash, sent.Result.Norm} {
		status, body := get(t, base+"/api/v3/messages?msg_hash="+escape(hash))
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, string(body), sent.Result.Hash)
		var seen struct {
			Messages struct {
				Nodes []struct{ Hash, HashNorm string }
			}
		}
		query(t, base, fmt.Sprintf(`{ messages(first: 2, where: {hashes: [%q]}) { nodes { hash hashNorm } } }`, hash), &seen)
		require.Len(t, seen.Messages.Nodes, 1)
		require.Equal(t, sent.Result.Hash, seen.Messages.Nodes[0].Hash)
		require.Equal(t, sent.Result.Norm, seen.Messages.Nodes[0].HashNorm)
	}
}

// pay sends coins from the faucet.
func pay(t *testing.T, admin string, to *address.Address) {
	t.Helper()
	resp, err := http.Post(admin+"faucet", "application/json", strings.NewReader(fmt.Sprintf(`{"to":%q,"amount":"5000000000"}`, to)))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func raw(a *address.Address) string {
	return fmt.Sprintf("%d:%s", a.Workchain(), hex.EncodeToString(a.Data()))
}
