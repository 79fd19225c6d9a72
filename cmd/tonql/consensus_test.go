package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// newestForm returns the @type of the signatures of the newest indexed block.
func newestForm(t *testing.T, base string) string {
	t.Helper()
	_, body := get(t, fmt.Sprintf("%s/api/v2/getMasterchainBlockSignatures?seqno=%d", base, readyz(t, base).Index.Last))
	var response struct {
		Result struct {
			Type string `json:"@type"`
		}
	}
	require.NoError(t, json.Unmarshal(body, &response), string(body))
	return response.Result.Type
}

// TestUp_LocalChainSwitchesItsConsensus begins with the ordinary form of signatures, switches to Simplex by the admin
// interface and back by a restart. The index follows, and its database matches the chain.
func TestUp_LocalChainSwitchesItsConsensus(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := t.TempDir()
	up := func() (p *process, base string) {
		p = start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "250ms", "--devnet-admin", "127.0.0.1:0", "--consensus", "ordinary")
		return p, "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	}
	becomes := func(base, form string) {
		eventually(t, time.Minute, "signatures become "+form, func() bool { return newestForm(t, base) == form })
	}
	p, base := up()
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 3) })
	require.Equal(t, "blocks.blockSignatures", newestForm(t, base))
	admin := p.expect(`admin +(http://[^/]+/)`, time.Minute)
	resp, err := http.Post(admin+"consensus", "application/json", strings.NewReader(`{"to":"simplex"}`))
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, resp.Body)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	becomes(base, "blocks.blockSignatures.simplex")
	p.interrupt(20 * time.Second)

	p, base = up()
	becomes(base, "blocks.blockSignatures")
	p.interrupt(20 * time.Second)

	check := start(t, "verify", "--data", data)
	check.expect(`the database matches the chain`, time.Minute)
	<-check.ended
	require.NoError(t, check.err)
}

func TestDevnet_UnknownConsensusIsRefused(t *testing.T) {
	t.Parallel()
	p := start(t, "devnet", "--data", t.TempDir(), "--consensus", "catchain")
	<-p.ended
	require.Error(t, p.err)
	require.Contains(t, p.stderr.String(), `--consensus should be ordinary or simplex, not "catchain"`)
}
