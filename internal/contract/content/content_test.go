package content_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/content"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

func snake(prefix uint64, text string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(prefix, 8).MustStoreStringSnake(text).EndCell()
}

func bits(text string) *cell.Cell {
	return cell.BeginCell().MustStoreStringSnake(text).EndCell()
}

func inRef(c *cell.Cell) *cell.Cell { return cell.BeginCell().MustStoreRef(c).EndCell() }

// onchain makes on-chain content of the leaves, which it does not change.
func onchain(t *testing.T, leaves map[string]*cell.Cell) *cell.Cell {
	t.Helper()
	d := cell.NewDict(256)
	for name, leaf := range leaves {
		sum := sha256.Sum256([]byte(name))
		require.NoError(t, d.Set(cell.BeginCell().MustStoreSlice(sum[:], 256).EndCell(), leaf))
	}
	return cell.BeginCell().MustStoreUInt(0, 8).MustStoreDict(d).EndCell()
}

// chunked makes a value of text in numbered chunks of n bytes.
func chunked(t *testing.T, text string, n int) *cell.Cell {
	t.Helper()
	d := cell.NewDict(32)
	for i := 0; text != ""; i++ {
		part := text[:min(n, len(text))]
		text = text[len(part):]
		require.NoError(t, d.Set(cell.BeginCell().MustStoreUInt(uint64(i), 32).EndCell(), inRef(bits(part))))
	}
	return cell.BeginCell().MustStoreUInt(1, 8).MustStoreDict(d).EndCell()
}

func TestRead_ReadsEveryFormOfContent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long text ", 100)
	special, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	for _, tc := range []struct {
		name string
		cell *cell.Cell
		want chain.Content
	}{
		{"off-chain", snake(1, "https://a.b/c.json"), chain.Content{"uri": "https://a.b/c.json"}},
		{"off-chain, long", snake(1, long), chain.Content{"uri": long}},
		{"off-chain without prefix", bits("ipfs://x"), chain.Content{"uri": "ipfs://x"}},
		{"off-chain in a reference", inRef(snake(1, "x")), chain.Content{"uri": "x"}},
		{"off-chain of control characters", snake(1, "\x01\x02"), chain.Content{}},
		{"devnet's off-chain", contracts.OffchainContent("x"), chain.Content{"uri": "x"}},
		{
			"on-chain", contracts.OnchainContent(map[string]string{"name": "N", "symbol": "S", "decimals": "9", "colour": "red"}),
			chain.Content{"name": "N", "symbol": "S", "decimals": "9"},
		},
		{
			"semi-chain", contracts.OnchainContent(map[string]string{"name": "N", "uri": "https://x"}),
			chain.Content{"name": "N", "uri": "https://x"},
		},
		{
			"forms of values", onchain(t, map[string]*cell.Cell{
				"name":        inRef(snake(0, long)),
				"description": inRef(chunked(t, long, 30)),
				"image":       snake(0, "in place"),
				"symbol":      inRef(bits("no prefix")),
				"image_data":  inRef(snake(0, "\x00\xff")),
				"decimals":    inRef(cell.BeginCell().EndCell()),
				"uri":         cell.BeginCell().EndCell(),
				"render_type": inRef(special),
			}),
			chain.Content{
				"name": long, "description": long, "image": "in place", "symbol": "no prefix", "decimals": "",
				"image_data": base64.StdEncoding.EncodeToString([]byte{0, 0xff}),
			},
		},
		{"text that is no text", onchain(t, map[string]*cell.Cell{"name": inRef(snake(0, "a\xff\x00b"))}), chain.Content{"name": "a\uFFFDb"}},
		{"cut text", onchain(t, map[string]*cell.Cell{"name": inRef(cell.BeginCell().MustStoreUInt(0, 8).MustStoreUInt('a', 8).MustStoreUInt(1, 3).EndCell())}), chain.Content{"name": "a"}},
		{"empty dictionary", cell.BeginCell().MustStoreUInt(0, 9).EndCell(), chain.Content{}},
		{"dictionary without its bit", cell.BeginCell().MustStoreUInt(0, 8).MustStoreRef(onchain(t, map[string]*cell.Cell{"name": inRef(snake(0, "N"))}).MustPeekRef(0)).EndCell(), chain.Content{"name": "N"}},
		{"dictionary of nonsense", cell.BeginCell().MustStoreUInt(1, 9).MustStoreRef(bits("nonsense")).EndCell(), chain.Content{}},
		{"nothing", cell.BeginCell().EndCell(), chain.Content{}},
		{"no cell", nil, chain.Content{}},
		{"special cell", special, chain.Content{}},
		{"special cell inside", inRef(special), chain.Content{}},
		{"a few bits", cell.BeginCell().MustStoreUInt(1, 3).EndCell(), chain.Content{}},
	} {
		require.Equal(t, tc.want, content.Read(tc.cell), tc.name)
	}
}

// Values that are too long are cut, not refused and not stored in full.
func TestRead_CutsGiantValues(t *testing.T) {
	t.Parallel()
	giant := strings.Repeat("x", 100_000)
	want := giant[:64<<10]
	require.Equal(t, chain.Content{"name": want}, content.Read(onchain(t, map[string]*cell.Cell{"name": inRef(snake(0, giant))})))
	require.Equal(t, chain.Content{"description": want}, content.Read(onchain(t, map[string]*cell.Cell{"description": inRef(chunked(t, giant, 1000))})))
}

// All values together have at most 64 KiB in their stored form, the short ones first.
func TestRead_AllValuesTogetherAreBounded(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	long, control, markup := strings.Repeat("x", limit), strings.Repeat("\x01", limit), strings.Repeat("&", limit)
	image := strings.Repeat("i", 45<<10)
	encoded := base64.StdEncoding.EncodeToString([]byte(image))
	for _, tc := range []struct {
		name   string
		values map[string]string
		want   chain.Content
	}{
		{
			"an image with other values", map[string]string{"image_data": image, "name": "N", "description": long[:3<<10]},
			chain.Content{"image_data": encoded, "name": "N", "description": long[:3<<10]},
		},
		{
			"long text beside an image", map[string]string{"image_data": image, "name": "N", "description": long},
			chain.Content{"image_data": encoded, "name": "N", "description": long[:limit-len(encoded)-1]},
		},
		{
			"an image that does not fit", map[string]string{"image_data": long, "name": "N", "description": long},
			chain.Content{"name": "N", "description": long[:limit-1]},
		},
		{
			"several long texts", map[string]string{"name": long, "description": long[:40<<10], "symbol": "S", "image": long},
			chain.Content{"description": long[:40<<10], "symbol": "S", "name": long[:24<<10-1]},
		},
		{"characters that JSON escapes", map[string]string{"name": "N", "image": control}, chain.Content{"name": "N", "image": control[:(limit-1)/6]}},
		{"markup", map[string]string{"uri": markup}, chain.Content{"uri": markup[:limit/6]}},
		{"characters of several bytes", map[string]string{"name": "ab", "image": strings.Repeat("é", limit/2)}, chain.Content{"name": "ab", "image": strings.Repeat("é", limit/2-1)}},
	} {
		leaves := map[string]*cell.Cell{}
		for name, value := range tc.values {
			leaves[name] = inRef(snake(0, value))
		}
		require.Equal(t, tc.want, content.Read(onchain(t, leaves)), tc.name)
	}
	require.Equal(t, chain.Content{"uri": markup[:limit/6]}, content.Read(snake(1, markup)), "off-chain")
}

func TestAttribute_IsEmptyWhereMissing(t *testing.T) {
	t.Parallel()
	c := contracts.OnchainContent(map[string]string{"custom_payload_api_uri": "https://x"})
	require.Equal(t, "https://x", content.Attribute(c, "custom_payload_api_uri"))
	require.Empty(t, content.Attribute(c, "name"))
	require.Empty(t, content.Attribute(snake(1, "uri"), "uri"))
	require.Empty(t, content.Attribute(nil, "uri"))
}

func FuzzRead_ValuesHaveNoNUL(f *testing.F) {
	for _, c := range []*cell.Cell{
		snake(1, "https://a.b"), contracts.OnchainContent(map[string]string{"name": "N", "image_data": "\x00\x01"}), bits("x"),
	} {
		f.Add(contracttest.Seed(c))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		for name, value := range content.Read(c) {
			require.NotContains(t, value, "\x00", name)
		}
		require.LessOrEqual(t, content.Read(c).Size(), 65<<10)
		_ = content.Attribute(c, "name")
		_ = content.SnakeText(c)
	})
}

// Any cell may be the value of an attribute; the other attributes are still read.
func FuzzRead_OtherAttributesStay(f *testing.F) {
	for _, c := range []*cell.Cell{
		snake(0, "text"), inRef(snake(0, "text")), bits("x"), inRef(cell.BeginCell().EndCell()), cell.BeginCell().MustStoreUInt(1, 8).MustStoreRef(bits("x")).EndCell(),
	} {
		f.Add(contracttest.Seed(c))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		for _, leaf := range []*cell.Cell{c, inRef(c), cell.BeginCell().MustStoreUInt(3, 9).MustStoreRef(c).EndCell()} {
			if leaf.BitsSize() > 512 { // a value shares its cell with the key's label
				continue
			}
			found := content.Read(onchain(t, map[string]*cell.Cell{"name": inRef(snake(0, "N")), "image": leaf, "description": leaf, "symbol": inRef(snake(0, "S"))}))
			require.Equal(t, "N", found["name"])
			require.Equal(t, "S", found["symbol"])
		}
	})
}
