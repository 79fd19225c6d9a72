package handler

import (
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

const (
	rawAddress  = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8"
	rawAddress2 = "-1:3333333333333333333333333333333333333333333333333333333333333333"
	someHash    = "oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how="
)

func parse(t *testing.T, raw string) *Query {
	t.Helper()
	q, err := ParseQuery(raw)
	require.NoError(t, err)
	return q
}

// Parameter names: case, repetition and brackets.
func TestQuery_NamesIgnoreCaseAndBrackets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		limit     int
		unknown   []string
	}{
		{"plain", "limit=5", 5, nil},
		{"any case", "LIMIT=5", 5, nil},
		{"the last one wins", "limit=5&limit=6", 6, nil},
		{"empty brackets", "limit[]=5", 5, nil},
		{"encoded brackets", "limit%5B%5D=5", 5, nil},
		{"an index leaves it out", "limit[0]=5", 10, []string{"limit[0]"}},
		{"empty is zero, below one is one", "limit=", 1, nil},
		{"without a value", "limit", 1, nil},
		{"absent", "", 10, nil},
		{"stray separators", "&&limit=7&", 7, nil},
		{"unknown names are reported as sent", "Foo=1&limit=7&Foo=2&bar", 7, []string{"Foo", "bar"}},
		{"broken escapes are literal", "limit=7&a%zz=1&b%2", 7, []string{"a%zz", "b%2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := parse(t, c.raw)
			require.Equal(t, c.limit, q.Limit(10))
			require.NoError(t, q.Err())
			require.Equal(t, c.unknown, q.Unknown())
		})
	}
}

func TestParseQuery_UnmatchedBracketsAreRefused(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"a[=1", "a]=1", "a[[]=1", "x=1&y%5B=2"} {
		_, err := ParseQuery(raw)
		require.EqualError(t, err, "unmatched brackets", raw)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

func TestParseQuery_TooManyParametersAreRefused(t *testing.T) {
	t.Parallel()
	q, err := ParseQuery(strings.Repeat("a=1&", maxPairs-1) + "a=1")
	require.NoError(t, err)
	require.Equal(t, maxPairs, q.Len())
	for _, n := range []int{maxPairs, maxPairs + 1} {
		_, err := ParseQuery(strings.Repeat("a=1&", n))
		require.Equal(t, chain.Invalid, chain.KindOf(err))
		require.ErrorContains(t, err, "at most 10000 parameters")
	}
	q = parse(t, "x="+strings.Repeat("a,", maxPairs-2)+"a&x=a")
	require.Len(t, q.Names("x"), maxPairs)
	require.NoError(t, q.Err())
	q = parse(t, "x="+strings.Repeat("a,", maxPairs-1)+"a&x=a")
	require.Empty(t, q.Names("x"))
	require.EqualError(t, q.Err(), "10001 values of x are too many: at most 10000 are allowed in one request")
}

// Percent escapes of either case are decoded; what is none is taken as it is.
func TestParseQuery_EscapesAreDecoded(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"%2f%2F%3A%3a": "//::", "%aF%Af%fa%FA%09%90": "\xaf\xaf\xfa\xfa\x09\x90", "a+b%2Bc": "a b+c", "%2g%g2%2/%/2%2:%:2%2@%@2%2`%`2%2G": "%2g%g2%2/%/2%2:%:2%2@%@2%2`%`2%2G",
		"%": "%", "%4": "%4", "%41": "A", "100%": "100%", "%%41": "%A",
	} {
		q := parse(t, "x="+raw)
		got, sent := q.Text("x")
		require.True(t, sent)
		require.Equal(t, want, got, raw)
	}
}

// Once empty values are refused, each is reported once, however often it is read.
func TestQuery_EmptyValuesAreRefused(t *testing.T) {
	t.Parallel()
	const published = `failed to decode: schema: error converting value for `
	q := parse(t, "n=&a=1&a=&a=3&t=")
	q.RefuseEmpty()
	require.Nil(t, q.Int32("n"))
	require.EqualError(t, q.Err(), published+`"n"`)
	require.Equal(t, []string{"1", "3"}, q.Texts("a"))
	_, sent := q.Text("t")
	require.False(t, sent)
	require.Nil(t, q.Int32("n"), "read again")
	require.Equal(t, []string{"1", "3"}, q.Texts("a"))
	var params *ParamsError
	require.ErrorAs(t, q.Err(), &params)
	require.EqualError(t, params, published+`"n" (and 2 other errors)`)
	require.Equal(t, []string{
		"n: a value is required; omit the parameter to leave it unset", "a: a value is required; omit the parameter to leave it unset",
		"t: a value is required; omit the parameter to leave it unset",
	}, params.Details)

	q = parse(t, "a=1&b=x&a=y&a=z")
	require.Empty(t, q.Unknown()[2:])
	require.Len(t, readAll(q, "a", Int32Form, parseInt32), 1)
	require.EqualError(t, q.Err(), `failed to decode: schema: error converting value for index 1 of "a" (and 1 other error)`)
	require.Equal(t, []string{"b"}, q.Unknown())

	q = parse(t, strings.Repeat("a=x&", 50))
	require.Empty(t, readAll(q, "a", Int32Form, parseInt32))
	require.ErrorAs(t, q.Err(), &params)
	require.Len(t, params.Details, 20, "a response stays short")
	require.ErrorContains(t, params, "(and 49 other errors)")
}

func TestMinSeqno_HeaderBeforeParameter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url, header string
		want        uint32
		invalid     bool
	}{
		{"/", "", 0, false}, {"/?x_min_seqno=7", "", 7, false}, {"/?x_min_seqno=7", "8", 8, false}, {"/?x_min_seqno=", "", 0, false}, {"/?a=x_min_seqno", "", 0, false},
		{"/", "4294967295", math.MaxUint32, false}, {"/", "4294967296", 0, true}, {"/", "-1", 0, true}, {"/", "0x7", 0, true}, {"/?x_min_seqno=a", "", 0, true},
	} {
		r := httptest.NewRequest(http.MethodGet, c.url, nil)
		if c.header != "" {
			r.Header.Set("X-Min-Seqno", c.header)
		}
		got, err := MinSeqno(r)
		require.Equal(t, c.invalid, chain.KindOf(err) == chain.Invalid && err != nil, c)
		require.Equal(t, c.want, got, c)
	}
}

// A text that no database can hold is refused wherever it is.
func TestCheckRequest_TextsAreUTF8WithoutNUL(t *testing.T) {
	t.Parallel()
	for url, valid := range map[string]bool{
		"/": true, "/a?b=c": true, "/%00": false, "/%ff": false, "/?a=%00": false, "/?a=%ff": false, "/?%00=a": false, "/?a=1&a=%ff": false, "/?a=%c3%a9": true,
	} {
		err := CheckRequest(httptest.NewRequest(http.MethodGet, url, nil))
		require.Equal(t, valid, err == nil, url)
		if err != nil {
			require.Equal(t, http.StatusUnprocessableEntity, TextStatus(err, http.StatusBadRequest))
		}
	}
	require.Equal(t, http.StatusBadRequest, TextStatus(chain.Invalidf("x"), http.StatusBadRequest))
}

func TestClient_AddressOfTheConnectionOrOfTheProxy(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct {
		remote, forwarded, want string
		proxy                   bool
	}{
		{"203.0.113.7:1", "198.51.100.9", "203.0.113.7", false}, {"10.1.1.1:1", "198.51.100.9", "198.51.100.9", true}, {"10.1.1.1:1", "", "10.1.1.1", true},
		{"[::ffff:10.1.1.1]:1", "198.51.100.9", "198.51.100.9", true}, {"@", "198.51.100.9", "invalid IP", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		require.Equal(t, c.want, Client(r, trusted).String(), c)
		require.Equal(t, c.proxy, FromProxy(r, trusted), c)
	}
}

// One row per parsing rule of each scalar type.
func TestQuery_ScalarsAreParsed(t *testing.T) {
	t.Parallel()
	address, err := chain.ParseAddress(rawAddress)
	require.NoError(t, err)
	hash, err := chain.ParseHash(someHash)
	require.NoError(t, err)
	for _, c := range []struct {
		name, raw string
		read      func(*Query) any
		want      any
	}{
		{"int32", "x=-5", func(q *Query) any { return q.Int32("x") }, new(int32(-5))},
		{"int32 empty", "x=", func(q *Query) any { return q.Int32("x") }, new(int32(0))},
		{"int32 absent", "", func(q *Query) any { return q.Int32("x") }, (*int32)(nil)},
		{"uint64", "x=18446744073709551615", func(q *Query) any { return q.Uint64("x") }, new(uint64(math.MaxUint64))},
		{"uint64 empty", "x=", func(q *Query) any { return q.Uint64("x") }, new(uint64(0))},
		{"utime empty", "x=", func(q *Query) any { return q.Utime("x") }, new(uint32(0))},
		{"utime", "x=1700000000", func(q *Query) any { return q.Utime("x") }, new(uint32(1700000000))},
		{"utime fraction", "x=1700000000.9", func(q *Query) any { return q.Utime("x") }, new(uint32(1700000000))},
		{"utime exponent", "x=1.700000001e%2B09", func(q *Query) any { return q.Utime("x") }, new(uint32(1700000001))},
		{"utime small exponent", "x=17000000019E-1", func(q *Query) any { return q.Utime("x") }, new(uint32(1700000001))},
		{"utime far exponent", "x=1e30", func(q *Query) any { return q.Utime("x") }, new(uint32(math.MaxUint32))},
		{"utime far", "x=99999999999", func(q *Query) any { return q.Utime("x") }, new(uint32(math.MaxUint32))},
		{"shard hex", "x=8000000000000000", func(q *Query) any { return q.Shard("x") }, new(chain.FullShard)},
		{"shard 0x", "x=0x2000000000000000", func(q *Query) any { return q.Shard("x") }, new(chain.Shard(0x2000000000000000))},
		{"shard decimal", "x=-9223372036854775808", func(q *Query) any { return q.Shard("x") }, new(chain.FullShard)},
		{"opcode hex", "x=0x0f8a7ea5", func(q *Query) any { return q.Opcode("x") }, new(uint32(0x0f8a7ea5))},
		{"opcode bare hex", "x=f8a7ea5", func(q *Query) any { return q.Opcode("x") }, new(uint32(0x0f8a7ea5))},
		{"opcode digits are hex", "x=10", func(q *Query) any { return q.Opcode("x") }, new(uint32(16))},
		{"opcode decimal beyond hex", "x=260734629", func(q *Query) any { return q.Opcode("x") }, new(uint32(260734629))},
		{"opcode negative", "x=-1", func(q *Query) any { return q.Opcode("x") }, new(uint32(math.MaxUint32))},
		{"address raw", "x=" + rawAddress, func(q *Query) any { return q.Address("x") }, &address},
		{"address lower", "x=" + strings.ToLower(rawAddress), func(q *Query) any { return q.Address("x") }, &address},
		{"address friendly", "x=" + address.Friendly(true, false), func(q *Query) any { return q.Address("x") }, &address},
		{"address testnet", "x=" + address.Friendly(false, true), func(q *Query) any { return q.Address("x") }, &address},
		{"hash base64", "x=oM%2FCxIruFqJx8s%2FAtzgtgXVs7LEBfQd%2Fqqs7tgL2how%3D", func(q *Query) any { return q.Hash("x") }, &hash},
		{"hash unescaped", "x=" + someHash, func(q *Query) any { return q.Hash("x") }, &hash},
		{"hash base64url", "x=oM_CxIruFqJx8s_AtzgtgXVs7LEBfQd_qqs7tgL2how=", func(q *Query) any { return q.Hash("x") }, &hash},
		{"hash hex", "x=" + hash.Hex(), func(q *Query) any { return q.Hash("x") }, &hash},
		{"hash 0x", "x=0x" + hash.Hex(), func(q *Query) any { return q.Hash("x") }, &hash},
		{"bool on", "x=on", func(q *Query) any { return q.Bool("x", false) }, true},
		{"bool T", "x=T", func(q *Query) any { return q.Bool("x", false) }, true},
		{"bool 0", "x=0", func(q *Query) any { return q.Bool("x", true) }, false},
		{"bool empty", "x=", func(q *Query) any { return q.Bool("x", true) }, false},
		{"bool absent", "", func(q *Query) any { return q.Bool("x", true) }, true},
		{"lenient", "x=7", func(q *Query) any { return q.Lenient("x") }, int32(7)},
		{"lenient nonsense", "x=seven", func(q *Query) any { return q.Lenient("x") }, int32(0)},
		{"lenient negative", "x=-7", func(q *Query) any { return q.Lenient("x") }, int32(-7)},
		{"offset below zero", "offset=-3", func(q *Query) any { return q.Offset() }, 0},
		{"sort short", "sort=A", func(q *Query) any { return q.Sort(chain.Descending) }, chain.Ascending},
		{"sort any case", "sort=aSc", func(q *Query) any { return q.Sort(chain.Descending) }, chain.Ascending},
		{"direction", "d=out", func(q *Query) any { return q.Direction("d") }, chain.Out},
		{"names are split", "x=a,b&x=c,", func(q *Query) any { return q.Names("x") }, []string{"a", "b", "c", ""}},
		{"texts are not split", "x=a,b&x=c", func(q *Query) any { return q.Texts("x") }, []string{"a,b", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := parse(t, c.raw)
			require.Equal(t, c.want, c.read(q))
			require.NoError(t, q.Err())
		})
	}
}

func TestQuery_ArraysAreSplitAtCommas(t *testing.T) {
	t.Parallel()
	a, err := chain.ParseAddress(rawAddress)
	require.NoError(t, err)
	b, err := chain.ParseAddress(rawAddress2)
	require.NoError(t, err)
	for _, c := range []struct {
		name, raw string
		want      []chain.Address
		err       string
	}{
		{"repeated", "x=" + rawAddress + "&x=" + rawAddress2, []chain.Address{a, b}, ""},
		{"commas", "x=" + rawAddress + "," + rawAddress2, []chain.Address{a, b}, ""},
		{"commas and repeated", "x=" + rawAddress + ",&x[]=" + rawAddress2, []chain.Address{a, b}, ""},
		{"empty is no filter", "x=", nil, ""},
		{"absent is no filter", "", nil, ""},
		{"bad element", "x=" + rawAddress + "&x=zzz", []chain.Address{a}, `failed to decode: schema: error converting value for index 1 of "x"`},
		{"bad part", "x=" + rawAddress + ",zzz", []chain.Address{a}, `failed to decode: schema: error converting value for index 0 of "x"`},
		{"two bad", "x=y&x=z", nil, `failed to decode: schema: error converting value for index 0 of "x" (and 1 other error)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := parse(t, c.raw)
			require.Equal(t, c.want, q.Addresses("x"))
			if c.err == "" {
				require.NoError(t, q.Err())
				return
			}
			require.EqualError(t, q.Err(), c.err)
		})
	}
}

// Invalid values are reported with the published text, and with a detail that names the accepted form.
func TestQuery_InvalidValuesAreReported(t *testing.T) {
	t.Parallel()
	const published = `failed to decode: schema: error converting value for "x"`
	for _, c := range []struct {
		name, raw string
		read      func(*Query)
		text      string
		detail    string
	}{
		{"int32 word", "x=abc", func(q *Query) { q.Int32("x") }, published, "whole number"},
		{"int32 range", "x=2147483648", func(q *Query) { q.Int32("x") }, published, "2147483647"},
		{"uint64 negative", "x=-1", func(q *Query) { q.Uint64("x") }, published, "whole number"},
		{"uint64 fraction", "x=1.5", func(q *Query) { q.Uint64("x") }, published, "whole number"},
		{"utime negative", "x=-1", func(q *Query) { q.Utime("x") }, published, "Unix seconds"},
		{"utime negative exponent form", "x=-1e9", func(q *Query) { q.Utime("x") }, published, "Unix seconds"},
		{"utime exponent without number", "x=1e", func(q *Query) { q.Utime("x") }, published, "Unix seconds"},
		{"utime infinite", "x=1e999", func(q *Query) { q.Utime("x") }, published, "Unix seconds"},
		{"utime word", "x=1.x", func(q *Query) { q.Utime("x") }, published, "Unix seconds"},
		{"shard empty", "x=", func(q *Query) { q.Shard("x") }, published, "16 hex digits"},
		{"opcode empty", "x=", func(q *Query) { q.Opcode("x") }, published, "8 hex digits"},
		{"opcode long", "x=123456789a", func(q *Query) { q.Opcode("x") }, published, "8 hex digits"},
		{"address empty", "x=", func(q *Query) { q.Address("x") }, published, "48-character"},
		{"address without workchain", "x=" + rawAddress[2:], func(q *Query) { q.Address("x") }, published, "48-character"},
		{"address checksum", "x=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M", func(q *Query) { q.Address("x") }, published, "checksum"},
		{"hash empty", "x=", func(q *Query) { q.Hash("x") }, published, "44 characters"},
		{"hash with a lost plus", "x=+M/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=", func(q *Query) { q.Hash("x") }, published, "44 characters"},
		{"bool yes", "x=yes", func(q *Query) { q.Bool("x", false) }, published, "true or false"},
		{"bool off", "x=off", func(q *Query) { q.Bool("x", false) }, published, "true or false"},
		{"sort", "sort=up", func(q *Query) { q.Sort(chain.Descending) }, "wrong value for sort parameter", ""},
		{"direction", "x=both", func(q *Query) { q.Direction("x") }, "direction should be one of: in, out", ""},
		{"three", "x=a&y=b&z=c", func(q *Query) { q.Int32("x"); q.Int32("y"); q.Int32("z") }, published + " (and 2 other errors)", "whole number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := parse(t, c.raw)
			c.read(q)
			err := q.Err()
			require.EqualError(t, err, c.text)
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			require.Equal(t, c.text, chain.PublicMessage(err))
			var params *ParamsError
			require.ErrorAs(t, err, &params)
			if c.detail != "" {
				require.Contains(t, params.Details[0], c.detail)
			}
		})
	}
}

func TestQuery_NullableAddressAcceptsNull(t *testing.T) {
	t.Parallel()
	for _, none := range []string{"null", "addr_none"} {
		a, null := parse(t, "x="+none).NullableAddress("x")
		require.Nil(t, a)
		require.True(t, null)
	}
	a, null := parse(t, "x="+rawAddress).NullableAddress("x")
	require.Equal(t, rawAddress, a.String())
	require.False(t, null)
}

func TestQuery_SpaceAroundAddressesIsIgnored(t *testing.T) {
	t.Parallel()
	require.Equal(t, rawAddress, parse(t, "x=+"+rawAddress+"%0A").Address("x").String())
	require.Len(t, parse(t, "x="+rawAddress+",+"+rawAddress+"%09").Addresses("x"), 2)
	q := parse(t, "x=+")
	require.Nil(t, q.Address("x"))
	require.Error(t, q.Err())
}

func TestNearest_FindsMisspelledNames(t *testing.T) {
	t.Parallel()
	candidates := []string{"account", "limit", "start_lt", "end_lt"}
	require.Equal(t, "account", Nearest("acount", candidates))
	require.Equal(t, "start_lt", Nearest("START-LT", candidates))
	require.Empty(t, Nearest("banana", candidates))
	require.Empty(t, Nearest(strings.Repeat("account", 50), candidates))
}

// FuzzQuery_ReadersDoNotPanic checks that no input makes the readers panic, and that accepted values are within the
// range of their type.
func FuzzQuery_ReadersDoNotPanic(f *testing.F) {
	for _, seed := range []string{
		"limit=5&x=" + rawAddress, "x[]=a,b&y=%zz", "x=0x0f8a7ea5", "x=-9223372036854775808", "x=" + someHash,
		"x=1700000000.5&x=null", "x[=", "%5B%5D=1", "x=%00%ff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := ParseQuery(raw)
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			return
		}
		q.Address("x")
		q.Addresses("x")
		q.NullableAddress("x")
		q.Hash("x")
		q.Hashes("x")
		q.Shard("x")
		q.Opcode("x")
		q.Int32("x")
		q.Uint64("x")
		q.Utime("x")
		q.Bool("x", false)
		q.Direction("x")
		q.Lenient("x")
		require.GreaterOrEqual(t, q.Limit(10), 1)
		require.GreaterOrEqual(t, q.Offset(), 0)
		q.Sort(chain.Descending)
		if err := q.Err(); err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			require.NotEmpty(t, chain.PublicMessage(err))
		}
		for _, name := range q.Unknown() {
			require.NotEqual(t, "x", strings.ToLower(name))
		}
	})
}

// FuzzValues_RoundTrip checks that a parsed value, printed, is parsed to the same value.
func FuzzValues_RoundTrip(f *testing.F) {
	for _, seed := range []string{rawAddress, someHash, "8000000000000000", "-1", "0x10", "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := chain.ParseAddress(text); err == nil {
			again, err := chain.ParseAddress(a.String())
			require.NoError(t, err)
			require.Equal(t, a, again)
		}
		if h, err := chain.ParseHash(text); err == nil {
			again, err := chain.ParseHash(h.String())
			require.NoError(t, err)
			require.Equal(t, h, again)
		}
		if s, err := chain.ParseShard(text); err == nil {
			again, err := chain.ParseShard(s.String())
			require.NoError(t, err)
			require.Equal(t, s, again)
		}
		if op, err := parseOpcode(text); err == nil {
			again, err := parseOpcode(chain.FormatOpcode(op))
			require.NoError(t, err)
			require.Equal(t, op, again)
		}
	})
}

// Numbers at and outside the ends of their types.
func TestQuery_NumbersAtTheEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint32{
		"0xffffffff": math.MaxUint32, "ffffffff": math.MaxUint32, "0XF": 15, "-2147483648": 1 << 31, "-1": math.MaxUint32, "2147483647": math.MaxInt32, "12345678": 0x12345678,
	} {
		got, err := parseOpcode(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"-2147483649", "2147483648", "4294967296", "0x100000000", "123456789a", "0x", "", "+1x", "g"} {
		_, err := parseOpcode(text)
		require.Equal(t, chain.Invalid, chain.KindOf(err), text)
	}
	for text, want := range map[string]int32{"2147483647": math.MaxInt32, "-2147483648": math.MinInt32, "2147483648": 0, "-2147483649": 0, "x": 0, "": 0} {
		require.Equal(t, want, parse(t, "n="+text).Lenient("n"), text)
	}
	require.Zero(t, parse(t, "").Lenient("n"))
	for text, want := range map[string][2]int{"1": {1, 1}, "0": {1, 0}, "-1": {1, 0}, "-2147483648": {1, 0}, "2147483647": {math.MaxInt32, math.MaxInt32}, "": {1, 0}} {
		q := parse(t, "limit="+text+"&offset="+text)
		require.Equal(t, want, [2]int{q.Limit(10), q.Offset()}, text)
		require.NoError(t, q.Err())
	}
	q := parse(t, "")
	require.Equal(t, [2]int{10, 0}, [2]int{q.Limit(10), q.Offset()})
	require.NotNil(t, parse(t, "n=18446744073709551615").Uint64("n"))
	q = parse(t, "n=18446744073709551616")
	require.Nil(t, q.Uint64("n"))
	require.Error(t, q.Err())
}
