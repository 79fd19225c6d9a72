package elector_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/elector"
	"tonql/internal/contract/elector/electortest"
)

// method runs get-methods of the published code over data.
type method struct {
	t      *testing.T
	runner *contract.Runner
	state  contract.State
}

func methods(t *testing.T, data *cell.Cell) *method {
	t.Helper()
	e := mainnet.OpenElector(t)
	budget := contract.DefaultBudget()
	budget.Gas, budget.Values = 100_000_000, 100_000
	r := contracttest.Runner(t, e.Config, contract.Env{}, contract.Options{Budget: budget})
	return &method{t, r, contract.State{Address: holder(chain.Hash{0x33}), Code: e.Code, Data: data, Balance: 1e9}}
}

func (m *method) call(name string, args ...any) []any {
	m.t.Helper()
	res, err := m.runner.Run(m.t.Context(), &m.state, name, args...)
	require.NoError(m.t, err)
	return res.Stack
}

// list reads a list of pairs.
func (m *method) list(v any) (all []any) {
	m.t.Helper()
	for v != nil {
		pair := m.tuple(v)
		require.Len(m.t, pair, 2)
		all, v = append(all, pair[0]), pair[1]
	}
	return all
}

func (m *method) tuple(v any) []any {
	m.t.Helper()
	items, ok := v.([]any)
	require.True(m.t, ok, "%T", v)
	return items
}

func (m *method) integer(v any) *big.Int {
	m.t.Helper()
	n, ok := v.(*big.Int)
	require.True(m.t, ok, "%T", v)
	return n
}

func (m *method) uint(v any) uint32 { return uint32(m.integer(v).Uint64()) }

func (m *method) hash(v any) (h chain.Hash) {
	m.t.Helper()
	m.integer(v).FillBytes(h[:])
	return h
}

// election is participant_list_extended.
func (m *method) election() *chain.ValidatorElection {
	m.t.Helper()
	s := m.call("participant_list_extended")
	require.Len(m.t, s, 7)
	if m.uint(s[0]) == 0 {
		return nil
	}
	e := &chain.ValidatorElection{
		ID: m.uint(s[0]), Close: m.uint(s[1]), MinStake: m.integer(s[2]), TotalStake: m.integer(s[3]), Failed: m.integer(s[5]).Sign() != 0,
		Finished: m.integer(s[6]).Sign() != 0,
	}
	for _, entry := range m.list(s[4]) {
		pair := m.tuple(entry)
		d := m.tuple(pair[1])
		e.Participants = append(e.Participants, chain.ElectionParticipant{
			Key: m.hash(pair[0]), Stake: m.integer(d[0]), MaxFactor: m.uint(d[1]), StakeHolder: holder(m.hash(d[2])), ADNL: m.hash(d[3]),
		})
	}
	return e
}

// past is past_elections with list_complaints.
func (m *method) past() (all []elector.PastElection) {
	m.t.Helper()
	for _, entry := range m.list(m.call("past_elections")[0]) {
		d := m.tuple(entry)
		p := elector.PastElection{
			ID: m.uint(d[0]), UnfreezeAt: m.uint(d[1]), FrozenFor: m.uint(d[2]), SetHash: m.hash(d[3]), TotalStake: m.integer(d[5]), Frozen: map[chain.Hash]elector.Frozen{},
		}
		frozen, ok := d[4].(*cell.Cell)
		require.True(m.t, ok)
		items, err := frozen.AsDict(256).LoadAll()
		require.NoError(m.t, err)
		for _, item := range items {
			key := chain.HashFrom(item.Key.MustLoadSlice(256))
			f := elector.Frozen{StakeHolder: holder(chain.HashFrom(item.Value.MustLoadSlice(256)))}
			item.Value.MustLoadUInt(64)
			f.Stake = item.Value.MustLoadBigCoins()
			p.Frozen[key] = f
		}
		p.Complaints = m.complaints(p.ID)
		all = append(all, p)
	}
	return all
}

func (m *method) complaints(id uint32) (all []elector.Complaint) {
	m.t.Helper()
	for _, entry := range m.list(m.call("list_complaints", new(big.Int).SetUint64(uint64(id)))[0]) {
		pair := m.tuple(entry)
		status := m.tuple(pair[1])
		d := m.tuple(status[0])
		description, ok := d[1].(*cell.Cell)
		require.True(m.t, ok)
		c := elector.Complaint{
			Hash: m.hash(pair[0]), Key: m.hash(d[0]), Description: description, CreatedAt: m.uint(d[2]), Severity: uint8(m.uint(d[3])),
			RewardAddress: holder(m.hash(d[4])), Paid: m.integer(d[5]), SuggestedFine: m.integer(d[6]), SuggestedFinePart: m.uint(d[7]),
			SetHash: m.hash(status[2]), WeightRemaining: m.integer(status[3]).Int64(),
		}
		for _, v := range m.list(status[1]) {
			c.Voters = append(c.Voters, uint16(m.uint(v)))
		}
		all = append(all, c)
	}
	return all
}

func holder(id chain.Hash) chain.Address {
	return chain.Address{Workchain: chain.MasterchainID, ID: id}
}

// requireMethods compares what is read of data with what the get-methods of the published code return of them.
func requireMethods(t *testing.T, data *cell.Cell) *elector.State {
	t.Helper()
	s, err := elector.Parse(data)
	require.NoError(t, err)
	m := methods(t, data)
	require.Equal(t, m.election(), s.Election)
	past := m.past()
	require.Len(t, s.Past, len(past))
	for i := range past {
		for j := range past[i].Complaints { // cells are compared by their hashes
			require.Equal(t, past[i].Complaints[j].Description.HashKey(), s.Past[i].Complaints[j].Description.HashKey())
			past[i].Complaints[j].Description = s.Past[i].Complaints[j].Description
		}
		require.Equal(t, past[i], s.Past[i])
	}
	return s
}

func TestParse_AgreesWithTheMethodsOfThePublishedCode(t *testing.T) {
	t.Parallel()
	e := mainnet.OpenElector(t)
	voting := requireMethods(t, e.Voting)
	require.Len(t, voting.Election.Participants, 316)
	require.Len(t, requireMethods(t, e.Later).Past[0].Frozen, 400)
	current, err := e.Config.AsDict(32).LoadValueByIntKey(big.NewInt(34))
	require.NoError(t, err)
	set, err := current.LoadRefCell()
	require.NoError(t, err)
	require.Equal(t, uint32(1700613896), voting.Of(chain.Hash(set.HashKey())).ID)
	require.Nil(t, voting.Of(chain.Hash{1}))

	many := []uint16{}
	for i := range uint16(300) {
		many = append(many, 3*i)
	}
	staked := []chain.ElectionParticipant{{Key: chain.Hash{1}, Stake: big.NewInt(1e15), StakeHolder: holder(chain.Hash{2})}}
	d := electortest.Data{Credits: map[chain.Hash]int64{{7}: 3}, Past: []electortest.PastElection{
		{ID: 1_700_000_000, UnfreezeAt: 1_700_099_999, SetHash: chain.Hash{3}, Frozen: staked, Complaints: []electortest.Complaint{
			{Key: chain.Hash{1}, CreatedAt: 1_700_065_537, SetHash: chain.Hash{5}, WeightRemaining: -9, Voters: many},
			{Key: chain.Hash{1}, CreatedAt: 1_700_065_538},
			{Key: chain.Hash{9}, CreatedAt: 1_700_065_539, SetHash: chain.Hash{5}, WeightRemaining: 1 << 60, Voters: []uint16{0, 65535}},
		}},
		{ID: 1_700_065_536, SetHash: chain.Hash{4}, Frozen: staked},
	}}
	require.Len(t, requireMethods(t, d.Cell()).Past[0].Complaints, 3)
	d.Election = &chain.ValidatorElection{ID: 1_700_131_072, Close: 1, MinStake: big.NewInt(2), TotalStake: new(big.Int), Failed: true}
	require.True(t, requireMethods(t, d.Cell()).Election.Failed)
}

// The elector of a private network may have any data, such as 2^256 participants in 257 cells.
func TestParse_OtherDataAreRefused(t *testing.T) {
	t.Parallel()
	none := func() *cell.Builder {
		return cell.BeginCell().MustStoreUInt(0, 3+4+32).MustStoreSlice(make([]byte, 32), 256)
	}
	s, err := elector.Parse(none().EndCell())
	require.NoError(t, err)
	require.Equal(t, &elector.State{}, s)
	endless := cellgraphtest.Dict(256, cell.BeginCell().MustStoreUInt(0, 4+32+32).MustStoreSlice(make([]byte, 64), 512))
	elect := cell.BeginCell().MustStoreUInt(1, 64).MustStoreUInt(0, 8).MustStoreMaybeRef(endless).MustStoreUInt(0, 2).EndCell()
	frozen := cellgraphtest.Dict(32, cell.BeginCell().MustStoreUInt(1, 64).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 1+8+1))
	past := func(complaints *cell.Cell) *cell.Cell {
		one := cell.NewDict(32)
		value := cell.BeginCell().MustStoreUInt(1, 64).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 1+8).MustStoreMaybeRef(complaints).EndCell()
		require.NoError(t, one.SetIntKey(big.NewInt(1), value))
		return one.AsCell()
	}
	data := func(elect, past *cell.Cell) *cell.Cell {
		return cell.BeginCell().MustStoreMaybeRef(elect).MustStoreBoolBit(false).MustStoreMaybeRef(past).MustStoreUInt(0, 4+32).
			MustStoreSlice(make([]byte, 32), 256).EndCell()
	}
	empty := cell.BeginCell().EndCell()
	for name, d := range map[string]*cell.Cell{
		"nothing": nil, "no bits": empty, "more": none().MustStoreBoolBit(true).EndCell(), "elector of a local chain": cell.BeginCell().MustStoreUInt(0, 65).EndCell(),
		"another election": data(empty, nil), "endless participants": data(elect, nil), "endless elections": data(nil, frozen),
		"no dictionary": data(nil, empty), "endless complaints": data(nil, past(endless)), "other complaints": data(nil, past(past(nil))),
	} {
		_, err := elector.Parse(d)
		require.Equal(t, chain.Invalid, chain.KindOf(err), name)
	}
}

// stakeBody is the body of a stake, shorter by cut bits.
func stakeBody(query uint64, key, adnl chain.Hash, cut uint) chain.BOC {
	b := cell.BeginCell().MustStoreUInt(elector.OpNewStake, 32).MustStoreUInt(query, 64).MustStoreSlice(key[:], 256).MustStoreUInt(1_700_000_000, 32).
		MustStoreUInt(1<<16, 32).MustStoreSlice(adnl[:], 256-cut)
	return b.EndCell().ToBOC()
}

func TestEvent_IsReadOfMessagesThatAreComplete(t *testing.T) {
	t.Parallel()
	e, who, key, adnl := holder(chain.Hash{0x33}), holder(chain.Hash{1}), chain.Hash{2}, chain.Hash{3}
	send := func(from, to chain.Address, value chain.Coins, body chain.BOC) *chain.Message {
		return &chain.Message{Source: &from, Destination: &to, Value: &value, Body: body}
	}
	head := func(op, query uint64, more ...uint64) chain.BOC {
		b := cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(query, 64)
		for _, n := range more {
			b.MustStoreUInt(n, 32)
		}
		return b.EndCell().ToBOC()
	}
	reply := func(op, query uint64, more ...uint64) []chain.Message {
		return []chain.Message{*send(e, who, 77, head(1, query)), *send(e, who, 78, head(op, query+1)), *send(e, who, 79, head(op, query, more...))}
	}
	at := uint32(1_700_000_000)
	stake := func(kind chain.StakeEventType, query uint64, amount chain.Coins, reason *int32) *chain.StakeEvent {
		return &chain.StakeEvent{Type: kind, StakeHolder: who, Key: &key, ADNL: &adnl, ElectionID: &at, QueryID: query, Amount: amount, Reason: reason}
	}
	const fee = 1_000_000_000
	for name, tc := range map[string]struct {
		m    *chain.Message
		out  []chain.Message
		want *chain.StakeEvent
	}{
		"accepted":                {send(who, e, fee+5, stakeBody(9, key, adnl, 0)), reply(elector.OpStakeOK, 9), stake(chain.StakeAccepted, 9, 5, nil)},
		"accepted without reply":  {send(who, e, fee+5, stakeBody(0, key, adnl, 0)), nil, stake(chain.StakeAccepted, 0, 5, nil)},
		"less than the fee":       {send(who, e, 5, stakeBody(0, key, adnl, 0)), nil, stake(chain.StakeAccepted, 0, 0, nil)},
		"rejected":                {send(who, e, fee+5, stakeBody(9, key, adnl, 0)), reply(elector.OpStakeError, 9, 3), stake(chain.StakeRejected, 9, 79, new(int32(3)))},
		"rejected without reason": {send(who, e, fee+5, stakeBody(9, key, adnl, 0)), reply(elector.OpStakeError, 9), stake(chain.StakeRejected, 9, 79, nil)},
		"no reply":                {send(who, e, fee+5, stakeBody(9, key, adnl, 0)), nil, nil},
		"reply to another query":  {send(who, e, fee+5, stakeBody(9, key, adnl, 0)), reply(elector.OpStakeOK, 10), nil},
		"short":                   {send(who, e, fee+5, stakeBody(0, key, adnl, 1)), nil, nil},
		"of the elector":          {send(e, who, fee+5, stakeBody(0, key, adnl, 0)), nil, nil},
		"request":                 {send(who, e, 6, head(elector.OpRecoverStake, 4)), nil, &chain.StakeEvent{Type: chain.StakeRecoverRequested, StakeHolder: who, QueryID: 4, Amount: 6}},
		"recovered":               {send(e, who, 7, head(elector.OpRecovered, 4)), nil, &chain.StakeEvent{Type: chain.StakeRecovered, StakeHolder: who, QueryID: 4, Amount: 7}},
		"recovered elsewhere":     {send(who, e, 7, head(elector.OpRecovered, 4)), nil, nil},
		"failed":                  {send(e, who, 8, head(elector.OpRecoverError, 4)), nil, &chain.StakeEvent{Type: chain.StakeRecoverFailed, StakeHolder: who, QueryID: 4, Amount: 8}},
		"another opcode":          {send(who, e, 8, head(5, 4)), nil, nil},
		"no query id":             {send(who, e, 8, cell.BeginCell().MustStoreUInt(elector.OpRecoverStake, 32).MustStoreUInt(4, 63).EndCell().ToBOC()), nil, nil},
		"no body":                 {send(who, e, 8, nil), nil, nil},
		"from outside":            {&chain.Message{Destination: &e, Body: head(elector.OpRecoverStake, 4)}, nil, nil},
	} {
		require.Equal(t, tc.want, elector.Event(tc.m, e, tc.out), name)
	}
	bounced := send(e, who, 8, head(elector.OpRecoverError, 4))
	bounced.Bounced = new(true)
	require.Nil(t, elector.Event(bounced, e, nil))
}
