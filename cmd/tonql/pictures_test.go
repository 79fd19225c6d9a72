package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/tokenimage"
)

// dataImage is a data address of a PNG of 300 × 200 pixels.
func dataImage(t *testing.T, c color.Color) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range 300 * 200 {
		m.Set(i%300, i/300, c)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// logo returns an image in SVG, of the proportions of dataImage, or that image where SVG is not drawn.
func logo(t *testing.T) string {
	t.Helper()
	if tokenimage.InstalledSVGProgram() == "" {
		return dataImage(t, color.White)
	}
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 170"><circle cx="128" cy="85" r="80" fill="#0098ea"/></svg>`
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

// The explorer shows images through this server, and what the operator's files state about tokens; both files are read again
// when they change.
func TestExplorer_ShowsImagesAndBadges(t *testing.T) {
	t.Parallel()
	folder, shots := browser(t)
	data := filepath.Join(t.TempDir(), "data")
	overrides, list := filepath.Join(t.TempDir(), "overrides.json"), filepath.Join(t.TempDir(), "list.json")
	write := func(path string, v any) {
		body, err := json.Marshal(v)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, body, 0o600))
	}
	type object = map[string]any
	write(overrides, object{})
	write(list, []object{})
	prices := filepath.Join(t.TempDir(), "rates.json")
	write(prices, object{"rates": object{"TON": object{"prices": object{"USD": 2.5, "EUR": 2}}}})
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--metadata-overrides", overrides, "--asset-list", list,
		"--fiat-rates", prices, "--fiat-currency", "EUR", "--public-url", "https://api.example/")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	type node struct{ Account struct{ Address string } }
	var seen struct{ JettonMasters, NftItems struct{ Nodes []node } }
	eventually(t, 2*time.Minute, "Jettons and items are indexed", func() bool {
		query(t, base, `{ jettonMasters(first: 5) { nodes { account { address } } } nftItems(first: 5) { nodes { account { address } } } }`, &seen)
		return len(seen.JettonMasters.Nodes) >= 2 && len(seen.NftItems.Nodes) >= 1
	})
	jetton, scam := seen.JettonMasters.Nodes[0].Account.Address, seen.JettonMasters.Nodes[1].Account.Address
	item := seen.NftItems.Nodes[0].Account.Address
	write(overrides, object{
		jetton: object{"image": logo(t)},
		scam:   object{"image": dataImage(t, color.Black)},
		item:   object{"image": dataImage(t, color.RGBA{R: 200, A: 255}), "is_nsfw": true},
	})
	write(list, []object{{"address": jetton, "name": "verified"}, {"address": scam, "reputation": "scam"}})
	type account struct {
		Reputation string
		Metadata   struct {
			ImagePath string
			Nsfw      bool
		}
	}
	var read struct{ Jetton, Scam, Item account }
	eventually(t, time.Minute, "the files are read again", func() bool {
		query(t, base, `{ jetton: account(address: "`+jetton+`") { ...A } scam: account(address: "`+scam+`") { ...A } item: account(address: "`+item+`") { ...A } }
			fragment A on Account { reputation metadata { imagePath nsfw } }`, &read)
		return read.Jetton.Reputation == "VERIFIED" && read.Scam.Reputation == "SCAM" && read.Item.Metadata.Nsfw
	})
	require.Equal(t, "UNKNOWN", read.Item.Reputation)
	require.Contains(t, read.Jetton.Metadata.ImagePath, "/api/images/"+jetton+"/64?v=")
	requireImageLinks(t, base, jetton, item)

	cmd := exec.CommandContext(t.Context(), "node", "pictures.mjs", base, shots, jetton, scam, item)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var page struct {
		Outside, Console, Axe []string
		Jetton, Revealed      []any
		Badge, Scam, Unknown  string
		Worth                 []string
		ScamImages, Covered   int
		Files                 [][2]string
	}
	require.NoError(t, json.Unmarshal(out, &page), string(out))
	require.Empty(t, page.Outside, "requests to other hosts")
	require.Empty(t, page.Console, "errors in the console")
	require.Empty(t, page.Axe, "violations reported by axe")
	require.Equal(t, []any{256.0, 170.0, "/api/images/" + jetton + "/256"}, page.Jetton)
	require.Equal(t, "verified", page.Badge)
	require.Equal(t, "marked as a fraud", page.Scam)
	require.Equal(t, "unverified", page.Unknown, "what is on no list")
	requireWorth(t, page.Worth[0], page.Worth[1], 2)
	require.Contains(t, page.Worth[2], "At 2 EUR, as of ")
	require.Zero(t, page.ScamImages, "images of scams imitate others")
	require.Zero(t, page.Covered, "an image that is not safe for work is hidden")
	require.Equal(t, "/api/images/"+item+"/256", page.Revealed[2])

	require.Len(t, page.Files, 2)
	for i, part := range []string{"code", "data"} {
		require.Equal(t, jetton[2:]+"-"+part+".boc", page.Files[i][0])
		boc, err := hex.DecodeString(page.Files[i][1])
		require.NoError(t, err)
		_, err = cell.FromBOC(boc)
		require.NoError(t, err)
	}

	p.interrupt(10 * time.Second)
	require.DirExists(t, filepath.Join(data, "images"))
}

// requireImageLinks checks that /api/v3 names images on the public address, which this server serves, of a Jetton, and none of an item that is
// not safe for work.
func requireImageLinks(t *testing.T, base, jetton, item string) {
	t.Helper()
	var metadata map[string]struct {
		TokenInfo []struct {
			Extra map[string]any `json:"extra"`
		} `json:"token_info"`
	}
	_, body := get(t, base+"/api/v3/metadata?address="+jetton+"&address="+item)
	require.NoError(t, json.Unmarshal(body, &metadata), string(body))
	for size, name := range map[string]string{"64": "_image_small", "256": "_image_medium", "512": "_image_big"} {
		link, isText := metadata[jetton].TokenInfo[0].Extra[name].(string)
		require.True(t, isText, name)
		path, ok := strings.CutPrefix(link, "https://api.example/")
		require.True(t, ok, link)
		require.True(t, strings.HasPrefix(path, "api/images/"+jetton+"/"+size+"?v="), path)
		status, _ := get(t, base+"/"+path)
		require.Equal(t, http.StatusOK, status)
		require.NotContains(t, metadata[item].TokenInfo[0].Extra, name)
	}
}

// requireWorth compares an amount of TON, as 1 234.5 TON, with its value in euros, which is rounded down to cents.
func requireWorth(t *testing.T, coins, euros string, price float64) {
	t.Helper()
	number := func(text, before, after string) float64 {
		digits := strings.NewReplacer("\u202f", "", before, "", after, "").Replace(text)
		v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		require.NoError(t, err, text)
		return v
	}
	require.InDelta(t, number(coins, "TON", "")*price, number(euros, "≈", "EUR"), 0.0101)
}
