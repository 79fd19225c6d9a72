package node_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/pacetest"
)

// recordedLink is a response to getBlockProof of a liteserver of the main network; testdata/README.md describes the files.
type recordedLink struct {
	file       string
	from, to   uint32
	signatures int
	simplex    bool
}

var recordedLinks = []recordedLink{
	{"one-link-ordinary.tl", 46894135, 46897112, 85, false},
	{"one-link-simplex.tl", 59238081, 59379986, 66, true},
}

// read returns the bytes and the blocks at the ends of the link.
func (l recordedLink) read(t testing.TB) ([]byte, node.Expectation) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + l.file)
	require.NoError(t, err)
	part := parseProof(t, raw)
	q := node.Expectation{From: idOf(*part.From), To: idOf(*part.To)}
	require.Equal(t, l.from, q.From.Seqno)
	require.Equal(t, l.to, q.To.Seqno)
	return raw, q
}

func parseProof(t testing.TB, raw []byte) ton.PartialBlockProof {
	t.Helper()
	var response any
	_, err := tl.Parse(&response, raw, true)
	require.NoError(t, err)
	part, ok := response.(ton.PartialBlockProof)
	require.True(t, ok)
	return part
}

// content describes everything that a block proof says, without the form it is written in and without
// complete, which repeats that it ends at the block that was requested.
func content(part ton.PartialBlockProof) string {
	var b strings.Builder
	fmt.Fprintln(&b, part.From, part.To)
	for _, step := range part.Steps {
		switch l := step.(type) {
		case ton.BlockLinkForward:
			fmt.Fprintln(&b, l.ToKeyBlock, l.From, l.To, cells(l.DestProof), cells(l.ConfigProof), l.SignatureSet)
		case ton.BlockLinkBackward:
			fmt.Fprintln(&b, l.ToKeyBlock, l.From, l.To, cells(l.DestProof), cells(l.Proof), cells(l.StateProof))
		}
	}
	return b.String()
}

// cells names the content of a bag of cells.
func cells(boc []byte) string {
	root, err := cell.FromBOC(boc)
	if err != nil {
		return err.Error()
	}
	return hex.EncodeToString(root.Hash())
}

// bits calls f with copies of data that differ from it in one bit, count of them.
func bits(data []byte, count int, f func(bit int, changed []byte)) {
	for i := range count {
		bit := i * (len(data)*8 - 1) / (count - 1)
		changed := bytes.Clone(data)
		changed[bit/8] ^= 1 << (bit % 8)
		f(bit, changed)
	}
}

func TestBlockProof_RealLinksAreAccepted(t *testing.T) {
	t.Parallel()
	for _, l := range recordedLinks {
		raw, q := l.read(t)
		believed, err := node.CheckResponse(raw, q)
		require.NoError(t, err, l.file)
		require.Equal(t, fmt.Sprint("link ", q.To), believed)

		forward, ok := parseProof(t, raw).Steps[0].(ton.BlockLinkForward)
		require.True(t, ok)
		switch set := forward.SignatureSet.(type) {
		case ton.SignatureSetSimplex:
			require.True(t, l.simplex)
			require.Equal(t, l.signatures, len(set.Signatures)) //nolint:testifylint // a failure would print them all
		case ton.SignatureSetOrdinary:
			require.False(t, l.simplex)
			require.Equal(t, l.signatures, len(set.Signatures)) //nolint:testifylint // a failure would print them all
		default:
			t.Fatalf("%s: signature set %T", l.file, set)
		}
	}
}

// A bit may change without effect where the format has several forms of the same content, such as the padding of bytes.
func TestBlockProof_RealLinksWithOneChangedBitAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, l := range recordedLinks {
		t.Run(l.file, func(t *testing.T) {
			t.Parallel()
			raw, q := l.read(t)
			want := content(parseProof(t, raw))
			refused := 0
			bits(raw, 800, func(bit int, changed []byte) {
				believed, err := node.CheckResponse(changed, q)
				if err != nil || believed == node.NoLink(q) {
					refused++
					return
				}
				require.Equal(t, want, content(parseProof(t, changed)), "bit %d", bit)
			})
			require.Greater(t, refused, 770)
		})
	}
}

// recordedAccount reads a response to getAccountState of a liteserver of the main network. The recording lacks the file
// hashes: that of the shard block is in its proof, and that of the masterchain block is not compared with anything.
func recordedAccount(t *testing.T, file string) (ton.AccountState, node.Expectation) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	fields := map[string][]byte{}
	var seqno, shardSeqno uint32
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "=")
		switch name {
		case "block_seqno":
			_, err = fmt.Sscan(value, &seqno)
		case "shard_block_seqno":
			_, err = fmt.Sscan(value, &shardSeqno)
		case "workchain":
			require.Equal(t, "0", value)
		default:
			fields[name], err = hex.DecodeString(value)
		}
		require.NoError(t, err, name)
	}
	q := node.Expectation{
		Master:  chain.BlockIDExt{BlockID: chain.MasterBlockID(seqno), RootHash: chain.HashFrom(fields["block_root_hash"])},
		Account: chain.Address{ID: chain.HashFrom(fields["account_id"])},
		States:  node.NewStateHashes(),
	}
	state := ton.AccountState{ID: tlID(q.Master)}
	state.ShardProof, err = cell.FromBOCMultiRoot(fields["shard_proof"])
	require.NoError(t, err)
	state.Proof, err = cell.FromBOCMultiRoot(fields["proof"])
	require.NoError(t, err)
	if len(fields["state"]) > 0 {
		state.State, err = cell.FromBOC(fields["state"])
		require.NoError(t, err)
	}
	extra, err := ton.CheckShardMcStateExtraProof(state.ID, state.ShardProof)
	require.NoError(t, err)
	shards, err := ton.LoadShardsFromHashes(extra.ShardHashes, true)
	require.NoError(t, err)
	for _, s := range shards {
		if s.SeqNo == shardSeqno && s.Workchain == 0 && bytes.Equal(s.RootHash, fields["shard_block_root_hash"]) {
			state.Shard = s
		}
	}
	require.NotNil(t, state.Shard, "the masterchain block commits the shard block")
	return state, q
}

func TestAccount_RealResponsesAreAccepted(t *testing.T) {
	t.Parallel()
	for file, exists := range map[string]bool{"read-basechain.txt": true, "read-absent.txt": false} {
		state, q := recordedAccount(t, file)
		raw, err := tl.Serialize(state, true)
		require.NoError(t, err)
		believed, err := node.CheckResponse(raw, q)
		require.NoError(t, err, file)
		if exists {
			require.Contains(t, believed, fmt.Sprint("account ", chain.Hash(state.State.HashKey())))
		} else {
			require.Equal(t, "no account", believed)
		}
	}
}

func TestAccount_RealResponsesWithOneChangedBitAreRefused(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"read-basechain.txt", "read-absent.txt"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			state, q := recordedAccount(t, file)
			raw, err := tl.Serialize(state, true)
			require.NoError(t, err)
			want, err := node.CheckResponse(raw, q)
			require.NoError(t, err)
			count := len(raw) * 8 / 17
			for name, next := range map[string]func() node.Expectation{
				"nothing is proven before":         func() node.Expectation { q := q; q.States = node.NewStateHashes(); return q },
				"the state hash is proven already": func() node.Expectation { return q },
			} {
				refused := 0
				bits(raw, count, func(bit int, changed []byte) {
					believed, err := node.CheckResponse(changed, next())
					if err != nil {
						refused++
						return
					}
					require.Equal(t, want, believed, "bit %d, %s", bit, name)
				})
				require.Greater(t, refused, count*9/10, name)
			}
		})
	}
}
