package merchant

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/payment"
	"tonql/resolvers"
)

// defaultDecimals applies to Jettons whose content has no decimals (TEP-64).
const defaultDecimals = 9

type indexed struct{ svc *resolvers.Service }

// NewJettons returns the Jettons of the index. It executes the get-methods of their masters.
func NewJettons(svc *resolvers.Service) Jettons { return indexed{svc} }

// Asset implements [Jettons].
func (j indexed) Asset(ctx context.Context, master chain.Address) (payment.Asset, error) {
	a := payment.Asset{Master: &master, Decimals: defaultDecimals}
	masters, err := j.svc.JettonMasters(ctx, chain.JettonMasterFilter{Addresses: []chain.Address{master}}, chain.Page{Limit: 1})
	if err != nil {
		return a, err
	}
	if len(masters) == 0 {
		return a, chain.NotFoundf("%s is not an indexed Jetton master", master)
	}
	content := masters[0].Content
	a.Ticker = tickerOf(content["symbol"])
	decimals, available := content["decimals"], content["uri"] == "" || content["decimals"] != ""
	entries, err := j.svc.Metadata(ctx, []chain.Address{master})
	if err != nil {
		return a, err
	}
	for _, e := range entries {
		if e.Kind != chain.TokenJettonMaster || !e.Valid {
			continue
		}
		available = true
		a.Ticker = tickerOf(e.Symbol)
		if text := decimalsIn(e.Extra["decimals"]); text != "" {
			decimals = text
		}
	}
	if !available {
		return a, chain.Unavailablef(nil, "the decimals of Jetton %s are not available yet: its off-chain content was not fetched", master)
	}
	if decimals != "" {
		n, err := strconv.Atoi(decimals)
		if err != nil || n < 0 || n > payment.MaxDecimals {
			return a, chain.Invalidf("Jetton %s has an invalid number of decimals", master)
		}
		a.Decimals = n
	}
	return a, nil
}

// maxTicker bounds a ticker in characters.
const maxTicker = 32

// tickerOf returns the ticker that payments show for a Jetton with a symbol, which anyone chooses: without characters that are not seen, such as
// those that reverse the text around them, and empty instead of that of the native coin.
func tickerOf(symbol string) string {
	seen := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, symbol[:min(len(symbol), 8*maxTicker)])))
	ticker := strings.TrimSpace(string(seen[:min(len(seen), maxTicker)]))
	if strings.EqualFold(ticker, payment.Native) {
		return ""
	}
	return ticker
}

func decimalsIn(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// Wallet implements [Jettons].
func (j indexed) Wallet(ctx context.Context, master, owner chain.Address) (chain.Address, error) {
	b := cell.BeginCell()
	if err := b.StoreAddr(address.NewAddress(0, byte(owner.Workchain), owner.ID[:])); err != nil {
		return chain.Address{}, fmt.Errorf("address of an owner: %w", err)
	}
	argument, err := b.EndCell().BeginParse()
	if err != nil {
		return chain.Address{}, fmt.Errorf("address of an owner: %w", err)
	}
	result, err := j.svc.RunGetMethod(ctx, resolvers.MethodCall{Account: master, Method: "get_wallet_address", Stack: []any{argument}})
	if err != nil {
		return chain.Address{}, err
	}
	wrong := chain.Invalidf("get_wallet_address of Jetton %s returned no wallet for %s", master, owner)
	if result.Exit > 1 || result.Exit < 0 || len(result.Stack) != 1 {
		return chain.Address{}, wrong
	}
	var l *contract.Loader
	switch v := result.Stack[0].(type) {
	case *cell.Slice:
		l = contract.LoadSlice(v)
	case *cell.Cell:
		l = contract.Load(v)
	default:
		return chain.Address{}, wrong
	}
	wallet := l.NeedAddress()
	if l.Err() != nil {
		return chain.Address{}, wrong
	}
	return wallet, nil
}
