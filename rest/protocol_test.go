package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// shown is a message as the APIs return it.
type shown struct {
	Hash        string
	Opcode      *string
	Name        *string
	Bounced     bool
	ExtraFlags  *string
	Value       string
	Currencies  map[string]string
	Decoded     json.RawMessage
	Transaction string // its receiver
}

// messages returns the messages between two accounts, oldest first, as /api/v3 and GraphQL return them. Both must agree, and
// the transactions of /api/v2 must contain them.
func (n *localNetwork) messages(from, to *address.Address) []shown {
	n.t.Helper()
	source, destination := from.StringRaw(), to.StringRaw()
	var page struct {
		Messages []struct {
			Hash          string
			Opcode        *string
			DecodedOpcode *string `json:"decoded_opcode"`
			Bounced       bool
			ExtraFlags    *string           `json:"extra_flags"`
			Value         string            `json:"value"`
			Currencies    map[string]string `json:"value_extra_currencies"`
			InTx          string            `json:"in_msg_tx_hash"`
			Content       struct {
				Decoded json.RawMessage
			} `json:"message_content"`
		}
	}
	target := url.Values{"source": {source}, "destination": {destination}, "sort": {"asc"}, "limit": {"100"}}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/messages?"+target.Encode(), "", &page)
	var graph struct {
		Messages struct {
			Nodes []struct {
				Hash, Value            string
				Opcode, DecodedOpcode  *string
				ExtraFlags             *string
				Bounced                bool
				ValueExtraCurrencies   []amount
				Decoded                json.RawMessage
				DestinationTransaction struct{ Hash string }
			}
		}
	}
	query(n.t, n.api, `query($s: Address!, $d: Address!) { messages(where: {source: $s, destination: $d}, first: 100, sort: ASC) { nodes {
		hash value opcode decodedOpcode extraFlags bounced valueExtraCurrencies { id amount } decoded destinationTransaction { hash } } } }`,
		map[string]any{"s": source, "d": destination}, &graph)
	require.Len(n.t, graph.Messages.Nodes, len(page.Messages))
	list := make([]shown, len(page.Messages))
	old := n.oldMessages(destination)
	for i, m := range page.Messages {
		g := graph.Messages.Nodes[i]
		list[i] = shown{m.Hash, m.Opcode, m.DecodedOpcode, m.Bounced, m.ExtraFlags, m.Value, m.Currencies, m.Content.Decoded, m.InTx}
		require.Equal(n.t, shown{
			g.Hash, g.Opcode, g.DecodedOpcode, g.Bounced, g.ExtraFlags, g.Value, byID(g.ValueExtraCurrencies), list[i].Decoded,
			g.DestinationTransaction.Hash,
		}, list[i])
		require.JSONEq(n.t, string(m.Content.Decoded), orNull(g.Decoded))
		require.Equal(n.t, list[i].Currencies, old[m.Hash], "currencies in /api/v2")
	}
	return list
}

// amount is an amount of an extra currency in GraphQL.
type amount struct {
	ID     uint32
	Amount string
}

func byID(list []amount) map[string]string {
	amounts := map[string]string{}
	for _, a := range list {
		amounts[chain.Coins(a.ID).String()] = a.Amount
	}
	return amounts
}

func orNull(b json.RawMessage) string {
	if len(b) == 0 {
		return "null"
	}
	return string(b)
}

// oldMessages returns the extra currencies of the messages that an account received, by hash, as /api/v2 returns them.
func (n *localNetwork) oldMessages(account string) map[string]map[string]string {
	n.t.Helper()
	var v2 struct {
		Result []struct {
			InMsg struct {
				Hash       string
				Currencies []oldAmount `json:"extra_currencies"`
			} `json:"in_msg"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v2/getTransactions?limit=100&address="+url.QueryEscape(account), "", &v2)
	byHash := map[string]map[string]string{}
	for _, tx := range v2.Result {
		byHash[tx.InMsg.Hash] = oldAmounts(tx.InMsg.Currencies)
	}
	return byHash
}

// oldAmount is an amount of an extra currency in /api/v2, whose ids are signed.
type oldAmount struct {
	ID     int32
	Amount string
}

func oldAmounts(list []oldAmount) map[string]string {
	amounts := map[string]string{}
	for _, a := range list {
		amounts[chain.Coins(uint32(a.ID)).String()] = a.Amount
	}
	return amounts
}

// actions returns the types of the actions of a transaction's trace and whether they succeeded, oldest first. /api/v3 and
// GraphQL agree.
func (n *localNetwork) actions(tx string) []string {
	n.t.Helper()
	var traces struct {
		Traces []struct {
			ID string `json:"trace_id"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/traces?tx_hash="+url.QueryEscape(tx), "", &traces)
	require.Len(n.t, traces.Traces, 1)
	trace := traces.Traces[0].ID
	var page struct {
		Actions []struct {
			Hash    string `json:"action_id"`
			Type    string
			Success bool
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v3/actions?sort=asc&trace_id="+url.QueryEscape(trace), "", &page)
	var graph struct {
		Actions struct {
			Nodes []struct {
				Hash, Type string
				Success    bool
			}
		}
	}
	query(n.t, n.api, `query($t: Hash!) { actions(where: {traces: [$t]}, first: 100, sort: ASC) { nodes { hash type success } } }`,
		map[string]any{"t": trace}, &graph)
	require.Len(n.t, graph.Actions.Nodes, len(page.Actions))
	var list []string
	for i, a := range page.Actions {
		g := graph.Actions.Nodes[i]
		require.Equal(n.t, []any{a.Hash, a.Type, a.Success}, []any{g.Hash, g.Type, g.Success})
		list = append(list, a.Type+" "+status(a.Success))
	}
	return list
}

func status(success bool) string {
	if success {
		return "ok"
	}
	return "failed"
}

// requireReplayed requires that every indexed transaction was executed again with the same result.
func (n *localNetwork) requireReplayed() {
	n.t.Helper()
	counts, err := n.db.Reader().VerificationCounts(n.ctx)
	require.NoError(n.t, err)
	require.Positive(n.t, counts.Replayed)
	require.Equal(n.t, chain.VerificationCounts{Replayed: counts.Replayed}, counts)
}

func fromBag(t *testing.T, text string) *cell.Cell {
	t.Helper()
	boc, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	c, err := cell.FromBOC(boc)
	require.NoError(t, err)
	return c
}
