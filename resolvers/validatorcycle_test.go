package resolvers_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract/elector/electortest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// elections is a service on an index of a chain with elections.
func elections(t *testing.T, h electortest.History, limits resolvers.Limits) *resolvers.Service {
	t.Helper()
	db := testdb.New(t)
	h.Write(t, db)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Limits: limits})
	t.Cleanup(svc.Close)
	return svc
}

// wantCycle is the cycle of a set, as the index of a complete history has it.
func wantCycle(set int) chain.ValidatorCycle {
	id := electortest.ID(set)
	c := chain.ValidatorCycle{
		Start: electortest.Start(set), End: electortest.Start(set + 1), SetHash: electortest.SetHash(set), Total: 3, Main: 2, TotalWeight: 27,
		ElectionID: &id, TotalStake: big.NewInt(2700), MinStake: big.NewInt(800), MaxStake: big.NewInt(1000),
		Params: chain.ElectionParams{
			ValidatorsElectedFor: 20, ElectionsStartBefore: 15, ElectionsEndBefore: 5, StakeHeldFor: 8, MaxValidators: 400, MaxMainValidators: 100,
			MinValidators: 2, MinStake: big.NewInt(300), MaxStake: big.NewInt(10_000), MinTotalStake: big.NewInt(900), MaxStakeFactor: 3 << 16,
		},
	}
	for i := range electortest.Members {
		c.Validators = append(c.Validators, chain.CycleValidator{
			Index: uint32(i), Key: electortest.Key(set, i), ADNL: electortest.ADNL(set, i), Weight: electortest.Weight(i),
			StakeHolder: new(electortest.Account(i)), Stake: electortest.Stake(i), MaxFactor: new(1<<16 + uint32(i)),
		})
	}
	if set < electortest.Cycles-1 { // no later set complains about the last one
		c.Validators[0].Complaints = []chain.ValidatorComplaint{wantComplaint(set)}
	}
	return c
}

func wantComplaint(set int) chain.ValidatorComplaint {
	key, adnl := electortest.Key(set, 0), electortest.ADNL(set, 0)
	c := chain.ValidatorComplaint{
		CycleStart: electortest.Start(set), ElectionID: electortest.ID(set), Key: key, ADNL: &adnl, StakeHolder: new(electortest.Account(0)),
		Description: electortest.Description.ToBOC(), CreatedAt: electortest.Complained(set), Severity: 9, RewardAddress: electortest.Holder(chain.Hash{}),
		Paid: big.NewInt(11), SuggestedFine: big.NewInt(12), SuggestedFinePart: 13, SetHash: electortest.SetHash(set + 1), WeightRemaining: -1,
		ApprovedPercent: 70.37, Passed: true,
	}
	for i := range uint32(2) {
		key, adnl := electortest.Key(set+1, int(i)), electortest.ADNL(set+1, int(i))
		c.Votes = append(c.Votes, chain.ComplaintVote{Index: i, Key: &key, ADNL: &adnl, Weight: new(electortest.Weight(int(i)))})
	}
	return c
}

func starts(rows []chain.ValidatorCycle) []uint32 {
	list := []uint32{}
	for i := range rows {
		list = append(list, rows[i].Start)
	}
	return list
}

func TestValidatorCycles_FollowFromKeyBlocksAndTheElector(t *testing.T) {
	t.Parallel()
	svc := elections(t, electortest.History{}, resolvers.Limits{})
	rows, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 10, true)
	require.NoError(t, err)
	require.Len(t, rows, electortest.Cycles)
	for i := range rows {
		for j := range rows[i].Validators {
			for k := range rows[i].Validators[j].Complaints {
				c := &rows[i].Validators[j].Complaints[k]
				require.NotEqual(t, chain.Hash{}, c.Hash)
				c.Hash = chain.Hash{}
			}
		}
		require.Equal(t, wantCycle(electortest.Cycles-1-i), rows[i])
	}
	all := []uint32{electortest.Start(3), electortest.Start(2), electortest.Start(1), electortest.Start(0)}
	key, adnl, none := electortest.Key(1, 2), electortest.ADNL(2, 1), testdb.Hash()
	for name, tc := range map[string]struct {
		f     chain.ValidatorCycleFilter
		limit int
		want  []uint32
	}{
		"all":                 {limit: 10, want: all},
		"newest":              {limit: 2, want: all[:2]},
		"no rows":             {limit: 0, want: []uint32{}},
		"start":               {chain.ValidatorCycleFilter{Start: &all[1]}, 10, all[1:2]},
		"no start":            {chain.ValidatorCycleFilter{Start: new(all[1] + 1)}, 10, []uint32{}},
		"election":            {chain.ValidatorCycleFilter{ElectionID: new(electortest.ID(0))}, 10, all[3:]},
		"no election":         {chain.ValidatorCycleFilter{ElectionID: &all[0]}, 10, []uint32{}},
		"election elsewhere":  {chain.ValidatorCycleFilter{ElectionID: new(electortest.ID(0)), Start: &all[1]}, 10, []uint32{}},
		"until":               {chain.ValidatorCycleFilter{EndUtime: &all[1]}, 10, all[1:]},
		"until before":        {chain.ValidatorCycleFilter{EndUtime: new(all[1] - 1)}, 10, all[2:]},
		"before all":          {chain.ValidatorCycleFilter{EndUtime: new(all[3] - 1)}, 10, []uint32{}},
		"in the future":       {chain.ValidatorCycleFilter{EndUtime: new(all[0] + 1000)}, 10, all},
		"from":                {chain.ValidatorCycleFilter{StartUtime: &all[1]}, 10, all[:2]},
		"between":             {chain.ValidatorCycleFilter{StartUtime: &all[2], EndUtime: &all[1]}, 10, all[1:3]},
		"public key":          {chain.ValidatorCycleFilter{PublicKey: &key}, 10, all[2:3]},
		"ADNL id":             {chain.ValidatorCycleFilter{ADNL: &adnl}, 10, all[1:2]},
		"both elsewhere":      {chain.ValidatorCycleFilter{ADNL: &adnl, PublicKey: &key}, 10, []uint32{}},
		"no key":              {chain.ValidatorCycleFilter{PublicKey: &none}, 10, []uint32{}},
		"stake holder":        {chain.ValidatorCycleFilter{StakeHolder: new(electortest.Account(2))}, 3, all[:3]},
		"who was not elected": {chain.ValidatorCycleFilter{StakeHolder: new(electortest.Account(3))}, 10, []uint32{}},
	} {
		rows, err := svc.ValidatorCycles(t.Context(), tc.f, tc.limit, false)
		require.NoError(t, err, name)
		require.Equal(t, tc.want, starts(rows), name)
		for i := range rows {
			require.Empty(t, rows[i].Validators)
		}
	}
}

// An index that begins later, or has a gap, has what key blocks and states that it holds say, whatever was indexed first.
func TestValidatorCycles_PartsOfTheHistoryHaveWhatTheyHold(t *testing.T) {
	t.Parallel()
	first := electortest.Seqno(electortest.Start(2)) - electortest.Elected
	svc := elections(t, electortest.History{Leave: func(seqno uint32) bool { return seqno <= first }}, resolvers.Limits{})
	rows, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 10, true)
	require.NoError(t, err)
	require.Equal(t, []uint32{electortest.Start(3), electortest.Start(2), electortest.Start(1)}, starts(rows))
	require.Equal(t, electortest.ID(2), *rows[1].ElectionID)
	require.Nil(t, rows[1].Validators[0].MaxFactor, "the elector has the participants until it sees the set")
	require.Equal(t, electortest.ID(1), *rows[2].ElectionID, "the elector returns stakes a while after the next set became current")

	gap := elections(t, electortest.History{Leave: func(seqno uint32) bool { return seqno > first-3 && seqno < first+electortest.Elected }}, resolvers.Limits{})
	rows, err = gap.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 10, true)
	require.NoError(t, err)
	require.Len(t, rows, electortest.Cycles)
	require.Equal(t, electortest.ID(2), *rows[1].ElectionID)
}

// A network may have no elector, another contract at its address, or endless data there.
func TestValidatorCycles_OtherElectorsHaveNoElections(t *testing.T) {
	t.Parallel()
	endless := cellgraphtest.Dict(32, cell.BeginCell().MustStoreUInt(0, 64))
	for name, data := range map[string]*cell.Cell{
		"other":   cell.BeginCell().MustStoreUInt(1, 65).EndCell(),
		"endless": cell.BeginCell().MustStoreUInt(0, 2).MustStoreMaybeRef(endless).MustStoreUInt(0, 4+32).MustStoreSlice(make([]byte, 32), 256).EndCell(),
	} {
		svc := elections(t, electortest.History{Edit: func(uint32, *cell.Cell) *cell.Cell { return data }}, resolvers.Limits{})
		rows, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 10, true)
		require.NoError(t, err, name)
		require.Len(t, rows, electortest.Cycles, name)
		require.Nil(t, rows[0].ElectionID, name)
		require.Nil(t, rows[0].Validators[0].Stake, name)
		require.Equal(t, uint64(27), rows[0].TotalWeight, name)
		found, err := svc.ValidatorElections(t.Context(), chain.ValidatorElectionFilter{}, 10, true)
		require.NoError(t, err, name)
		require.Empty(t, found, name)
		complaints, err := svc.ValidatorComplaints(t.Context(), chain.ValidatorComplaintFilter{}, 10)
		require.NoError(t, err, name)
		require.Empty(t, complaints, name)
	}
	empty := resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{})
	t.Cleanup(empty.Close)
	rows, err := empty.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{EndUtime: new(uint32(7))}, 10, true)
	require.NoError(t, err)
	require.Empty(t, rows)
	found, err := empty.ValidatorElections(t.Context(), chain.ValidatorElectionFilter{}, 10, true)
	require.NoError(t, err)
	require.Empty(t, found)
	events, err := empty.StakeEvents(t.Context(), chain.StakeEventFilter{}, 10)
	require.NoError(t, err)
	require.Empty(t, events)
}

// A list reads so many bytes; more are refused with what would help.
func TestValidatorCycles_AListIsBounded(t *testing.T) {
	t.Parallel()
	svc := elections(t, electortest.History{}, resolvers.Limits{Elections: 6000, Rows: 100})
	_, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 100, true)
	require.EqualError(t, err, "the validators of this time have more than 6000 bytes: give a shorter time (start_utime, end_utime) or a smaller limit")
	_, err = svc.ValidatorComplaints(t.Context(), chain.ValidatorComplaintFilter{}, 100)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 101, true)
	require.EqualError(t, err, "limit is not allowed: 101 > 100")
}

func TestValidatorElections_AreThoseOfKeyBlocksAndTheCurrentOne(t *testing.T) {
	t.Parallel()
	svc := elections(t, electortest.History{}, resolvers.Limits{})
	rows, err := svc.ValidatorElections(t.Context(), chain.ValidatorElectionFilter{}, 10, true)
	require.NoError(t, err)
	require.Len(t, rows, electortest.Cycles+1)
	for i := range rows {
		set := electortest.Cycles - i
		want := chain.ValidatorElection{
			ID: electortest.ID(set), Close: electortest.ID(set) - 9, MinStake: big.NewInt(300), TotalStake: big.NewInt(3400), Finished: set < electortest.Cycles,
			ParticipantCount: 4,
		}
		for j := range electortest.Members + 1 {
			p := chain.ElectionParticipant{
				Key: electortest.Key(set, j), Stake: electortest.Stake(j), MaxFactor: 1<<16 + uint32(j), StakeHolder: electortest.Account(j),
				ADNL: electortest.ADNL(set, j),
			}
			if want.Finished && j < electortest.Members {
				p.Index = new(uint32(j))
			}
			want.Participants = append(want.Participants, p)
		}
		require.Equal(t, want, rows[i])
	}
	id := electortest.ID
	key, adnl := electortest.Key(1, 3), electortest.ADNL(2, 1)
	for name, tc := range map[string]struct {
		f     chain.ValidatorElectionFilter
		limit int
		want  []uint32
	}{
		"newest":           {limit: 2, want: []uint32{id(4), id(3)}},
		"no rows":          {limit: 0, want: []uint32{}},
		"current":          {chain.ValidatorElectionFilter{Finished: new(false)}, 10, []uint32{id(4)}},
		"finished":         {chain.ValidatorElectionFilter{Finished: new(true)}, 2, []uint32{id(3), id(2)}},
		"id":               {chain.ValidatorElectionFilter{ID: new(id(1))}, 10, []uint32{id(1)}},
		"current id":       {chain.ValidatorElectionFilter{ID: new(id(4))}, 10, []uint32{id(4)}},
		"no id":            {chain.ValidatorElectionFilter{ID: new(id(1) + 1)}, 10, []uint32{}},
		"between":          {chain.ValidatorElectionFilter{StartUtime: new(id(1)), EndUtime: new(id(2))}, 10, []uint32{id(2), id(1)}},
		"key":              {chain.ValidatorElectionFilter{PublicKey: &key}, 10, []uint32{id(1)}},
		"ADNL id":          {chain.ValidatorElectionFilter{ADNL: &adnl}, 10, []uint32{id(2)}},
		"of two":           {chain.ValidatorElectionFilter{ADNL: &adnl, StakeHolder: new(electortest.Account(2))}, 10, []uint32{}},
		"account":          {chain.ValidatorElectionFilter{StakeHolder: new(electortest.Account(3))}, 2, []uint32{id(4), id(3)}},
		"rejected account": {chain.ValidatorElectionFilter{StakeHolder: new(electortest.Account(4))}, 2, []uint32{}},
	} {
		rows, err := svc.ValidatorElections(t.Context(), tc.f, tc.limit, false)
		require.NoError(t, err, name)
		got := []uint32{}
		for i := range rows {
			got = append(got, rows[i].ID)
			require.Empty(t, rows[i].Participants)
			require.Equal(t, 4, rows[i].ParticipantCount)
		}
		require.Equal(t, tc.want, got, name)
	}
}

func TestValidatorComplaints_AreThoseBeforeStakesAreReturned(t *testing.T) {
	t.Parallel()
	svc := elections(t, electortest.History{}, resolvers.Limits{})
	rows, err := svc.ValidatorComplaints(t.Context(), chain.ValidatorComplaintFilter{}, 10)
	require.NoError(t, err)
	require.Len(t, rows, electortest.Cycles-1)
	for i := range rows {
		rows[i].Hash = chain.Hash{}
		require.Equal(t, wantComplaint(electortest.Cycles-2-i), rows[i])
	}
	at := electortest.Complained
	key, adnl := electortest.Key(1, 0), electortest.ADNL(0, 0)
	for name, tc := range map[string]struct {
		f     chain.ValidatorComplaintFilter
		limit int
		want  []uint32
	}{
		"newest":   {limit: 1, want: []uint32{at(2)}},
		"no rows":  {limit: 0, want: []uint32{}},
		"cycle":    {chain.ValidatorComplaintFilter{CycleStart: new(electortest.Start(1))}, 10, []uint32{at(1)}},
		"election": {chain.ValidatorComplaintFilter{ElectionID: new(electortest.ID(0))}, 10, []uint32{at(0)}},
		"until":    {chain.ValidatorComplaintFilter{EndUtime: new(at(1))}, 10, []uint32{at(1), at(0)}},
		"before":   {chain.ValidatorComplaintFilter{EndUtime: new(at(1) - 1)}, 10, []uint32{at(0)}},
		"from":     {chain.ValidatorComplaintFilter{StartUtime: new(at(1))}, 10, []uint32{at(2), at(1)}},
		"after":    {chain.ValidatorComplaintFilter{StartUtime: new(at(1) + 1)}, 10, []uint32{at(2)}},
		"key":      {chain.ValidatorComplaintFilter{PublicKey: &key}, 10, []uint32{at(1)}},
		"ADNL id":  {chain.ValidatorComplaintFilter{ADNL: &adnl}, 10, []uint32{at(0)}},
		"account":  {chain.ValidatorComplaintFilter{StakeHolder: new(electortest.Account(0))}, 2, []uint32{at(2), at(1)}},
		"another":  {chain.ValidatorComplaintFilter{StakeHolder: new(electortest.Account(1))}, 2, []uint32{}},
	} {
		rows, err := svc.ValidatorComplaints(t.Context(), tc.f, tc.limit)
		require.NoError(t, err, name)
		got := []uint32{}
		for i := range rows {
			got = append(got, rows[i].CreatedAt)
		}
		require.Equal(t, tc.want, got, name)
	}
}

// While a complaint has no vote, it needs two thirds of the weight of the validators that may vote.
func TestValidatorComplaints_WithoutVotesNeedTwoThirds(t *testing.T) {
	t.Parallel()
	end := electortest.Seqno(electortest.Complained(1)) + 1
	svc := elections(t, electortest.History{Leave: func(seqno uint32) bool { return seqno > end }}, resolvers.Limits{})
	rows, err := svc.ValidatorComplaints(t.Context(), chain.ValidatorComplaintFilter{}, 1)
	require.NoError(t, err)
	require.Equal(t, electortest.Complained(1), rows[0].CreatedAt)
	require.Equal(t, []any{int64(18), 0.0, false, chain.Hash{}, 0}, []any{
		rows[0].WeightRemaining, rows[0].ApprovedPercent, rows[0].Passed, rows[0].SetHash, len(rows[0].Votes),
	})
}

func TestStakeEvents_FollowFromMessages(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	svc := elections(t, electortest.History{}, resolvers.Limits{})
	type kinds = []chain.StakeEventType
	list := func(f chain.StakeEventFilter, limit int) []chain.StakeEvent {
		t.Helper()
		rows, err := svc.StakeEvents(t.Context(), f, limit)
		require.NoError(t, err)
		for i := 1; i < len(rows); i++ {
			require.GreaterOrEqual(t, rows[i-1].Now, rows[i].Now)
			require.True(t, rows[i-1].Now > rows[i].Now || rows[i-1].TxLT > rows[i].TxLT)
		}
		return rows
	}
	of := func(rows []chain.StakeEvent) (k kinds) {
		for i := range rows {
			k = append(k, rows[i].Type)
		}
		return k
	}
	const round = electortest.Members + 2 + 4
	all := list(chain.StakeEventFilter{}, 1000)
	require.Len(t, all, round*(electortest.Cycles+1))
	last := all[:round]
	require.Equal(t, kinds{
		chain.StakeRecoverFailed, chain.StakeRecoverRequested, chain.StakeRecovered, chain.StakeRecoverRequested,
		chain.StakeRejected, chain.StakeAccepted, chain.StakeAccepted, chain.StakeAccepted, chain.StakeAccepted,
	}, of(last))
	id, set := electortest.ID(electortest.Cycles), electortest.Cycles
	require.Equal(t, []any{electortest.Account(4), uint64(5), chain.Coins(electortest.Fee - 9)}, []any{last[0].StakeHolder, last[0].QueryID, last[0].Amount})
	require.Nil(t, last[0].Key)
	require.Equal(t, []any{electortest.Account(3), chain.Coins(700)}, []any{last[2].StakeHolder, last[2].Amount})
	require.Equal(t, []any{int32(electortest.Reason), chain.Coins(electortest.Fee + 600 - 7)}, []any{*last[4].Reason, last[4].Amount})
	require.Equal(t, []any{electortest.Key(set, 3), electortest.ADNL(set, 3), id, electortest.Account(3), chain.Coins(700), uint64(4)},
		[]any{*last[5].Key, *last[5].ADNL, *last[5].ElectionID, last[5].StakeHolder, last[5].Amount, last[5].QueryID})

	require.Equal(t, all[:4], list(chain.StakeEventFilter{}, 4))
	require.Empty(t, list(chain.StakeEventFilter{}, 0))
	require.Equal(t, all[round:], list(chain.StakeEventFilter{EndUtime: new(last[round-1].Now - 1)}, 1000))
	require.Equal(t, last, list(chain.StakeEventFilter{StartUtime: &last[round-1].Now}, 1000))
	require.Equal(t, all[4:round+4], list(chain.StakeEventFilter{StartUtime: &all[round+3].Now, EndUtime: &last[4].Now}, 1000))
	key := electortest.Key(2, 1)
	one := list(chain.StakeEventFilter{PublicKey: &key}, 10)
	require.Equal(t, kinds{chain.StakeAccepted}, of(one))
	require.Equal(t, electortest.ID(2), *one[0].ElectionID)
	who := electortest.Account(4)
	require.Equal(t, kinds{chain.StakeRecoverFailed, chain.StakeRecoverRequested, chain.StakeRejected}, of(list(chain.StakeEventFilter{StakeHolder: &who}, 3)))
	for _, kind := range []chain.StakeEventType{chain.StakeAccepted, chain.StakeRejected, chain.StakeRecoverRequested, chain.StakeRecovered, chain.StakeRecoverFailed} {
		want := []chain.StakeEvent{}
		for i := range all {
			if all[i].Type == kind {
				want = append(want, all[i])
			}
		}
		require.Equal(t, want, list(chain.StakeEventFilter{Type: &kind}, 1000), kind.String())
	}
	few := elections(t, electortest.History{}, resolvers.Limits{Walked: 10})
	_, err := few.StakeEvents(t.Context(), chain.StakeEventFilter{}, 100)
	require.EqualError(t, err, "the elector has more than 10 messages in this time: give a shorter one (start_utime, end_utime)")
}

// The elector of the main network during an election.
func TestValidatorCycles_OfTheMainNetwork(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	e := mainnet.OpenElector(t)
	address := electortest.Elector
	for i := range address.ID {
		address.ID[i] = 0x33
	}
	mb := testdb.Master(100)
	mb.Block.KeyBlock, mb.Config = true, &chain.Config{McSeqno: 100, Root: chain.Hash(e.Config.HashKey()), BOC: e.Config.ToBOC()}
	tx := testdb.NewTransaction(mb, address)
	tx.Block = mb.Block.BlockID
	state, hash := testdb.NewStateAfter(mb, &tx, 1), chain.Hash(e.Voting.HashKey())
	state.DataHash, mb.Cells = &hash, map[chain.Hash]chain.BOC{hash: e.Voting.ToBOC()}
	mb.Transactions, mb.States = append(mb.Transactions, tx), append(mb.States, state)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})
	t.Cleanup(svc.Close)

	rows, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{}, 10, true)
	require.NoError(t, err)
	require.Len(t, rows, 2, "the current validators and the previous ones")
	c := &rows[0]
	require.Equal(t, []any{uint32(1_700_613_896), uint32(1_700_679_432), uint32(332), uint32(100), uint32(1_700_613_896), "238975025471957894"},
		[]any{c.Start, c.End, c.Total, c.Main, *c.ElectionID, c.TotalStake.String()})
	require.Equal(t, []any{uint32(65536), uint32(32768), uint32(400), "300000000000000", uint32(3 << 16)},
		[]any{c.Params.ValidatorsElectedFor, c.Params.StakeHeldFor, c.Params.MaxValidators, c.Params.MinStake.String(), c.Params.MaxStakeFactor})
	sum := new(big.Int)
	for i := range c.Validators {
		v := &c.Validators[i]
		sum.Add(sum, v.Stake)
		require.Equal(t, chain.MasterchainID, v.StakeHolder.Workchain)
		// The elector makes weights of stakes.
		weight := new(big.Int).Lsh(v.Stake, 60)
		require.Equal(t, v.Weight, weight.Div(weight, c.TotalStake).Uint64())
	}
	require.Equal(t, c.TotalStake, sum)
	require.Nil(t, rows[1].ElectionID, "its stakes were returned")

	found, err := svc.ValidatorElections(t.Context(), chain.ValidatorElectionFilter{}, 10, true)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, []any{uint32(1_700_679_432), 316, false}, []any{found[0].ID, found[0].ParticipantCount, found[0].Finished})
	total := new(big.Int)
	for i, p := range found[0].Participants {
		total.Add(total, p.Stake)
		require.True(t, i == 0 || p.Stake.Cmp(found[0].Participants[i-1].Stake) <= 0)
	}
	require.Equal(t, found[0].TotalStake, total)
}
