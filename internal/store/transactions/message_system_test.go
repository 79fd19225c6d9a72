package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Messages that no transaction sent are ordered and filtered by their creation LT, although their key has the LT of the
// transaction that received them. Other messages lie between the two LTs.
func TestMessages_SystemMessageIsFilteredAndOrderedByCreationLT(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(7)
	elector := chain.Address{Workchain: -1, ID: testdb.Hash()}
	first := mb.Block.StartLT
	at := func(lt uint64, source, destination chain.Address) chain.Message {
		m := testdb.NewMessage(mb, source, destination)
		m.Key.LT, m.CreatedLT, m.Opcode = lt, new(lt), new(uint32(9))
		return m
	}
	system := func(created, received uint64) chain.Message {
		m := at(created, chain.SystemAddress, elector)
		m.Key = chain.MessageKey{Account: elector, LT: received}
		m.ReceivedBy = &chain.TransactionRef{LT: received, Hash: testdb.Hash()}
		return m
	}
	mb.Messages = []chain.Message{
		system(first, first+3), // the same creation LT twice: recovered fees and minted coins
		system(first, first+6),
		at(first+1, testdb.Address(), elector),
		at(first+5, testdb.Address(), elector),
	}
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	opcode := uint32(9)
	for name, f := range map[string]chain.MessageFilter{
		"all": {}, "by destination": {Destination: &elector}, "by opcode": {Opcode: &opcode},
		"by body": {BodyHash: &mb.Messages[0].BodyHash}, "by hash": {Hashes: messageHashes(mb.Messages)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := db.Reader()
			if f.BodyHash != nil {
				f.BodyHash = &mb.Messages[1].BodyHash
				rows, err := r.Messages(t.Context(), f, chain.Page{})
				require.NoError(t, err)
				require.Equal(t, mb.Messages[1:2], rows)
				return
			}
			all, err := r.Messages(t.Context(), f, chain.Page{Sort: chain.Ascending})
			require.NoError(t, err)
			require.Len(t, all, 4)
			for i, m := range all {
				require.GreaterOrEqual(t, *m.CreatedLT, *all[max(i-1, 0)].CreatedLT)
			}
			f.StartLT, f.EndLT = &first, &first
			rows, err := r.Messages(t.Context(), f, chain.Page{})
			require.NoError(t, err)
			require.ElementsMatch(t, mb.Messages[:2], rows)
			f.StartLT, f.EndLT = nil, nil
			storetest.RequirePages(t, all, 1, chain.Ascending, (*chain.Message).Cursor, func(p chain.Page) ([]chain.Message, error) {
				return r.Messages(t.Context(), f, p)
			})
			received, err := r.MessagesOfAccounts(t.Context(), []chain.Address{elector}, chain.In, chain.Page{Sort: chain.Ascending})
			require.NoError(t, err)
			require.Equal(t, all, received[elector])
		})
	}
}

func messageHashes(messages []chain.Message) []chain.Hash {
	hashes := make([]chain.Hash, len(messages))
	for i := range messages {
		hashes[i] = messages[i].Hash
	}
	return hashes
}
