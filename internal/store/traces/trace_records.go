package traces

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// RecordRequests are accounts whose records are wanted at the ends of traces.
type RecordRequests struct {
	traces   []chain.Hash
	accounts []chain.Address
	seqnos   []int64
	data     []bool // the account's data are requested too
}

// Add requests the accounts without a record. They get an empty record, so that each is requested once.
func (q *RecordRequests) Add(t *chain.Trace, accounts []chain.Address, data bool, found chain.TraceRecords) {
	for _, a := range accounts {
		if found[a] != nil {
			continue
		}
		found[a] = &chain.TraceRecord{}
		q.traces = append(q.traces, t.ID)
		q.accounts = append(q.accounts, a)
		q.data = append(q.data, data)
		q.seqnos = append(q.seqnos, int64(t.McSeqnoEnd))
	}
}

// As of the end of a trace is: the newest state of those that the blocks up to its last one committed. So the result
// is the same whatever is indexed of later ones. The LTs of these blocks bound the search; they do not suffice, because a shard
// block of the next masterchain block may begin before the end of this one.
const (
	recordKeys = ` FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY k(account, seqno, n)
		CROSS JOIN LATERAL (SELECT max(b.end_lt) AS lt FROM blocks b WHERE b.mc_seqno = k.seqno) b`

	selectWalletsThen = `SELECT k.n, h.mc_seqno, h.owner, h.jetton` + recordKeys + ` CROSS JOIN LATERAL (
		SELECT h.mc_seqno, h.owner, h.jetton FROM jetton_balances h
		WHERE h.wallet = k.account AND h.lt <= b.lt AND h.mc_seqno <= k.seqno ORDER BY h.lt DESC LIMIT 1) h`
	selectSalesThen = `SELECT k.n, h.mc_seqno, h.kind, h.nft, h.nft_owner, h.marketplace, h.price` + recordKeys + ` CROSS JOIN LATERAL (
		SELECT h.* FROM nft_sale_records h
		WHERE h.address = k.account AND h.lt <= b.lt AND h.mc_seqno <= k.seqno ORDER BY h.lt DESC LIMIT 1) h`
	// The newest code of the last 64 states: an account that has had none for longer would cost a walk along all its transactions.
	selectCodesThen = `SELECT k.n, s.code_hash, s.data_hash` + recordKeys + ` CROSS JOIN LATERAL (
		SELECT s.code_hash, s.data_hash FROM (
			(SELECT t.lt, ` + transactions.CodeOfStates + ` AS code_hash, ` + transactions.DataOfStates + ` AS data_hash FROM (
				SELECT t.lt, t.states FROM transactions t
				WHERE t.account = k.account AND t.lt <= b.lt AND (t.mc_seqno <= k.seqno) IS TRUE ORDER BY t.lt DESC LIMIT 64) t
			WHERE ` + transactions.StatesHaveCode + ` ORDER BY t.lt DESC LIMIT 1)
			UNION ALL (SELECT s.lt, s.code_hash, s.data_hash FROM (
				SELECT s.lt, s.code_hash, s.data_hash FROM account_states s WHERE s.account = k.account AND s.lt <= b.lt ORDER BY s.lt DESC LIMIT 64) s
			WHERE s.code_hash IS NOT NULL AND COALESCE((SELECT t.mc_seqno FROM transactions t
				WHERE t.account = k.account AND t.lt = s.lt), 0) <= k.seqno ORDER BY s.lt DESC LIMIT 1)
		) s ORDER BY s.lt DESC LIMIT 1) s`
)

var (
	// Contents and orders may be large, and a batch of traces has thousands of these accounts, so only what the classifier uses is read.
	// An item that was destroyed since has its history only.
	selectItemsThen = `SELECT k.n, h.mc_seqno, h.owner, coalesce(i.item_index, h.item_index), coalesce(i.collection, h.collection), substr(i.content::text, nullif(strpos(i.content::text, '` + keyOfURI + `'), 0), ` + strconv.Itoa(maxURI) + `),
		i.domain, i.code_hash` + recordKeys + ` CROSS JOIN LATERAL (
		SELECT h.mc_seqno, h.owner, h.item_index, h.collection FROM nft_owners h
		WHERE h.item = k.account AND h.lt <= b.lt AND h.mc_seqno <= k.seqno ORDER BY h.lt DESC LIMIT 1) h
		LEFT JOIN nft_items i ON i.address = k.account WHERE i.address IS NOT NULL OR h.item_index IS NOT NULL`
	selectOrdersThen = `SELECT k.n, c.multisig, c.signers FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY k(account, seqno, n)
		JOIN multisig_orders c ON c.address = k.account`
)

// Large data are stored in parts (internal/cellparts). The classifier reads the first cell alone, so parts are not joined.
const selectDataCells = `SELECT c.hash, c.boc FROM unnest($1::bytea[]) k(hash) JOIN cells c ON c.hash = k.hash`

// recordResults stores the records by trace and account.
type recordResults struct {
	*RecordRequests

	found map[chain.Hash]chain.TraceRecords
	// cells are the hashes of data cells still to be read, with the numbers of their requests.
	cells map[chain.Hash][]int64
}

// record returns the record of request n, which counts from one.
func (a *recordResults) record(n int64) *chain.TraceRecord {
	return a.found[a.traces[n-1]][a.accounts[n-1]]
}

// Read reads all records in one round trip, and in a second the data that the classifier reads itself.
func (q *RecordRequests) Read(ctx context.Context, tx sqlbuild.Source, into map[chain.Hash]chain.TraceRecords) error {
	if len(q.accounts) == 0 {
		return nil
	}
	a := &recordResults{RecordRequests: q, found: into, cells: map[chain.Hash][]int64{}}
	accounts := sqlbuild.AddressArray(q.accounts)
	b := &pgx.Batch{}
	for _, query := range []struct {
		text string
		read func(*sqlbuild.Row)
	}{
		{selectWalletsThen, a.wallet},
		{selectSalesThen, a.sale},
		{selectCodesThen, a.code},
		{selectItemsThen, a.item},
		{selectOrdersThen, a.order},
	} {
		b.Queue(query.text, accounts, q.seqnos).Query(func(rows pgx.Rows) error { return sqlbuild.VisitRows(rows, query.read) })
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("records of contracts: %w", err)
	}
	return a.readData(ctx, tx)
}

func (a *recordResults) wallet(r *sqlbuild.Row) {
	record := a.record(r.Int8())
	record.McSeqno = max(record.McSeqno, r.Uint32())
	record.JettonWallet = &chain.JettonWallet{Owner: r.Address(), Jetton: r.Address()}
}

func (a *recordResults) sale(r *sqlbuild.Row) {
	n := r.Int8()
	seqno := r.Uint32()
	s := &chain.NFTSale{Address: a.accounts[n-1], Kind: chain.NFTSaleKind(r.Int2())}
	s.NFT = r.SetAddress(new(chain.Address))
	s.NFTOwner = r.SetAddress(new(chain.Address))
	s.Marketplace = r.SetAddress(new(chain.Address))
	price := r.Numeric()
	switch s.Kind {
	case chain.FixedPriceSale:
		s.FixedPrice = &chain.NFTFixedPrice{FullPrice: price}
	case chain.AuctionSale:
		s.Auction = &chain.NFTAuction{LastBid: price}
	case chain.TelemintSale:
		s.Telemint = &chain.TelemintAuction{Bid: price}
	}
	record := a.record(n)
	record.NFTSale, record.McSeqno = s, max(record.McSeqno, seqno)
}

func (a *recordResults) code(r *sqlbuild.Row) {
	n := r.Int8()
	code := r.Hash()
	a.record(n).CodeHash = &code
	if data := r.SetHash(new(chain.Hash)); data != nil && a.data[n-1] {
		a.cells[*data] = append(a.cells[*data], n)
	}
}

func (a *recordResults) item(r *sqlbuild.Row) {
	n := r.Int8()
	seqno := r.Uint32()
	item := &chain.NFTItem{Address: a.accounts[n-1]}
	item.Owner = r.SetAddress(new(chain.Address))
	item.Index = r.Numeric()
	item.Collection = r.AddressOrEmpty(new(chain.Address))
	item.Content = chain.Content{}
	if uri := r.SetText(); uri != nil {
		item.Content["uri"] = uriOf(*uri)
	}
	item.Domain = r.Text()
	item.CodeHash = r.HashOrZero()
	record := a.record(n)
	record.NFTItem, record.McSeqno = item, max(record.McSeqno, seqno)
}

func (a *recordResults) order(r *sqlbuild.Row) {
	n := r.Int8()
	a.record(n).MultisigOrder = &chain.MultisigOrder{Address: a.accounts[n-1], Multisig: r.Address(), Signers: r.Addresses()}
}

func (a *recordResults) readData(ctx context.Context, tx sqlbuild.Source) error {
	if len(a.cells) == 0 {
		return nil
	}
	hashes := make([]chain.Hash, 0, len(a.cells))
	for h := range a.cells {
		hashes = append(hashes, h)
	}
	rows, err := tx.Query(ctx, selectDataCells, sqlbuild.HashArray(hashes))
	if err != nil {
		return fmt.Errorf("data of contracts: %w", err)
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		hash, boc := r.Hash(), r.Bytes()
		for _, n := range a.cells[hash] {
			a.record(n).Data = boc
		}
	})
	if err != nil {
		return fmt.Errorf("data of contracts: %w", err)
	}
	return nil
}

const (
	// keyOfURI is where the URI begins in the JSON of a content, in which no value has a quote without a backslash. PostgreSQL reads the text
	// of the JSON, because it refuses each of its values if one has NUL.
	keyOfURI = `"uri":"`
	// maxURI is how much of it is read: a character has up to six bytes.
	maxURI = len(keyOfURI) + 6*chain.MaxTraceURI
)

// uriOf returns the first characters of the URI in a part of the JSON of a content that begins with its key.
func uriOf(text string) (uri string) {
	const longest = len(`\u0000`)
	text = text[len(keyOfURI)-1:]
	end := 1
	for ; end < len(text) && text[end] != '"'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	text = text[:min(end, len(text))]
	for range longest {
		if json.Unmarshal([]byte(text+`"`), &uri) == nil {
			break
		}
		text = text[:max(len(text)-1, 0)] // it ends within a character
	}
	if r := []rune(uri); len(r) > chain.MaxTraceURI {
		return string(r[:chain.MaxTraceURI])
	}
	return uri
}
