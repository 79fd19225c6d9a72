package v3_test

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/contract/elector/electortest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// Every parameter of the routes about validators, on a chain with elections.
func TestValidators_ParametersSelectRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.NewSingle(t) // a request reads all it needs with one connection
	var h electortest.History
	h.Write(t, db)
	d := open(t, db)
	upper := func(h chain.Hash) string { return strings.ToUpper(hex.EncodeToString(h[:])) }
	start, id, complained := electortest.Start, electortest.ID, electortest.Complained
	holder := func(i int) string { return url.QueryEscape(electortest.Account(i).String()) }
	for path, tc := range map[string]struct {
		key, member string
		rows        map[string][]uint32
	}{
		"cycles": {"cycles", "cycle_start", map[string][]uint32{
			"": {start(3), start(2), start(1), start(0)}, "limit=1": {start(3)}, "limit=0": {start(3)}, "limit=1000": {start(3), start(2), start(1), start(0)},
			fmt.Sprint("cycle_start=", start(1)): {start(1)}, fmt.Sprint("election_id=", id(1)): {start(1)}, fmt.Sprint("election_id=", start(1)): nil,
			fmt.Sprint("start_utime=", start(1), "&end_utime=", start(2)): {start(2), start(1)},
			"stake_holder_address=" + holder(0) + "&limit=2":              {start(3), start(2)}, "stake_holder_address=" + holder(3): nil,
			"adnl_address=" + upper(electortest.ADNL(1, 2)): {start(1)}, "validator_pubkey=" + url.QueryEscape(electortest.Key(2, 1).String()): {start(2)},
			"validator_pubkey=" + electortest.Key(2, 3).Hex(): nil,
		}},
		"elections": {"elections", "election_id", map[string][]uint32{
			"": {id(4), id(3), id(2), id(1), id(0)}, "limit=2": {id(4), id(3)}, "finished=false": {id(4)}, "finished=true&limit=1": {id(3)},
			fmt.Sprint("election_id=", id(0)): {id(0)}, fmt.Sprint("start_utime=", id(1), "&end_utime=", id(2)): {id(2), id(1)},
			"stake_holder_address=" + holder(3) + "&limit=1": {id(4)}, "stake_holder_address=" + holder(4): nil,
			"adnl_address=" + upper(electortest.ADNL(1, 3)): {id(1)}, "validator_pubkey=" + upper(electortest.Key(4, 0)): {id(4)},
		}},
		"complaints": {"complaints", "created_at", map[string][]uint32{
			"": {complained(2), complained(1), complained(0)}, "limit=1": {complained(2)}, fmt.Sprint("cycle_start=", start(1)): {complained(1)},
			fmt.Sprint("election_id=", id(0)): {complained(0)}, fmt.Sprint("start_utime=", complained(1), "&end_utime=", complained(1)): {complained(1)},
			"stake_holder_address=" + holder(1): nil, "stake_holder_address=" + holder(0) + "&limit=1": {complained(2)},
			"adnl_address=" + upper(electortest.ADNL(1, 0)): {complained(1)}, "validator_pubkey=" + upper(electortest.Key(2, 0)): {complained(2)},
		}},
		"events": {"events", "election_id", map[string][]uint32{
			"type=stake_rejected&limit=2": {id(4), id(3)}, "validator_pubkey=" + upper(electortest.Key(1, 1)): {id(1)},
			"type=stake_accepted&stake_holder_address=" + holder(2) + "&limit=2": {id(4), id(3)}, "type=stake_accepted&stake_holder_address=" + holder(4): nil,
			fmt.Sprint("type=stake_rejected&start_utime=", start(1)-13, "&end_utime=", start(2)-14): {id(1)},
		}},
	} {
		for query, want := range tc.rows {
			var got []uint32
			for _, row := range rows(d.get("/validators/"+path+"?"+query), tc.key) {
				n, ok := row[tc.member].(float64)
				require.True(t, ok, "%s?%s", path, query)
				got = append(got, uint32(n))
			}
			require.Equal(t, want, got, "%s?%s", path, query)
		}
		require.Equal(t, "start_utime must be less than or equal to end_utime", d.refuse("/validators/"+path+"?start_utime=2&end_utime=1", unprocessable))
		require.Equal(t, "limit is not allowed: 1001 > 1000", d.refuse("/validators/"+path+"?limit=1001", unprocessable))
	}
	for query, text := range map[string]string{
		"cycles?adnl_address=x": `failed to decode: schema: error converting value for "adnl_address"`, "cycles?election_id=-1": `failed to decode: schema: error converting value for "election_id"`,
		"elections?finished=maybe": `failed to decode: schema: error converting value for "finished"`,
		"events?type=lost":         "type should be one of: stake_accepted, stake_rejected, recover_requested, stake_recovered, recover_failed",
	} {
		require.Equal(t, text, d.refuse("/validators/"+query, unprocessable))
	}
}

// Rows have the published members, and GraphQL has the same values.
func TestValidators_RowsHaveThePublishedMembersAndAgreeWithGraphQL(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	var h electortest.History
	h.Write(t, db)
	d := open(t, db)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "devnet", HeadTTL: time.Nanosecond})
	t.Cleanup(svc.Close)
	query := queryService(svc)
	upper := func(text string) string {
		h, err := chain.ParseHash(text)
		require.NoError(t, err)
		return strings.ToUpper(h.Hex())
	}
	at := func(v any, path ...any) any {
		for _, p := range path {
			switch p := p.(type) {
			case string:
				v = v.(map[string]any)[p]
			case int:
				v = v.([]any)[p]
			}
		}
		return v
	}

	cycle := rows(d.get(fmt.Sprint("/validators/cycles?return_validators=true&cycle_start=", electortest.Start(1))), "cycles")[0]
	require.Equal(t, map[string]any{
		"cycle_start": float64(electortest.Start(1)), "cycle_end": float64(electortest.Start(2)), "election_id": float64(electortest.ID(1)), "total": 3.0, "main": 2.0,
		"total_weight": "27", "total_stake": "2700", "min_stake": "800", "max_stake": "1000", "validators_elected_for": 20.0, "elections_start_before": 15.0,
		"elections_end_before": 5.0, "stake_held_for": 8.0, "max_validators": 400.0, "max_main_validators": 100.0, "min_validators": 2.0, "min_stake_limit": "300",
		"max_stake_limit": "10000", "min_total_stake": "900", "max_stake_factor": 196608.0, "validators": cycle["validators"],
	}, cycle)
	var got struct {
		ValidatorCycles []struct {
			Start, End  uint32
			ElectionID  uint32
			TotalWeight string
			TotalStake  string
			Params      struct {
				StakeHeldFor uint32
				MinStake     string
			}
			Validators []struct {
				Index       uint32
				PublicKey   string
				Adnl        string
				Weight      string
				Stake       string
				MaxFactor   uint32
				StakeHolder struct{ Address string }
				Complaints  []struct{ Hash string }
			}
		}
		ValidatorComplaints []struct {
			Hash, PublicKey, Adnl, Description, Paid, SuggestedFine, WeightRemaining, SetHash string
			CreatedAt                                                                         uint32
			ApprovedPercent                                                                   float64
			Passed                                                                            bool
			RewardAccount, StakeHolder                                                        struct{ Address string }
			Votes                                                                             []struct {
				Index     uint32
				PublicKey string
				Weight    string
			}
		}
		ValidatorElections []struct {
			ID               uint32
			TotalStake       string
			Finished         bool
			ParticipantCount int
			Participants     []struct {
				PublicKey string
				Index     *uint32
				Stake     string
			}
		}
		StakeEvents []struct {
			Type, Amount, TransactionHash, Lt, QueryID string
			PublicKey                                  *string
			Reason                                     *int
			StakeHolder                                struct{ Address string }
			Transaction                                struct{ Hash string }
		}
	}
	query(t, fmt.Sprintf(`{ validatorCycles(where: {start: %d}) { start end electionId totalWeight totalStake params { stakeHeldFor minStake }
			validators { index publicKey adnl weight stake maxFactor stakeHolder { address } complaints { hash } } }
		validatorComplaints(first: 1) { hash publicKey adnl description paid suggestedFine weightRemaining setHash createdAt approvedPercent passed
			rewardAccount { address } stakeHolder { address } votes { index publicKey weight } }
		validatorElections(where: {finished: true}, first: 1) { id totalStake finished participantCount participants { publicKey index stake } }
		stakeEvents(first: 9) { type amount transactionHash lt queryId publicKey reason stakeHolder { address } transaction { hash } } }`, electortest.Start(1)), &got)
	require.Len(t, got.ValidatorCycles, 1)
	c := got.ValidatorCycles[0]
	require.Equal(t, []any{float64(c.Start), float64(c.End), float64(c.ElectionID), c.TotalWeight, c.TotalStake, c.Params.MinStake},
		[]any{cycle["cycle_start"], cycle["cycle_end"], cycle["election_id"], cycle["total_weight"], cycle["total_stake"], cycle["min_stake_limit"]})
	require.Len(t, c.Validators, 3)
	for i, v := range c.Validators {
		want := map[string]any{
			"validator_index": float64(i), "validator_pubkey": upper(v.PublicKey), "adnl_addr": upper(v.Adnl), "weight": v.Weight,
			"stake_holder_address": v.StakeHolder.Address, "stake": v.Stake, "max_factor": float64(v.MaxFactor), "complaints": []any{},
		}
		if i == 0 {
			require.Len(t, v.Complaints, 1)
			want["complaints"] = at(cycle, "validators", 0, "complaints")
			require.Equal(t, upper(v.Complaints[0].Hash), at(want, "complaints", 0, "complaint_hash"))
		}
		require.Equal(t, want, at(cycle, "validators", i))
	}

	complaint := rows(d.get("/validators/complaints?limit=1"), "complaints")[0]
	m := got.ValidatorComplaints[0]
	require.Equal(t, map[string]any{
		"cycle_start": float64(electortest.Start(2)), "election_id": float64(electortest.ID(2)), "complaint_hash": upper(m.Hash), "validator_pubkey": upper(m.PublicKey),
		"adnl_addr": upper(m.Adnl), "stake_holder_address": m.StakeHolder.Address, "description_boc": m.Description, "created_at": float64(m.CreatedAt), "severity": 9.0,
		"reward_address": m.RewardAccount.Address, "paid": "11", "suggested_fine": m.SuggestedFine, "suggested_fine_part": 13.0, "vset_id": upper(m.SetHash),
		"weight_remaining": "-1", "approved_percent": 70.37, "is_passed": true, "voted_validators": complaint["voted_validators"],
	}, complaint)
	require.Equal(t, []any{"-1", 70.37, true}, []any{m.WeightRemaining, m.ApprovedPercent, m.Passed})
	for i, v := range m.Votes {
		vote, ok := at(complaint, "voted_validators", i).(map[string]any)
		require.True(t, ok)
		require.Equal(t, []any{float64(v.Index), upper(v.PublicKey), v.Weight}, []any{vote["validator_index"], vote["validator_pubkey"], vote["weight"]})
	}

	election := rows(d.get("/validators/elections?finished=true&limit=1&return_participants=true"), "elections")[0]
	e := got.ValidatorElections[0]
	require.Equal(t, []any{float64(e.ID), e.TotalStake, e.Finished, float64(e.ParticipantCount), false, "300"},
		[]any{election["election_id"], election["total_stake"], election["finished"], election["total_participants"], election["failed"], election["min_stake"]})
	require.Len(t, e.Participants, 4)
	for i, p := range e.Participants {
		row, ok := at(election, "participants", i).(map[string]any)
		require.True(t, ok)
		require.Equal(t, []any{upper(p.PublicKey), p.Stake}, []any{row["validator_pubkey"], row["stake"]})
		require.Equal(t, i < 3, p.Index != nil)
		require.Equal(t, i < 3, row["validator_index"] != nil)
	}
	require.NotContains(t, rows(d.get("/validators/elections"), "elections")[0], "participants")
	require.NotContains(t, rows(d.get("/validators/cycles"), "cycles")[0], "validators")

	events := rows(d.get("/validators/events?limit=9"), "events")
	require.Len(t, got.StakeEvents, 9)
	for i, e := range got.StakeEvents {
		row := events[i]
		require.Equal(t, []any{strings.ToLower(e.Type), e.Amount, e.TransactionHash, e.Lt, e.QueryID, e.StakeHolder.Address},
			[]any{row["type"], row["amount"], row["tx_hash"], row["tx_lt"], row["query_id"], row["stake_holder_address"]})
		require.Equal(t, e.TransactionHash, e.Transaction.Hash)
		require.Equal(t, e.PublicKey != nil, row["validator_pubkey"] != nil)
		require.Equal(t, e.Reason != nil, row["reason"] != nil)
	}
	body := d.get("/validators/events?limit=1&start_utime=1")
	require.Contains(t, body["address_book"], events[0]["stake_holder_address"])
	require.Equal(t, "1", strconv.Itoa(int(body["start_utime"].(float64))))
}

// validatorRows are the parameters of routes about validators, whose effects the tests above show: the validators of a local chain are not elected.
func validatorRows() map[string]row {
	accepted := func(t *testing.T, p parameterCase) {
		t.Helper()
		p.with(t)
	}
	bounds := map[string]row{
		"start_utime": {"", accepted, outcome{value: "4294967295"}, outcome{}}, "end_utime": {"", accepted, outcome{value: "1"}, outcome{}},
		"limit":                {"", accepted, outcome{query: "validator_pubkey={nothing}&limit=5"}, outcome{}},
		"stake_holder_address": {"", accepted, outcome{}, outcome{}}, "validator_pubkey": {"", accepted, outcome{}, outcome{}},
	}
	adnl := map[string]row{"adnl_address": {"", accepted, outcome{}, outcome{}}}
	id := map[string]row{"election_id": {"", accepted, outcome{value: "4294967295"}, outcome{}}}
	start := map[string]row{"cycle_start": {"", accepted, outcome{value: "4294967295"}, outcome{}}}
	flag := func(name string) map[string]row {
		return map[string]row{name: {"", accepted, outcome{query: "validator_pubkey={nothing}&" + name + "=true"}, outcome{}}}
	}
	const prefix = "GET /validators/"
	return merge(
		of(prefix+"cycles", bounds, adnl, id, start, flag("return_validators")),
		of(prefix+"elections", bounds, adnl, id, flag("return_participants"), flag("finished")),
		of(prefix+"complaints", bounds, adnl, id, start),
		of(prefix+"events", bounds, map[string]row{
			"type": {"", accepted, outcome{query: "validator_pubkey={nothing}&type=stake_rejected"},
				outcome{value: "lost", status: unprocessable, text: "type should be one of: stake_accepted, stake_rejected"}},
		}),
	)
}
