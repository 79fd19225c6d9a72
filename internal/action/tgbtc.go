package action

import (
	"encoding/hex"
	"math/big"
	"slices"

	"tonql/internal/chain"
)

// Opcodes of tgBTC; logs are those of the teleport and the coordinator contracts.
const (
	opTeleport    = 0x3f781d24
	opTeleported  = 0xe42a879b
	opPegout      = 0xbe44e7a6
	opPegoutMade  = 0x1a84c0e0
	opBurnForward = 0x587643a2
	opBurnNotice  = 0x7bdd97de
	logMint       = 0x77a80ef3
	logBurn       = 0xca444ce6
	logDKG        = 0x453443a6
	logNewKey     = 0x27756729
	opNewKey      = 0x690f357a

	// maxTeleport is how many messages may lie between the proof of a payment and its coins.
	maxTeleport = 20
)

func init() {
	Register(Spec{
		Kind: "tgbtc_mint", Phase: 55,
		Match: Call(opTeleported).Then(Log(logMint).As("log"), Is("jetton_mint").As("mint")),
		Build: buildTgBTCMint,
	})
	Register(Spec{
		Kind: "tgbtc_burn", Phase: 56,
		Match: Is("jetton_burn").Then(
			Call(opBurnNotice, opBurnForward).Then(
				Log(logBurn).As("log"),
				Call(opPegout).As("pegout").Then(Call(opPegoutMade).Maybe(), Is(typeTonTransfer).Maybe()).Maybe())),
		Build: buildTgBTCBurn,
	})
	Register(Spec{
		Kind: "tgbtc_mint_fallback", Type: "tgbtc_mint", Phase: 58, Match: Log(logMint), Build: buildTgBTCMintLog,
	})
	Register(Spec{
		Kind: "tgbtc_new_key", Phase: 57,
		Match: Call(opNewKey).After(Where(func(*Block) bool { return true }).As("coordinator").Then(Log(logDKG).As("dkg"))).Then(
			Log(logNewKey).As("log"),
			Call(opPegout).Then(Call(opPegoutMade).Maybe(), Is(typeTonTransfer).Maybe()).Maybe()),
		Build: buildTgBTCNewKey,
	})
	Register(Spec{
		Kind: "tgbtc_burn_fallback", Type: "tgbtc_burn", Phase: 59, Match: Log(logBurn),
		Build: func(_ *Context, m *Match) *Result {
			l := m.Start.body()
			amount := l.Coins()
			if l.Err() != nil {
				return nil
			}
			return &Result{Columns: Columns{Amount: amount}}
		},
	})
	Register(Spec{
		Kind: "tgbtc_dkg_log_fallback", Type: "tgbtc_dkg_log", Phase: 61, Match: Log(logDKG), Build: buildTgBTCDKG,
	})
}

// mintLog is what the teleport contract wrote: the transaction id as Bitcoin prints it, in reverse.
func mintLog(b *Block) (amount *big.Int, to *chain.Address, txid string, ok bool) {
	l := b.body()
	amount, to = l.Coins(), l.Address()
	h := l.Hash()
	slices.Reverse(h[:])
	return amount, to, hex.EncodeToString(h[:]), l.Err() == nil
}

func buildTgBTCMint(_ *Context, m *Match) *Result {
	amount, to, txid, ok := mintLog(m.Get("log"))
	if !ok {
		return nil
	}
	way := []*Block{}
	b := m.Start.prev
	for ; b != nil && !b.calls(opTeleport); b = b.prev {
		if way = append(way, b); len(way) >= maxTeleport {
			return nil
		}
	}
	if b == nil {
		return nil
	}
	for _, step := range append(way, b) {
		m.Take(step)
	}
	mint := m.Get("mint").columns
	return &Result{Columns: Columns{
		Source: text(b.from()), SourceSecondary: text(m.Get("log").from()), Destination: text(to),
		DestinationSecondary: mint.DestinationSecondary, Amount: amount, Asset: mint.Asset, AssetSecondary: txid,
	}}
}

func buildTgBTCMintLog(_ *Context, m *Match) *Result {
	amount, to, txid, ok := mintLog(m.Start)
	if !ok {
		return nil
	}
	return &Result{Columns: Columns{
		SourceSecondary: text(m.Start.from()), Destination: text(to), Amount: amount, AssetSecondary: txid,
	}}
}

func buildTgBTCBurn(_ *Context, m *Match) *Result {
	burn := m.Start.columns
	amount, pegout := burn.Amount, ""
	l := m.Get("log").body()
	if n := l.Coins(); l.Err() == nil && n.Cmp(amount) < 0 {
		amount = n
	}
	// Older contracts wrote no addresses, and their pegout is not the same kind of account.
	l.Address()
	if l.Address(); l.Err() == nil {
		pegout = text(m.Get("pegout").account())
	}
	return &Result{
		Failed: !m.Start.success,
		Columns: Columns{
			Source: burn.Source, SourceSecondary: burn.SourceSecondary, Destination: pegout,
			Asset: burn.Asset, Amount: amount,
		},
	}
}

func buildTgBTCDKG(_ *Context, m *Match) *Result {
	l := m.Start.body()
	at, key := l.Uint(64), l.Hash()
	if l.Err() != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: text(m.Start.from()), Asset: hex.EncodeToString(key[:]), Value: coins(at),
	}}
}

func buildTgBTCNewKey(_ *Context, m *Match) *Result {
	log, dkg := m.Get("log").body(), m.Get("dkg").body()
	at := dkg.Uint(64)
	amount, key, pegout := log.Coins(), log.Hash(), log.Address()
	if log.Err() != nil || dkg.Err() != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: text(m.Get("dkg").from()), SourceSecondary: hex.EncodeToString(key[:]),
		Destination: text(m.Get("log").from()), DestinationSecondary: text(pegout), Amount: amount, Value: coins(at),
	}}
}
