package conformance

import (
	"math/big"
	"slices"
	"strconv"
)

// v3List is a route that returns pages of a list. The checks of all lists are the same.
type v3List struct {
	object string // in ids of checks
	path   string
	key    string
	record string
	id     []string // member that identifies a row
	params []string // of every request

	settled   bool     // end_lt keeps the list from growing
	lt, utime string   // members that ranges compare, if there are ranges
	sorted    string   // member by which sort orders
	unordered bool     // the order without sort is not by sorted
	addresses []string // members whose addresses are in the address book
	compound  []string // further members that identify a row, where one is not enough
}

var v3Lists = []v3List{
	{object: "blocks", path: "blocks", key: "blocks", record: "Block", id: []string{"root_hash"}, settled: true, lt: "start_lt", utime: "gen_utime", sorted: "gen_utime"},
	{
		object: "transactions", path: "transactions", key: "transactions", record: "Transaction", id: []string{"hash"},
		settled: true, lt: "lt", utime: "now", sorted: "lt", addresses: []string{"account"},
	},
	{
		object: "messages", path: "messages", key: "messages", record: "Message", id: []string{"hash"}, params: []string{"exclude_externals", "true"},
		settled: true, lt: "created_lt", utime: "created_at", sorted: "created_lt", addresses: []string{"source", "destination"},
	},
	{object: "traces", path: "traces", key: "traces", record: "Trace", id: []string{"trace_id"}, settled: true, lt: "end_lt", utime: "end_utime", sorted: "end_lt"},
	{object: "actions", path: "actions", key: "actions", record: "Action", id: []string{"action_id"}, settled: true, lt: "trace_end_lt", utime: "trace_end_utime", sorted: "trace_end_lt"},
	{
		object: "jetton-masters", path: "jetton/masters", key: "jetton_masters", record: "JettonMaster", id: []string{"address"},
		addresses: []string{"address", "admin_address"},
	},
	{
		object: "jetton-wallets", path: "jetton/wallets", key: "jetton_wallets", record: "JettonWallet", id: []string{"address"},
		sorted: "balance", unordered: true, addresses: []string{"address", "owner", "jetton"},
	},
	{
		object: "jetton-transfers", path: "jetton/transfers", key: "jetton_transfers", record: "JettonTransfer", id: []string{"transaction_hash"},
		settled: true, lt: "transaction_lt", utime: "transaction_now", sorted: "transaction_lt", addresses: []string{"source", "destination", "source_wallet", "jetton_master"},
	},
	{
		object: "jetton-burns", path: "jetton/burns", key: "jetton_burns", record: "JettonBurn", id: []string{"transaction_hash"},
		settled: true, lt: "transaction_lt", utime: "transaction_now", sorted: "transaction_lt", addresses: []string{"owner", "jetton_wallet", "jetton_master"},
	},
	{object: "nft-collections", path: "nft/collections", key: "nft_collections", record: "NFTCollection", id: []string{"address"}, addresses: []string{"address", "owner_address"}},
	{
		object: "nft-items", path: "nft/items", key: "nft_items", record: "NFTItem", id: []string{"address"},
		addresses: []string{"address", "collection_address", "owner_address"},
	},
	{
		object: "nft-transfers", path: "nft/transfers", key: "nft_transfers", record: "NFTTransfer", id: []string{"transaction_hash"}, compound: []string{"nft_address"},
		settled: true, lt: "transaction_lt", utime: "transaction_now", sorted: "transaction_lt", addresses: []string{"nft_address", "old_owner", "new_owner"},
	},
}

// read returns a page.
func (l v3List) read(p *probe, pairs ...string) []value {
	return l.response(p, pairs...).at(l.key).rows()
}

func (l v3List) response(p *probe, pairs ...string) value {
	pairs = slices.Concat(l.params, pairs)
	if l.settled && !slices.Contains(pairs, "end_lt") && !slices.Contains(pairs, "end_utime") {
		pairs = append(pairs, "end_lt", p.endLT())
	}
	return p.v3(l.path, pairs...)
}

// ids identifies rows.
func (l v3List) ids(rows []value) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.text(l.id...)
		if l.compound != nil {
			ids[i] += " " + row.text(l.compound...)
		}
	}
	return ids
}

func (l v3List) checks() []Check {
	route := "`/api/v3/" + l.path + "`"
	row := func(aspect string, class Class, expect string, run func(*probe)) Check {
		return v3(l.object+"."+aspect, class, expect, run)
	}
	checks := []Check{
		row("fields", Fields, "Every row of "+route+" has the members of its record, each in its form.", func(p *probe) {
			rows := l.read(p, "limit", "50")
			for _, r := range rows {
				r.conforms(l.record)
			}
			p.someRows(rows, 1, l.key)
		}),
		row("limit", Limits, "`limit` bounds the page of "+route+", and a shorter page is the beginning of a longer one.", func(p *probe) {
			l.unchanged(p, func() ([]string, []string) {
				long, short := l.ids(l.read(p, "limit", "3")), l.ids(l.read(p, "limit", "1"))
				p.requiref(len(long) <= 3, "limit=3 returns %d rows", len(long))
				return short, long[:min(1, len(long))]
			})
		}),
		row("limit-max", Limits, "A `limit` beyond the maximum of "+route+" is refused.", func(p *probe) {
			p.v3Refused(refusedRule, l.path, "limit", "100001")
		}),
		row("offset", Paging, "Pages of "+route+" by `offset` are one list without gaps and doubles.", func(p *probe) {
			l.unchanged(p, func() ([]string, []string) {
				all := l.ids(l.read(p, "limit", "6"))
				p.distinct(all, l.key)
				var pages []string
				for offset := 0; offset < 6; offset += 2 {
					pages = append(pages, l.ids(l.read(p, "limit", "2", "offset", strconv.Itoa(offset)))...)
				}
				return pages, all
			})
		}),
	}
	if l.sorted != "" {
		checks = append(checks,
			row("sort-desc", Order, "`sort=desc` orders "+route+" by `"+l.sorted+"`, descending.", func(p *probe) { l.ordered(p, -1, "sort", "desc") }),
			row("sort-asc", Order, "`sort=asc` orders "+route+" by `"+l.sorted+"`, ascending.", func(p *probe) { l.ordered(p, 1, "sort", "asc") }),
			row("sort-invalid", Errors, "Another value of `sort` of "+route+" is refused.", func(p *probe) {
				p.v3Refused(refusedRule, l.path, "sort", "sideways")
			}),
		)
	}
	if l.sorted != "" && !l.unordered {
		checks = append(checks, row("default-order", Order, "Without `sort`, "+route+" is descending by `"+l.sorted+"`.", func(p *probe) { l.ordered(p, -1) }))
	}
	if l.lt != "" {
		checks = append(checks,
			row("lt-range", Filters, "`start_lt` and `end_lt` of "+route+" select by `"+l.lt+"`, both ends included.", func(p *probe) { l.ranged(p, l.lt, "start_lt", "end_lt") }),
			row("utime-range", Filters, "`start_utime` and `end_utime` of "+route+" select by `"+l.utime+"`, both ends included.", func(p *probe) { l.ranged(p, l.utime, "start_utime", "end_utime") }),
			row("lt-invalid", Errors, "An unreadable `start_lt` of "+route+" is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, l.path, "start_lt", "soon") }),
		)
	}
	if l.addresses != nil {
		checks = append(checks, row("address-book", Consistency, "`address_book` of "+route+" has every address of the rows.", func(p *probe) { l.addressBook(p) }))
	}
	return checks
}

// unchanged compares two readings of a list, again when the list may have changed in between.
func (l v3List) unchanged(p *probe, read func() (got, want []string)) {
	for attempt := 1; ; attempt++ {
		got, want := read()
		if slices.Equal(got, want) || attempt == 3 || p.over() {
			p.same(got, want, l.key)
			p.someRows(make([]value, len(want)), 1, l.key)
			return
		}
	}
}

// ordered reads a page and compares neighbours. The direction is 1 for ascending.
func (l v3List) ordered(p *probe, direction int, pairs ...string) {
	rows := l.read(p, append(pairs, "limit", "30")...)
	p.ordered(rows, direction, l.sorted)
	if p.someRows(rows, 2, l.key) && rows[0].integer(l.sorted).Cmp(rows[len(rows)-1].integer(l.sorted)) == 0 {
		p.skipf("all rows have the same %s", l.sorted)
	}
}

// ordered fails the check unless rows are ordered by a member.
func (p *probe) ordered(rows []value, direction int, names ...string) {
	for i := 1; i < len(rows); i++ {
		before, after := rows[i-1].integer(names...), rows[i].integer(names...)
		p.requiref(before.Cmp(after)*direction <= 0, "%s: %s comes before %s", rows[i].path, before, after)
	}
}

// ranged selects the middle of a page by a range, whose ends are values of rows.
func (l v3List) ranged(p *probe, member, start, end string) {
	page := l.read(p, "limit", "12")
	if !p.someRows(page, 2, l.key) {
		return
	}
	high, low := page[0].integer(member), page[len(page)-1].integer(member)
	for _, row := range page {
		high, low = maximum(high, row.integer(member)), minimum(low, row.integer(member))
	}
	rows := l.read(p, start, low.String(), end, high.String(), "limit", "1000")
	var highest, lowest *big.Int
	for _, row := range rows {
		n := row.integer(member)
		p.requiref(n.Cmp(low) >= 0 && n.Cmp(high) <= 0, "%s.%s is %s, outside of %s to %s", row.path, member, n, low, high)
		if highest == nil {
			highest, lowest = n, n
		}
		highest, lowest = maximum(highest, n), minimum(lowest, n)
	}
	if highest == nil {
		p.failf("no row from %s to %s, although both ends are of rows", low, high)
		return
	}
	p.requiref(highest.Cmp(high) == 0 && (lowest.Cmp(low) == 0 || len(rows) == 1000), "rows reach from %s to %s, and not to the ends %s and %s", lowest, highest, low, high)
}

func maximum(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func minimum(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// addressBook compares the addresses of rows with the address book.
func (l v3List) addressBook(p *probe) {
	response := l.response(p, "limit", "20")
	rows, listed := response.at(l.key).rows(), response.at("address_book").names()
	for _, row := range rows {
		for _, member := range l.addresses {
			if row.has(member) {
				address := row.text(member)
				p.requiref(slices.Contains(listed, address), "%s.%s %s is not in the address book", row.path, member, show(address))
			}
		}
	}
	p.someRows(rows, 1, l.key)
}
