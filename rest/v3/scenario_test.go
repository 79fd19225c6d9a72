package v3_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/scenario"
	"tonql/internal/pacetest"
)

// The scenario's first minute fills every route of contracts: sales and auctions, names of both zones, boards with orders
// in every state, a vesting wallet, and invalid contracts.
//
//nolint:tparallel // the subtests share one devnet
func TestScenario_RoutesOfContractsHaveRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startNetwork(t, 75)
	places, err := scenario.FindPlaces(n.devnet.Seed(), n.devnet.Chain.GlobalID())
	require.NoError(t, err)

	t.Run("nft/sales", func(t *testing.T) { n.sales(t) })
	t.Run("dns/records", func(t *testing.T) {
		zones := map[string]int{}
		for _, actor := range places.Actors {
			for _, row := range rows(n.get("/dns/records?wallet="+in(actor)), "records") {
				name, _ := row["domain"].(string)
				_, zone, _ := strings.Cut(name, ".")
				zones[zone]++
				same := rows(n.get("/dns/records?domain="+name), "records")
				require.Equal(t, row["nft_item_address"], same[0]["nft_item_address"])
			}
		}
		require.Positive(t, zones["ton"], "%v", zones)
		require.Positive(t, zones["t.me"], "%v", zones)
	})
	t.Run("multisig", func(t *testing.T) { n.boards(t, places) })
	t.Run("vesting", func(t *testing.T) {
		wallets := rows(n.get("/vesting?contract_address="+in(places.Vesting)), "vesting_contracts")
		require.Len(t, wallets, 1)
		require.Len(t, wallets[0]["whitelist"], 2)
		friends := rows(n.get("/vesting?check_whitelist=true&wallet_address="+in(places.Actors[5])), "vesting_contracts")
		require.Equal(t, wallets, friends)
	})
	t.Run("mintless and malformed Jettons", func(t *testing.T) {
		masters := append([]*address.Address{places.MintlessJetton, places.StuckJetton}, places.Malformed...)
		for _, master := range masters {
			require.Len(t, rows(n.get("/jetton/masters?address="+in(master)), "jetton_masters"), 1)
		}
		claimed := false
		for _, wallet := range rows(n.get("/jetton/wallets?jetton_address="+in(places.MintlessJetton)), "jetton_wallets") {
			info, _ := wallet["mintless_info"].(map[string]any)
			claimed = claimed || info != nil || wallet["balance"] != "0"
		}
		require.True(t, claimed)
	})
	t.Run("liars", func(t *testing.T) {
		require.Empty(t, rows(n.get("/jetton/wallets?address="+in(places.LiarWallet)), "jetton_wallets"))
		require.Empty(t, rows(n.get("/nft/items?address="+in(places.LiarItem)), "nft_items"))
		for _, hostile := range places.Hostile {
			require.Empty(t, rows(n.get("/jetton/masters?address="+in(hostile)), "jetton_masters"))
			require.Empty(t, rows(n.get("/multisig/wallets?address="+in(hostile)), "multisigs"))
			require.Empty(t, rows(n.get("/vesting?contract_address="+in(hostile)), "vesting_contracts"))
		}
	})
}

func in(a *address.Address) string { return url.QueryEscape(a.StringRaw()) }

func rows(response map[string]any, member string) (list []map[string]any) {
	all, _ := response[member].([]any)
	for _, row := range all {
		r, _ := row.(map[string]any)
		list = append(list, r)
	}
	return list
}

// sales requests every indexed sale.
func (n *network) sales(t *testing.T) {
	t.Helper()
	sql := n.db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	found, err := sql.QueryContext(n.ctx, `SELECT encode(substr(address, 2), 'hex') FROM nft_sales ORDER BY address`)
	require.NoError(t, err)
	defer func() { require.NoError(t, found.Close()) }()
	kinds := map[any]int{}
	for found.Next() {
		var id string
		require.NoError(t, found.Scan(&id))
		sales := rows(n.get("/nft/sales?address=0:"+id), "nft_sales")
		require.Len(t, sales, 1)
		kinds[sales[0]["type"]]++
		require.NotNil(t, sales[0]["details"])
	}
	require.NoError(t, found.Err())
	for _, kind := range []string{"getgems_sale", "getgems_auction", "telemint"} {
		require.Positive(t, kinds[kind], "%v", kinds)
	}
}

// boards checks both multisig wallets and their orders.
func (n *network) boards(t *testing.T, places scenario.Places) {
	t.Helper()
	seen := map[string]int{}
	for _, board := range places.Multisigs {
		wallets := rows(n.get("/multisig/wallets?address="+in(board)), "multisigs")
		require.Len(t, wallets, 1)
		require.NotEmpty(t, wallets[0]["orders"])
		for _, order := range rows(n.get("/multisig/orders?parse_actions=true&multisig_address="+in(board)), "orders") {
			expires, _ := order["expiration_date"].(float64)
			switch {
			case order["sent_for_execution"] == true:
				seen["executed"]++
			case expires < float64(n.devnet.Chain.Now()):
				seen["expired"]++
			default:
				seen["pending"]++
			}
			for _, action := range rows(order, "actions") {
				require.Equal(t, true, action["parsed"], action)
				kind, _ := action["parsed_body_type"].(string)
				seen[kind]++
			}
			seen["signers "+strconv.Itoa(len(rowsOf(order["signers"])))]++
		}
	}
	for _, what := range []string{
		"executed", "expired", "pending", "ton_transfer", "jetton_transfer", "multisig_update_params", "unknown", "signers 3", "signers 4",
	} {
		require.Positive(t, seen[what], "%s of %v", what, seen)
	}
}

func rowsOf(list any) []any {
	all, _ := list.([]any)
	return all
}
