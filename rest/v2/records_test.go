package v2_test

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	v2 "tonql/rest/v2"
)

// dnsEntries has a DNS record of each type under its usual category, and one that no type fits.
func dnsEntries() []chain.DNSEntry {
	a := &chain.Address{ID: [32]byte{0xab}}
	category := func(name string) chain.Hash { return sha256.Sum256([]byte(name)) }
	return []chain.DNSEntry{
		{Category: category("wallet"), Wallet: a},
		{Category: category("text"), Text: new("hello")},
		{Category: category("site"), ADNL: &chain.Hash{0xcd}},
		{Category: category("dns_next_resolver"), NextResolver: a},
		{Category: category("storage"), StorageBag: &chain.Hash{0xef}},
		{Category: chain.Hash{0xfe}, StorageBag: &chain.Hash{0xef}},
		{Category: chain.Hash{0xdc}, Cell: cell.BeginCell().EndCell()},
	}
}

// getTokenData omits the types that the published form has no object for, and writes other categories in upper-case hex.
func TestTokenData_RecordsAreThoseOfThePublishedForm(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 62)
	address := `{"@type":"addr_std","workchain_id":0,"address":"ab` + zeros + `"}`
	require.Equal(t, `{"wallet":{"@type":"dns_smc_address","smc_addr":`+address+`},"site":{"@type":"dns_adnl_address","adnl_addr":"cd`+zeros+`"},`+
		`"dns_next_resolver":{"@type":"dns_next_resolver","resolver":`+address+`},"storage":{"@type":"dns_storage_address","bag_id":"ef`+zeros+`"},`+
		`"FE`+zeros+`":{"@type":"dns_storage_address","bag_id":"ef`+zeros+`"}}`, string(v2.AppendRecords(nil, dnsEntries())))
	require.Equal(t, `{}`, string(v2.AppendRecords(nil, dnsEntries()[1:2])))
}

func TestDNSResolve_EntriesAreThoseOfThePublishedForm(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 62)
	address := (&chain.Address{ID: [32]byte{0xab}}).Friendly(true, false)
	adnl := chain.ADNLText(chain.Hash{0xcd})
	require.Len(t, adnl, 55)
	for i, want := range []string{
		`{"@type":"dns.entryDataSmcAddress","smc_address":{"@type":"accountAddress","account_address":"` + address + `"}}`,
		`{"@type":"dns.entryDataText","text":"hello"}`,
		`{"@type":"dns.entryDataAdnlAddress","adnl_address":{"@type":"adnlAddress","adnl_address":"` + adnl + `"}}`,
		`{"@type":"dns.entryDataNextResolver","resolver":{"@type":"accountAddress","account_address":"` + address + `"}}`,
		`{"@type":"dns.entryDataStorageAddress","bag_id":"ef` + zeros + `"}`,
		`{"@type":"dns.entryDataStorageAddress","bag_id":"ef` + zeros + `"}`,
		`{"@type":"dns.entryDataUnknown","bytes":"te6cckEBAQEAAgAAAEysuc0="}`,
	} {
		require.JSONEq(t, want, string(v2.AppendEntryData(nil, &dnsEntries()[i])))
	}
}

// A comment is text if its cells are a chain of complete bytes; any other body is a bag of cells, whose first cell is the text.
func TestMessageBody_CommentsAreChainsOfBytes(t *testing.T) {
	t.Parallel()
	chained := func(op uint64, parts ...string) *cell.Cell {
		var next *cell.Cell
		for i, part := range slices.Backward(parts) {
			b := cell.BeginCell()
			if i == 0 {
				b.MustStoreUInt(op, 32)
			}
			b.MustStoreSlice([]byte(part), uint(8*len(part)))
			if next != nil {
				b.MustStoreRef(next)
			}
			next = b.EndCell()
		}
		return next
	}
	const encrypted = 0x2167da4b
	empty := cell.BeginCell().EndCell()
	for name, tc := range map[string]struct {
		body                *cell.Cell
		kind, text, message string
	}{
		"text":                       {chained(0, "hel", "lo"), "msg.dataText", "aGVsbG8=", "hello"},
		"no text":                    {chained(0, ""), "msg.dataText", "", ""},
		"not UTF-8":                  {chained(0, "a\xffb"), "msg.dataText", "Yf9i", "a\ufffdb"},
		"encrypted":                  {chained(encrypted, "hel", "lo"), "msg.dataEncryptedText", "aGVsbG8=", "hello"},
		"two references":             {cell.BeginCell().MustStoreUInt(0, 32).MustStoreRef(empty).MustStoreRef(empty).EndCell(), "msg.dataText", "", ""},
		"a byte that is not full":    {cell.BeginCell().MustStoreUInt(0, 32).MustStoreUInt(5, 4).EndCell(), "msg.dataRaw", "", "AAAAAFA=\n"},
		"such a byte, further below": {cell.BeginCell().MustStoreUInt(0, 32).MustStoreRef(cell.BeginCell().MustStoreUInt(5, 4).EndCell()).EndCell(), "msg.dataRaw", "", "AAAAAA==\n"},
		"another opcode":             {chained(7, "hello"), "msg.dataRaw", "", "AAAAB2hlbGxv\n"},
	} {
		s := tc.body.MustBeginParse()
		op, err := s.LoadUInt(32)
		require.NoError(t, err)
		m := &chain.Message{Opcode: new(uint32(op)), Body: tc.body.ToBOC()}
		var got struct {
			Data struct {
				Type string `json:"@type"`
				Text string
				Body string
			}
			Message *string
		}
		require.NoError(t, json.Unmarshal(append(v2.AppendBody([]byte(`{"data":`), m, true), '}'), &got), name)
		require.Equal(t, tc.kind, got.Data.Type, name)
		require.Equal(t, tc.text, got.Data.Text, name)
		require.Equal(t, tc.kind == "msg.dataRaw", got.Data.Body != "", name)
		require.NotNil(t, got.Message, name)
		require.Equal(t, tc.message, *got.Message, name)
		require.NotContains(t, string(v2.AppendBody(nil, m, false)), `"message"`, "objects of the standard form have none")
	}
}
