package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// sourceRecord is a contract, compiled from testdata/page/registry, that is a registry of verified sources and its only record.
type sourceRecord struct {
	address string
	message []byte // external-in message that deploys it, a BoC
}

// cid returns a content id of IPFS by a name; the gateway of the test knows what it means.
func cid(name string) string { return "Qm" + strings.Repeat("a", 44-len(name)) + name }

func newSourceRecord(t *testing.T, folder string) sourceRecord {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "compile.mjs", "registry", "registry.fc")
	cmd.Dir = folder
	out, err := cmd.Output()
	require.NoError(t, err)
	boc, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(out)))
	require.NoError(t, err)
	code, err := cell.FromBOC(boc)
	require.NoError(t, err)
	verifier := sha256.Sum256([]byte("verifier.ton.org"))
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake("ipfs://" + cid("set")).EndCell()
	data := cell.BeginCell().MustStoreSlice(verifier[:], 256).MustStoreSlice(code.Hash(), 256).MustStoreRef(content).EndCell()
	state, err := tlb.ToCell(&tlb.StateInit{Code: code, Data: data})
	require.NoError(t, err)
	// ext_in_msg_info$10 with the address of the contract, no import fee, the state in a reference, and an empty body.
	message := cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(0, 2).MustStoreUInt(0b100, 3).MustStoreInt(0, 8).MustStoreSlice(state.Hash(), 256).
		MustStoreUInt(0, 4).MustStoreUInt(0b11, 2).MustStoreRef(state).MustStoreUInt(0, 1).EndCell()
	return sourceRecord{address: "0:" + strings.ToUpper(hex.EncodeToString(state.Hash())), message: message.ToBOC()}
}

// sourceGateway is an IPFS gateway with the list and the files of the record.
func sourceGateway(t *testing.T, folder string) *httptest.Server {
	t.Helper()
	type object = map[string]any
	list, err := json.Marshal(object{
		"compiler": "func", "compilerSettings": object{"funcVersion": "0.4.6", "commandLine": "-SPA registry.fc"}, "verificationDate": 1764000000000,
		"sources": []object{
			{"url": "ipfs://" + cid("main"), "filename": "registry.fc", "includeInCommand": true, "isEntrypoint": true, "hasIncludeDirectives": true},
			{"url": "ipfs://" + cid("std"), "filename": "imports/stdlib.fc", "includeInCommand": false, "isStdLib": true},
		},
	})
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ipfs/" + cid("set"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(list)
		case "/ipfs/" + cid("main"):
			http.ServeFile(w, r, filepath.Join(folder, "registry", "registry.fc"))
		case "/ipfs/" + cid("std"):
			http.ServeFile(w, r, filepath.Join(folder, "registry", "imports", "stdlib.fc"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// A reader verifies contracts in the explorer: the sources that a record names, and chosen files, compiled in the browser.
func TestExplorer_VerifiesSourcesInTheBrowser(t *testing.T) {
	t.Parallel()
	folder, shots := browser(t)
	record, data := newSourceRecord(t, folder), filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--compiler-folder", folder, "--source-registry", record.address,
		"--source-gateway", sourceGateway(t, folder).URL, "--source-allow-loopback")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	runCommand(t, "faucet", "--data", data, record.address, "5")
	var balance struct {
		Account struct{ State *struct{ Status string } }
	}
	eventually(t, time.Minute, "the account has coins", func() bool {
		query(t, base, `{ account(address: "`+record.address+`") { state { status } } }`, &balance)
		return balance.Account.State != nil
	})
	var sent struct{ SendMessage struct{ Hash string } }
	query(t, base, `mutation { sendMessage(boc: "`+base64.StdEncoding.EncodeToString(record.message)+`") { hash } }`, &sent)
	var indexed struct {
		Account       struct{ State *struct{ Status string } }
		JettonMasters struct {
			Nodes []struct {
				Account struct {
					Address string
					State   struct{ CodeHash string }
				}
			}
		}
	}
	minter := compiledHash(t, "jetton-minter")
	jetton := ""
	eventually(t, 2*time.Minute, "the contract and a Jetton are indexed", func() bool {
		query(t, base, `{ account(address: "`+record.address+`") { state { status } } jettonMasters(first: 20) { nodes { account { address state { codeHash } } } } }`, &indexed)
		for _, node := range indexed.JettonMasters.Nodes {
			if node.Account.State.CodeHash == minter {
				jetton = node.Account.Address
			}
		}
		return strings.EqualFold(indexed.Account.State.Status, "active") && jetton != ""
	})

	var ended struct{ RunGetMethod struct{ ExitCode int } }
	const inactive = -13
	eventually(t, 10*time.Second, "get-methods run in the block with the contract", func() bool { // at most 50 ms after it
		query(t, base, `{ runGetMethod(address: "`+record.address+`", method: "get_source_item_data") { exitCode } }`, &ended)
		return ended.RunGetMethod.ExitCode != inactive
	})
	require.Equal(t, 1, ended.RunGetMethod.ExitCode, "a record counts whichever of the two successes its method has")

	cmd := exec.CommandContext(t.Context(), "node", "sources.mjs", base, shots, record.address, "registry", jetton, "../../../../internal/devnet/contracts/tolk")
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Outside, Console, Axe, Overflow, Files, Compilers       []string
		Text, Fetched, Changed, Mistake, NotText, BadName       string
		TolkChosen, Tolk, TolkChanged                           string
		PageWasm, WorkerWasm, WorkerFetch, WorkerOther, Timeout string
		Chosen                                                  string
		Early, Workers, Remark                                  int
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Overflow, "pages wider than the window")
	require.Zero(t, seen.Early, "scripts that are loaded before the reader needs them")

	require.Equal(t, []string{"registry.fc", "imports/stdlib.fc"}, seen.Files)
	source, err := os.ReadFile(filepath.Join(folder, "registry", "registry.fc"))
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(source)), strings.TrimSpace(seen.Text))
	require.Len(t, seen.Compilers, 2)
	require.Regexp(t, `^FunC 0\.4\.6`, seen.Compilers[0])
	require.Equal(t, "Tolk 1.3.0", seen.Compilers[1])
	require.Equal(t, seen.Compilers[0], seen.Chosen, "the version that the record names")
	require.Zero(t, seen.Remark)
	require.Contains(t, seen.Fetched, "Same code, compiled here with FunC 0.4.6.")
	require.Contains(t, seen.Fetched, "It is not stored")
	require.Regexp(t, `Different code: hash [0-9a-f]{64}, compiled here with FunC 0\.4\.6\.`, seen.Changed)
	require.Contains(t, seen.Mistake, "accept_massage", "the text of the compiler")
	require.Equal(t, "A file is not UTF-8 text.", seen.NotText)
	require.Contains(t, seen.BadName, "no relative path")
	require.Equal(t, "jetton-minter.tolk", seen.TolkChosen)
	require.Contains(t, seen.Tolk, "Same code, compiled here with Tolk 1.3.0.")
	require.Regexp(t, `Different code: hash [0-9a-f]{64}, compiled here with Tolk 1\.3\.0\.`, seen.TolkChanged)

	require.Equal(t, "CompileError", seen.PageWasm)
	require.Equal(t, "compiled", seen.WorkerWasm)
	require.Equal(t, "TypeError", seen.WorkerFetch, "the worker's policy refuses requests")
	require.Equal(t, "NetworkError", seen.WorkerOther)
	require.Contains(t, seen.Timeout, "Ended after 120 seconds")
	require.Zero(t, seen.Workers, "workers that still run")
	p.interrupt(10 * time.Second)
}

// compiledHash returns the code hash of a contract of the local chain, in base64.
func compiledHash(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../internal/devnet/contracts/manifest.json")
	require.NoError(t, err)
	var manifest struct {
		Contracts []struct{ Name, Hash string }
	}
	require.NoError(t, json.Unmarshal(text, &manifest))
	for _, c := range manifest.Contracts {
		if c.Name == name {
			return base64Of(t, c.Hash)
		}
	}
	require.Fail(t, "no such contract", name)
	return ""
}

func base64Of(t *testing.T, digits string) string {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(raw)
}
