package v3_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
	"tonql/resolvers"
)

// staking are two pools of the faucet, who is their validator and a nominator, as is the saver. Both had a validation cycle, the first one two;
// the saver left the first one.
type staking struct {
	pools     [2]contracts.Contract
	validator string
	saver     *contracts.Wallet
	sent      uint32 // messages of the saver
}

// stake makes the pools, and names them.
func (s *fixture) stake(t *testing.T) {
	t.Helper()
	k := staking{validator: "-1:" + strings.ToUpper(hex.EncodeToString(s.faucet.Address.Data()))}
	var err error
	k.saver, err = contracts.NewWallet(contracts.V4R2, 0, ed25519.NewKeyFromSeed(slices.Repeat([]byte{0x78}, ed25519.SeedSize)), 0)
	require.NoError(t, err)
	for i := range k.pools {
		k.pools[i] = contracts.NominatorPool(s.faucet.Address, uint64(i+1)*1e9)
	}
	a, b := k.pools[0], k.pools[1]
	deposit := contracts.Comment(contracts.PoolDeposit)
	to := func(pool contracts.Contract, amount uint64) contracts.Order {
		return contracts.Order{Message: contracts.Call(pool.Address, amount, deposit)}
	}
	s.round(t, contracts.Order{Message: a.Deploy(1e9, nil)}, contracts.Order{Message: b.Deploy(1e9, nil)},
		contracts.Order{Message: contracts.Transfer(k.saver.Address, 60e9, "to save")})
	k.save(t, s, to(a, 20e9), to(b, 20e9))
	s.round(t, to(a, 10e9), to(b, 12e9),
		contracts.Order{Message: contracts.Call(a.Address, 30e9, contracts.PoolValidatorDeposit(1))},
		contracts.Order{Message: contracts.Call(b.Address, 30e9, contracts.PoolValidatorDeposit(2))})
	for cycle := range uint32(2) {
		s.round(t, contracts.Order{Message: contracts.Call(a.Address, 2e9, contracts.PoolStake(3, 20e9, 1_800_000_000+cycle))},
			contracts.Order{Message: contracts.Call(b.Address, 2e9, contracts.PoolStake(4, 20e9, 1_800_000_000+cycle))})
		if cycle == 0 {
			k.save(t, s, contracts.Order{Message: contracts.Call(a.Address, 1e9, contracts.Comment(contracts.PoolWithdraw))})
		}
		s.round(t, to(a, 5e9))
		s.round(t, contracts.Order{Message: contracts.Call(a.Address, 1e9, contracts.PoolRecover(5))},
			contracts.Order{Message: contracts.Call(b.Address, 1e9, contracts.PoolRecover(6))})
		s.round(t, contracts.Order{Message: contracts.Call(a.Address, 1e9, contracts.PoolProcess(7, 40))},
			contracts.Order{Message: contracts.Call(a.Address, 1e9, contracts.PoolValidatorWithdraw(8, 1e9))})
	}
	s.names["own pool"], s.names["other pool"], s.names["validator"], s.names["saver"] = raw(a.Address), raw(b.Address), k.validator, raw(k.saver.Address)
}

// round sends orders of the faucet and produces blocks until all that follows is done.
func (s *fixture) round(t *testing.T, orders ...contracts.Order) {
	t.Helper()
	s.order(orders...)
	s.advance(s.head() + 8)
}

// save sends orders of the saver.
func (k *staking) save(t *testing.T, s *fixture, orders ...contracts.Order) {
	t.Helper()
	ticket := contracts.Ticket{Seqno: k.sent, ValidUntil: s.devnet.Chain.Now() + 600, Deploy: k.sent == 0}
	root, err := k.saver.External(ticket, orders...)
	require.NoError(t, err)
	require.NoError(t, s.devnet.Chain.SendExternal(s.ctx, root))
	k.sent++
	s.advance(s.head() + 4)
}

func stakingRows() map[string]row {
	const (
		positions  = "nominator={faucet}&limit=1000"
		events     = "pool={own pool}&limit=1000"
		rewards    = "nominator={faucet}&pool={own pool}&limit=1000"
		validators = "validator={validator}&limit=1000"
		earned     = "validator={validator}&pool={own pool}&limit=1000"
	)
	times := func(base, none string) map[string]row {
		rows := unsorted(base, none)
		delete(rows, "offset")
		rows["start_utime"] = row{base, from("utime"), outcome{value: "4294967295"}, outcome{}}
		rows["end_utime"] = row{base, until("utime"), outcome{value: "1"}, outcome{}}
		return rows
	}
	const prefix = "GET /staking/nominatorPools/"
	return merge(
		of(prefix+"pool", map[string]row{
			"pool": {"", differs("{own pool}", "{other pool}"), outcome{value: "{faucet}", status: absent, text: "Pool not found"}, outcome{}},
		}),
		of(prefix+"nominator", unsorted(positions, "nominator={nobody}"), map[string]row{
			"nominator": {"", differs("{faucet}", "{saver}"), outcome{}, outcome{}},
		}),
		of(prefix+"nominatorEvents", times(events, "pool={nobody}"), map[string]row{
			"pool": finds("", selects(to("pool_address"), "{own pool}", "{other pool}")), "nominator": finds(events, only("nominator_address")),
		}),
		of(prefix+"nominatorRewards", times(rewards, "pool={nobody}&nominator={faucet}"), map[string]row{
			"nominator": {rewards, differs("{faucet}", "{saver}"), outcome{}, outcome{}},
			"pool":      {rewards, differs("{own pool}", "{other pool}"), outcome{}, outcome{}},
		}),
		of(prefix+"validatorEvents", times(validators, "pool={nobody}"), map[string]row{
			"validator": finds("", selects(to("validator_address"), "{validator}")), "pool": finds(validators, only("pool_address")),
			"type": {validators, only("type"), outcome{query: "pool={nobody}&type=reward"},
				outcome{value: "lost", status: unprocessable, text: "type should be one of: reward, penalty, deposit, withdrawal"}},
		}),
		of(prefix+"validatorRewards", times(earned, "pool={nobody}&validator={validator}"), map[string]row{
			"validator": {earned, differs("{validator}", "{nobody}"), outcome{}, outcome{}},
			"pool":      {earned, differs("{own pool}", "{other pool}"), outcome{}, outcome{}},
		}),
	)
}

// What the pools of a local chain did is what every list says of it.
func (s *fixture) requireStaking(t *testing.T) {
	t.Helper()
	get := func(path string) map[string]any { return s.get(s.fill("/staking/nominatorPools/"+path, plainly)) }
	kinds := func(list []map[string]any) (names []string) {
		for _, e := range list {
			name, _ := e["type"].(string)
			names = append(names, name)
		}
		return names
	}
	pool := get("pool?pool={own pool}")
	require.Equal(t, s.names["validator"], pool["validator_address"])
	require.EqualValues(t, 1, pool["nominators_count"])
	nominators := rows(pool, "active_nominators")
	require.Len(t, nominators, 1)
	require.Equal(t, s.names["faucet"], nominators[0]["address"])
	positions := rows(get("nominator?nominator={faucet}"), "nominator_pools")
	require.Len(t, positions, 2)
	require.Contains(t, []any{positions[0]["balance"], positions[1]["balance"]}, nominators[0]["balance"])
	require.Len(t, rows(get("nominator?nominator={saver}"), "nominator_pools"), 1)

	require.Len(t, rows(s.get(s.fill("/actions?account={own pool}&action_type=stake_deposit", plainly)), "actions"), 4)

	events := rows(get("nominatorEvents?pool={own pool}"), "events")
	require.ElementsMatch(t, []string{
		"deposit", "deposit", "withdrawal_request", "deposit", "reward", "reward", "pending_deposit_activation", "withdrawal", "deposit",
		"reward", "pending_deposit_activation",
	}, kinds(events))
	balance := map[any]any{}
	for _, e := range slices.Backward(events) { // each event begins with what the one before left
		if before, ok := balance[e["nominator_address"]]; ok {
			require.Equal(t, before, e["balance_before"])
		}
		balance[e["nominator_address"]] = e["balance_after"]
	}
	require.Equal(t, nominators[0]["balance"], balance[s.names["faucet"]])
	require.Equal(t, "0", balance[s.names["saver"]])

	rewards := get("nominatorRewards?pool={own pool}&nominator={faucet}")
	require.Len(t, rows(rewards, "rewards"), 2)
	require.Equal(t, []string{"withdrawal", "reward", "withdrawal", "reward", "deposit"}, kinds(rows(get("validatorEvents?pool={own pool}"), "events")))
	earned := rows(get("validatorRewards?pool={own pool}&validator={validator}"), "rewards")
	require.Len(t, earned, 2)
	require.EqualValues(t, 1_800_000_001, earned[0]["cycle_start"])
	require.Equal(t, "5", earned[0]["query_id"])
	require.Len(t, rows(get("validatorEvents?validator={validator}&type=deposit"), "events"), 2)
	s.requireStakingInGraphQL(t, pool, positions, events)
}

// poolEventPage is a page of events in GraphQL.
type poolEventPage struct {
	Nodes []struct {
		Lt, Amount, BalanceDelta string
		Before, After            struct{ Balance string }
		Transaction              struct{ Hash string }
	}
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       string
	}
}

// requireStakingInGraphQL compares GraphQL with REST, and pages of events forwards and backwards with the list.
func (s *fixture) requireStakingInGraphQL(t *testing.T, pool map[string]any, positions, events []map[string]any) {
	t.Helper()
	svc := resolvers.New(s.db.Reader(), s.node, resolvers.Options{Network: "devnet", HeadTTL: time.Nanosecond})
	t.Cleanup(svc.Close)
	query := queryService(svc)
	var got struct {
		Account struct {
			NominatorPool struct {
				State           int
				ValidatorAmount string
				Validator       struct{ Address string }
				Nominators      []struct{ Balance string }
			}
		}
		Other struct {
			NominatorPool      *struct{ State int }
			NominatorPositions struct {
				Nodes []struct {
					Balance string
					Pool    struct{ Address string }
				}
			}
		}
		PoolValidatorEvents struct {
			Nodes []struct {
				Type, Amount string
				QueryID      string
				CycleStart   *int
			}
		}
	}
	query(t, s.fill(`{ account(address: "{own pool}") { nominatorPool { state validatorAmount validator { address } nominators { balance } } }
		other: account(address: "{faucet}") { nominatorPool { state } nominatorPositions { nodes { balance pool { address } } } }
		poolValidatorEvents(where: {validator: "{validator}", type: REWARD}) { nodes { type amount queryId cycleStart } } }`, plainly), &got)
	p := got.Account.NominatorPool
	require.EqualValues(t, pool["state"], p.State)
	require.Equal(t, pool["validator_amount"], p.ValidatorAmount)
	require.Equal(t, s.names["validator"], p.Validator.Address)
	require.Len(t, p.Nominators, 1)
	require.Nil(t, got.Other.NominatorPool)
	for i, node := range got.Other.NominatorPositions.Nodes {
		require.Equal(t, []any{positions[i]["pool_address"], positions[i]["balance"]}, []any{node.Pool.Address, node.Balance})
	}
	require.Len(t, got.Other.NominatorPositions.Nodes, len(positions))
	require.Len(t, got.PoolValidatorEvents.Nodes, 4)

	page := func(arguments string) poolEventPage {
		t.Helper()
		var got struct{ PoolEvents poolEventPage }
		query(t, s.fill(`{ poolEvents(where: {pool: "{own pool}"}, `, plainly)+arguments+`) { nodes { lt amount balanceDelta before { balance } after { balance }
			transaction { hash } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, &got)
		return got.PoolEvents
	}
	all := page("first: 100")
	require.Len(t, all.Nodes, len(events))
	for i, e := range all.Nodes {
		require.Equal(t, []any{events[i]["tx_lt"], events[i]["amount"], events[i]["balance_delta"], events[i]["balance_before"], events[i]["balance_after"]},
			[]any{e.Lt, e.Amount, e.BalanceDelta, e.Before.Balance, e.After.Balance})
		require.NotEmpty(t, e.Transaction.Hash)
	}
	forward := page("first: 3")
	nodes := forward.Nodes
	for forward.PageInfo.HasNextPage {
		forward = page(`first: 3, after: "` + forward.PageInfo.EndCursor + `"`)
		nodes = append(nodes, forward.Nodes...)
	}
	require.Equal(t, all.Nodes, nodes)
	backward := page("last: 3")
	nodes = backward.Nodes
	for backward.PageInfo.HasPreviousPage {
		backward = page(`last: 3, before: "` + backward.PageInfo.StartCursor + `"`)
		nodes = append(slices.Clone(backward.Nodes), nodes...)
	}
	require.Equal(t, all.Nodes, nodes)
}
