package graphql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestCharts_SumsPerDayNameTheTimeThatTheyCover(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 60)
	type response struct {
		NetworkDays struct {
			CompleteFrom, CompleteUntil *string
			Days                        []struct {
				Date, Transactions, Fees string
				Complete                 bool
				ActiveAccounts           *string
			}
		}
		JettonDays struct {
			CompleteUntil *string
			Days          []struct{ Holders *string }
		}
		Counterparties struct {
			CompleteFrom, CompleteUntil *string
			Accounts                    []struct{ Account struct{ Address string } }
		}
	}
	const query = `query($a: Address!) {
		networkDays { completeFrom completeUntil days { date complete transactions fees activeAccounts } }
		jettonDays(jetton: $a) { completeUntil days { holders } }
		counterparties(address: $a) { completeFrom completeUntil accounts { account { address } } } }`
	variables := map[string]any{"a": w.wallets[4].String()}
	var got response
	w.query(t, query, variables, &got)
	require.Empty(t, got.NetworkDays.Days)
	require.Nil(t, got.NetworkDays.CompleteUntil)
	require.NotNil(t, got.Counterparties.CompleteUntil)

	indexed, err := w.db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	stored, err := w.db.StoreDays(t.Context(), chain.SeqnoRange{First: 1, Last: indexed[0].Last})
	require.NoError(t, err)
	require.True(t, stored)
	got = response{}
	w.query(t, query, variables, &got)
	require.Len(t, got.NetworkDays.Days, 1)
	day := got.NetworkDays.Days[0]
	require.Equal(t, "60", day.Transactions)
	require.False(t, day.Complete, "the day has not ended")
	require.Nil(t, day.ActiveAccounts)
	require.Equal(t, "1970-01-01T00:00:00Z", *got.NetworkDays.CompleteFrom)
	require.NotNil(t, got.NetworkDays.CompleteUntil)
	require.Nil(t, got.JettonDays.CompleteUntil)
}

func TestCharts_BoundsAreRefused(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 2)
	for query, text := range map[string]string{
		`{ networkDays(from: "2020-01-01T00:00:00Z", to: "2024-01-01T00:00:00Z") { completeUntil } }`: "at most 400",
		`{ networkDays(from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z") { completeUntil } }`: "is empty",
		`query($a: Address!) { counterparties(address: $a, first: 101) { completeUntil } }`:           "0 to 100",
		`query($a: Address!) { counterparties(address: $a, first: 0) { completeUntil } }`:             "from 1 to 100",
	} {
		_, response := post(t, w.h, query, map[string]any{"a": w.wallets[0].String()})
		require.Len(t, response.Errors, 1)
		require.Contains(t, response.Errors[0].Message, text)
	}
}
