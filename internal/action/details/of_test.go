package details_test

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/action/details"
	"tonql/internal/chain"
)

// column is a composite column in the form of the database.
type column struct {
	name string
	text string
}

func (c column) Column() string               { return c.name }
func (c column) MarshalJSON() ([]byte, error) { return []byte(c.text), nil }

func account(n byte) string { return chain.Address{ID: chain.Hash{n}}.String() }

// The members that are not copies of a column.
func TestOf_DerivedMembersFollowTheColumns(t *testing.T) {
	t.Parallel()
	one, two, three := account(1), account(2), account(3)
	for name, c := range map[string]struct {
		kind    string
		columns action.Columns
		want    string
	}{
		"a call without a body": {
			"call_contract", action.Columns{Destination: one},
			`{"destination":"` + one + `","extra_currencies":{}}`,
		},
		"a call": {
			"call_contract",
			action.Columns{Source: two, Destination: one, Value: big.NewInt(5), Opcode: new(uint32(0xf8a7ea5)), Extra: map[string]*big.Int{"100": big.NewInt(7)}},
			`{"opcode":"0x0f8a7ea5","source":"` + two + `","destination":"` + one + `","value":"5","extra_currencies":{"100":"7"}}`,
		},
		"a transfer without payload": {
			"ton_transfer", action.Columns{Source: two, Destination: one, Value: big.NewInt(0), Payloads: []action.Payload{&action.TonTransferData{}}},
			`{"source":"` + two + `","destination":"` + one + `","value":"0","value_extra_currencies":{},"comment":null,"encrypted":false}`,
		},
		"an unknown trace":   {"unknown", action.Columns{}, `{"error":"unsupported action type: 'unknown'"}`},
		"a tick":             {"tick_tock", action.Columns{Source: one}, `{}`},
		"an exit code":       {"jvault_unstake", action.Columns{Opcode: new(uint32(0xfffffff2))}, `{"source":null,"stake_wallet":null,"pool":null,"amount":null,"exit_code":-14,"asset":null,"staking_asset":null}`},
		"a nominator's coin": {"stake_deposit", action.Columns{Source: one, Asset2: two, Payloads: []action.Payload{column{"staking_data", `{"provider":"nominator","tokens_minted":null}`}}}, `{"provider":"nominator","stake_holder":"` + one + `","pool":null,"amount":null,"tokens_minted":null,"asset":null}`},
		"ethena": {
			"stake_deposit", action.Columns{Source: one, Asset2: two, Payloads: []action.Payload{column{"staking_data", `{"provider":"ethena","tokens_minted":9}`}}},
			`{"provider":"ethena","stake_holder":"` + one + `","pool":null,"amount":null,"tokens_minted":"9","asset":null,"source_asset":"` + two + `"}`,
		},
		"dns text": {
			"change_dns", action.Columns{Payloads: []action.Payload{column{"change_dns_record_data", `{"key":"ab","value_schema":"DNSText","value":"hi","flags":3}`}}},
			`{"key":"ab","value":{"sum_type":"DNSText","dns_smc_address":null,"dns_adnl_address":null,"dns_text":null,"dns_next_resolver_address":null,"dns_storage_address":"hi","flags":null},"source":null,"asset":null,"nft_collection":null}`,
		},
		"dns wallet": {
			"change_dns", action.Columns{Asset: three, Payloads: []action.Payload{column{"change_dns_record_data", `{"key":"ab","value_schema":"DNSSmcAddress","value":"` + one + `","flags":3}`}}},
			`{"key":"ab","value":{"sum_type":"DNSSmcAddress","dns_smc_address":"` + one + `","dns_adnl_address":null,"dns_text":null,"dns_next_resolver_address":null,"dns_storage_address":null,"flags":3},"source":null,"asset":null,"nft_collection":"` + three + `"}`,
		},
		"claimed rewards": {
			"jvault_claim", action.Columns{Payloads: []action.Payload{column{"jvault_claim_data", `{"claimed_jettons":["` + one + `"],"claimed_amounts":[5]}`}}},
			`{"claimed_rewards":[{"jetton":"` + one + `","amount":"5"}],"source":null,"stake_wallet":null,"pool":null}`,
		},
		"claimed rewards that do not pair": {
			"jvault_claim", action.Columns{Payloads: []action.Payload{column{"jvault_claim_data", `{"claimed_jettons":["` + one + `","` + two + `"],"claimed_amounts":[5]}`}}},
			`{"claimed_rewards":[],"source":null,"stake_wallet":null,"pool":null}`,
		},
	} {
		d, err := details.Of(&action.Action{Type: c.kind, Columns: c.columns})
		require.NoError(t, err, name)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, c.want, string(text), name)
		requireRoundTrip(t, d)
	}
}

func TestOf_LiquidityDestinationFollowsTheExchange(t *testing.T) {
	t.Parallel()
	pool, own := account(1), account(2)
	for dex, want := range map[string]string{"dedust": own, "tonco": pool, "coffee": pool, "stonfi_v2": pool} {
		d, err := details.Of(&action.Action{Type: "dex_deposit_liquidity", Columns: action.Columns{
			Destination: pool, DestinationSecondary: own,
			Payloads: []action.Payload{column{"dex_deposit_liquidity_data", `{"dex":"` + dex + `","vault_excesses":[{"asset":null,"amount":4}]}`}},
		}})
		require.NoError(t, err)
		deposit, ok := d.(*details.DexDepositLiquidity)
		require.True(t, ok)
		require.Equal(t, want, deposit.DestinationLiquidity.String(), dex)
		require.Equal(t, []details.VaultExcess{{Amount: new(details.Number("4"))}}, deposit.VaultExcesses)
	}
}

func TestOf_OnlySwapsOfToncoHaveAMinimum(t *testing.T) {
	t.Parallel()
	for dex, want := range map[string]bool{"tonco": true, "dedust": false} {
		d, err := details.Of(&action.Action{Type: "jetton_swap", Columns: action.Columns{Payloads: []action.Payload{column{
			"jetton_swap_data", `{"dex":"` + dex + `","min_out_amount":1,"dex_incoming_transfer":{"asset":"","amount":123456789012345678901234567890},"peer_swaps":null}`,
		}}}})
		require.NoError(t, err)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(string(text), `"min_out_amount":"1"`), dex)
		require.Contains(t, string(text), `"amount":"123456789012345678901234567890"`)
		require.Contains(t, string(text), `"peer_swaps":[]`)
	}
}

func TestOf_PurchaseHasThePayoutOfItsKind(t *testing.T) {
	t.Parallel()
	seller, fee := account(1), account(2)
	row := func(kind string, purchase string) string {
		d, err := details.Of(&action.Action{Type: kind, Columns: action.Columns{Payloads: []action.Payload{
			column{"nft_transfer_data", `{"is_purchase":` + purchase + `,"marketplace":"getgems","real_prev_owner":"` + seller + `"}`},
			column{"nft_listing_data", `{"marketplace_fee_address":"` + fee + `","royalty_address":"` + fee + `"}`},
		}}})
		require.NoError(t, err)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		return string(text)
	}
	require.Contains(t, row("nft_purchase", "true"), `"payout_address":"`+seller+`"`)
	require.Contains(t, row("nft_purchase", "true"), `"royalty_address":null`)
	require.Contains(t, row("nft_transfer", "true"), `"payout_address":"`+fee+`"`)
	require.Contains(t, row("nft_transfer", "true"), `"marketplace":"getgems"`)
	require.Contains(t, row("nft_transfer", "false"), `"marketplace":null`)
}

func TestOf_LiquidationRecognizesListedAssets(t *testing.T) {
	t.Parallel()
	row := func(id string) *details.EvaaLiquidate {
		d, err := details.Of(&action.Action{Type: "evaa_liquidate", Columns: action.Columns{
			Asset: "123", Destination: strings.ToLower(account(0xab)),
			Payloads: []action.Payload{column{"evaa_liquidate_data", `{"asset_id":"` + id + `"}`}},
		}})
		require.NoError(t, err)
		l, ok := d.(*details.EvaaLiquidate)
		require.True(t, ok)
		require.Equal(t, "123", *l.Collateral)
		require.Equal(t, account(0xab), l.Borrower.String())
		return l
	}
	ton := row("0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a")
	require.True(t, ton.IsKnownAsset)
	require.Nil(t, ton.Asset)
	require.False(t, row("0x01").IsKnownAsset)
	listed := row("0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278")
	require.True(t, listed.IsKnownAsset)
	require.NotNil(t, listed.Asset)
}

func TestOf_RefusesBadColumns(t *testing.T) {
	t.Parallel()
	_, err := details.Of(&action.Action{Type: "jetton_burn", Columns: action.Columns{Source: "nowhere"}})
	require.Error(t, err)
	_, err = details.Of(&action.Action{Type: "jetton_swap", Columns: action.Columns{Payloads: []action.Payload{column{"jetton_swap_data", `{"min_out_amount":"x"}`}}}})
	require.Error(t, err)
}

// Actions that end or change an offer have the marketplace, like those that start it.
func TestOf_ChangesOfSalesNameTheMarket(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"nft_update_sale", "nft_cancel_sale", "nft_cancel_auction", "nft_finish_auction"} {
		for payload, want := range map[string]string{
			`{"marketplace_address":"` + account(3) + `"}`: `"marketplace":"getgems"`, `{}`: `"marketplace":null`,
		} {
			d, err := details.Of(&action.Action{Type: kind, Columns: action.Columns{
				Payloads: []action.Payload{column{"nft_transfer_data", payload}},
			}})
			require.NoError(t, err)
			text, err := json.Marshal(d)
			require.NoError(t, err)
			require.Contains(t, string(text), want, "%s %s", kind, payload)
		}
	}
	d, err := details.Of(&action.Action{Type: "teleitem_cancel_auction"})
	require.NoError(t, err)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	require.Contains(t, string(text), `"marketplace":"fragment"`)
}

// A readable forward payload is not encrypted unless it says so; 32 zero bits are a comment without text.
func TestOf_NFTCommentIsTextOrEncrypted(t *testing.T) {
	t.Parallel()
	payload := func(b *cell.Builder) string { return base64.StdEncoding.EncodeToString(b.EndCell().ToBOC()) }
	for name, tc := range map[string]struct{ payload, comment, encrypted string }{
		"none":       {"", "null", "null"},
		"empty cell": {payload(cell.BeginCell()), "null", "false"},
		"other":      {payload(cell.BeginCell().MustStoreUInt(0x12345678, 32)), "null", "false"},
		"no text":    {payload(cell.BeginCell().MustStoreUInt(0, 32)), `""`, "false"},
		"text":       {payload(cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hi"), 16)), `"hi"`, "false"},
		"encrypted":  {payload(cell.BeginCell().MustStoreUInt(0x2167da4b, 32).MustStoreSlice([]byte("hi"), 16)), `"aGk="`, "true"},
		"unreadable": {"AAAA", "null", "null"},
	} {
		for _, kind := range []string{"nft_transfer", "nft_purchase"} {
			d, err := details.Of(&action.Action{Type: kind, Columns: action.Columns{
				Payloads: []action.Payload{column{"nft_transfer_data", `{"forward_payload":"` + tc.payload + `"}`}},
			}})
			require.NoError(t, err, name)
			text, err := json.Marshal(d)
			require.NoError(t, err)
			require.Contains(t, string(text), `"comment":`+tc.comment+`,"is_encrypted_comment":`+tc.encrypted, "%s %s", kind, name)
		}
	}
}
