package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx of database/sql
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"tonql/internal/embeddedpg"
	"tonql/internal/pacetest"
	"tonql/migrations"
)

// upgradeFixtures has a chain of a local network, and databases into which binaries of earlier versions indexed it;
// testdata/upgrade/README.md has the commands.
const upgradeFixtures = "testdata/upgrade"

// The first schemas with API keys and with merchants.
const firstAccess, firstMerchants = 20, 33

// unpackChain unpacks the chain into a data folder.
func unpackChain(t *testing.T, data string) {
	t.Helper()
	file, err := os.Open(filepath.Join(upgradeFixtures, "chain.tar.gz"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	zipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	unpack(t, zipped, data)
}

// unpackDumps unpacks the databases into a folder, and returns the files.
func unpackDumps(t *testing.T, dir string) []string {
	t.Helper()
	file, err := os.Open(filepath.Join(upgradeFixtures, "schemas.tar.zst"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	zipped, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(1<<27)) // the dumps repeat each other
	require.NoError(t, err)
	defer zipped.Close()
	unpack(t, zipped, dir)
	dumps, err := filepath.Glob(filepath.Join(dir, "schema-*.sql"))
	require.NoError(t, err)
	require.NotEmpty(t, dumps)
	return dumps
}

// unpack unpacks an archive into a folder.
func unpack(t *testing.T, from io.Reader, data string) {
	t.Helper()
	archive := tar.NewReader(from)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(data, filepath.Clean("/"+h.Name))
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		content, err := io.ReadAll(io.LimitReader(archive, 64<<20))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
}

// restore creates the private PostgreSQL of a data folder with the contents of a dump, and returns the schema version.
func restore(t *testing.T, data, dump string) (version int64) {
	t.Helper()
	text, err := os.ReadFile(dump)
	require.NoError(t, err)
	server, err := embeddedpg.Start(t.Context(), embeddedpg.Options{Dir: filepath.Join(data, "postgres"), Fast: true, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop(context.Background())) }()
	db, err := sql.Open("pgx", server.DSN())
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	conn, err := db.Conn(t.Context()) // the dump sets a search path
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	_, err = conn.ExecContext(t.Context(), string(text))
	require.NoError(t, err, dump)
	require.NoError(t, conn.QueryRowContext(t.Context(), `SELECT max(version_id) FROM public.goose_db_version WHERE is_applied`).Scan(&version))
	return version
}

// upgradePaths are the requests whose responses are compared.
func upgradePaths(faucet string, head uint32) []string {
	paths := []string{"/api/v3/masterchainInfo", "/api/v3/topAccountsByBalance?limit=50"}
	for _, list := range []string{
		"blocks", "transactions", "messages", "traces", "actions", "jetton/transfers", "jetton/burns", "nft/transfers",
	} {
		for offset := range 3 {
			paths = append(paths, fmt.Sprintf("/api/v3/%s?limit=100&offset=%d&sort=asc", list, 100*offset))
		}
	}
	for _, list := range []string{"jetton/masters", "jetton/wallets", "nft/collections", "nft/items", "multisig/wallets", "multisig/orders", "vesting"} {
		paths = append(paths, "/api/v3/"+list+"?limit=200")
	}
	for _, route := range []string{"accountStates?address=", "walletStates?address=", "addressBook?address=", "transactions?limit=50&account="} {
		paths = append(paths, "/api/v3/"+route+faucet)
	}
	for _, route := range []string{"getTransactions?limit=20&address=", "getAddressInformation?address=", "getWalletInformation?address="} {
		paths = append(paths, "/api/v2/"+route+faucet)
	}
	for seqno := uint32(1); seqno <= head; seqno++ {
		paths = append(paths, fmt.Sprintf("/api/v2/shards?seqno=%d", seqno), fmt.Sprintf("/api/v3/masterchainBlockShards?seqno=%d", seqno),
			fmt.Sprintf("/api/v2/getBlockTransactions?workchain=-1&shard=8000000000000000&seqno=%d", seqno))
	}
	return paths
}

// moment matches what every response of /api/v2 has of its own.
var moment = regexp.MustCompile(`"@extra":"[^"]*"`)

// withoutMetadata removes the metadata of tokens, which are fetched from other servers in the background.
func withoutMetadata(t *testing.T, body []byte) string {
	t.Helper()
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members["metadata"] == nil {
		return string(body)
	}
	delete(members, "metadata")
	rest, err := json.Marshal(members)
	require.NoError(t, err)
	return string(rest)
}

// responsesOf returns the responses of an index to all paths and to a query of GraphQL.
func responsesOf(t *testing.T, base, faucet string, head uint32) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range upgradePaths(faucet, head) {
		status, body := get(t, base+path)
		require.Less(t, status, 500, "%s: %s", path, body)
		all[path] = moment.ReplaceAllString(withoutMetadata(t, body), "")
	}
	var seen json.RawMessage
	query(t, base, `{ transactions(first: 100) { nodes { hash verification mcSeqno account { address state { balance } }
		inMessage { hash value } outMessages { hash } } } }`, &seen)
	all["GraphQL"] = string(seen)
	return all
}

// difference returns the first different part of two texts.
func difference(want, got string) string {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	part := func(s string) string { return s[min(max(at-200, 0), len(s)):min(at+200, len(s))] }
	return fmt.Sprintf("at byte %d\nexpected …%s\nactual   …%s", at, part(want), part(got))
}

// indexed starts tonql up on a data folder and returns its address when the index has the complete chain.
func indexed(t *testing.T, data, config string, head uint32) (*process, string) {
	t.Helper()
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--global-config", config, "--from", "1", "--ready-lag", "87600h")
	base := "http://" + p.expect(`page +http://([^/]+)/`, 2*time.Minute)
	eventually(t, 3*time.Minute, "the chain is indexed", func() bool {
		r := readyz(t, base)
		return r.Ready && r.Index != nil && r.Index.First == 1 && r.Index.Last == head
	})
	return p, base
}

// upgradeDigest returns the digests of the tables of a stopped index. Earlier versions divided cells in another way, and had no libraries.
func upgradeDigest(t *testing.T, data string) string {
	t.Helper()
	output := runCommand(t, "verify", "--digest", "--data", data)
	require.Regexp(t, `(?m)^contracts +\d+ rows  [0-9a-f]{64}$`, output)
	return regexp.MustCompile(`(?m)^(cells|librar\w+|digest) .*\n`).ReplaceAllString(output, "")
}

// Databases of earlier schemas, written by the binaries of their time, are migrated and then contain what a new index of the
// same chain contains.
func TestUpgrade_EarlierSchemasServeEqualResponses(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	dumps := unpackDumps(t, dir)
	chainData := filepath.Join(dir, "chain")
	unpackChain(t, chainData)
	net := start(t, "devnet", "--data", chainData, "--no-scenario", "--block-interval", "24h")
	config := net.expect(`global config +(\S+)`, time.Minute)
	t.Cleanup(func() { net.interrupt(15 * time.Second) }) // after the subtests
	faucet := net.expect(`faucet +(\S+)`, time.Second)
	var head uint32
	_, err := fmt.Sscan(net.expect(`local chain at block (\d+)`, time.Second), &head)
	require.NoError(t, err)

	fresh := filepath.Join(dir, "fresh")
	p, base := indexed(t, fresh, config, head)
	want := responsesOf(t, base, faucet, head)
	p.interrupt(15 * time.Second)
	wantDigest := upgradeDigest(t, fresh)

	upgraded := 0
	for _, dump := range dumps {
		name := strings.TrimSuffix(filepath.Base(dump), ".sql")
		data := filepath.Join(dir, name)
		before := restore(t, data, dump)
		if before < migrations.OldestUpgradable {
			continue
		}
		upgraded++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now int64
			_, err := fmt.Sscanf(runCommand(t, "migrate", "--data", data), "schema version %d", &now)
			require.NoError(t, err)
			require.Greater(t, now, before)
			for _, command := range []string{"complete", "redetect", "reclassify"} { // as CHANGELOG.md names them
				runCommand(t, "index", command, "--data", data, "--global-config", config)
			}
			p, base := indexed(t, data, config, head)
			got := responsesOf(t, base, faucet, head)
			for _, path := range slices.Sorted(maps.Keys(want)) {
				if want[path] != got[path] {
					t.Errorf("%s: %s", path, difference(want[path], got[path]))
				}
			}
			p.interrupt(15 * time.Second)
			require.Equal(t, wantDigest, upgradeDigest(t, data))
			runCommand(t, "verify", "--offline", "--data", data)
			if before >= firstAccess {
				require.Contains(t, runCommand(t, "keys", "list", "--data", data), "alice", "keys of the earlier version")
			}
			if before >= firstMerchants {
				require.Contains(t, runCommand(t, "merchants", "list", "--data", data), "shop")
			}
		})
	}
	require.Greater(t, upgraded, 10)
}

// Indexes of schemas that had no contracts cannot be upgraded: a process names both versions, says what to do and changes nothing.
func TestUpgrade_SchemasWithoutContractsAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	refused := 0
	for _, dump := range unpackDumps(t, dir) {
		data := filepath.Join(dir, strings.TrimSuffix(filepath.Base(dump), ".sql"))
		if !regexp.MustCompile(`schema-0\d$`).MatchString(data) {
			continue
		}
		refused++
		before := restore(t, data, dump)
		require.Less(t, before, migrations.OldestUpgradable)
		for range 2 { // the first attempt changes nothing
			output := runFailingCommand(t, "migrate", "--data", data)
			require.Contains(t, output, fmt.Sprintf("schema %d", before))
			require.Contains(t, output, fmt.Sprintf("upgrades schemas from %d", migrations.OldestUpgradable))
			require.Contains(t, output, "index the chain again")
			require.NotContains(t, output, "SQLSTATE")
		}
	}
	require.Equal(t, 2, refused)
}
