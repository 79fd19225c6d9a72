package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/internal/node"
)

func TestSurveyServers_HeadDepthAndClockOfEachServer(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 6)
	config := *d.config
	gone := config.Liteservers[0]
	gone.Port = 1
	config.Liteservers = append([]liteclient.LiteserverConfig{gone}, config.Liteservers...)
	list, err := node.SurveyServers(t.Context(), node.Options{Config: &config, Proofs: node.Fast, Timeout: 10 * time.Second})
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.ErrorContains(t, list[0].Err, "cannot be reached")
	s := list[1]
	require.NoError(t, s.Err)
	require.Equal(t, d.server, s.Name)
	require.Equal(t, d.chain.Head().ID.SeqNo, s.HeadSeqno)
	require.Equal(t, uint32(1), s.OldestSeqno)
	require.False(t, s.HeadTime.IsZero())
	require.WithinDuration(t, s.HeadTime, s.Clock, time.Minute, "the chain has its own clock")
	require.Positive(t, s.Version)
}
