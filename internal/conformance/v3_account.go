package conformance

import (
	"slices"
	"strings"
	"time"

	"tonql/internal/ctxtime"
)

func v3AccountChecks() []Check {
	return []Check{
		v3("account-states.fields", Fields, "`/api/v3/accountStates` has a record of each account.", func(p *probe) {
			p.v3("accountStates", "address", p.busiest()).at("accounts").is("[AccountState]")
		}),
		v3("account-states.rows", Filters, "`/api/v3/accountStates` has exactly the accounts of the request, each once.", func(p *probe) {
			a, b := p.busiest(), p.received().text("in_msg", "source")
			want := slices.Compact(slices.Sorted(slices.Values([]string{a, b})))
			p.sameSet(column(p.v3("accountStates", "address", a, "address", b).at("accounts").rows(), "address"), want, "accounts")
		}),
		v3("account-states.unknown", Filters, "`/api/v3/accountStates` leaves out an account that never was.", func(p *probe) {
			p.same(column(p.v3("accountStates", "address", nobody).at("accounts").rows(), "address"), nil, "accounts")
		}),
		v3("account-states.no-boc", Fields, "With `include_boc=false`, code and data are left out.", func(p *probe) {
			row := p.first(p.v3("accountStates", "address", p.busiest(), "include_boc", "false").at("accounts"), "accounts")
			p.requiref(!row.has("code_boc") && !row.has("data_boc"), "code_boc or data_boc is there")
		}),
		v3("account-states.code-hash", Consistency, "`code_hash` and `data_hash` are the hashes of the cells in `code_boc` and `data_boc`.", func(p *probe) {
			row := p.first(p.v3("accountStates", "address", p.busiest()).at("accounts"), "accounts")
			for _, part := range []string{"code", "data"} {
				if row.has(part + "_boc") {
					p.cellHash(row.at(part+"_boc"), row.text(part+"_hash"))
				}
			}
			p.requiref(row.has("code_boc") || row.text("status") != "active" || p.over(), "an active account has no code")
		}),
		v3("account-states.missing", Errors, "`/api/v3/accountStates` without an address is refused.", func(p *probe) { p.v3Refused(refusedParameter, "accountStates") }),
		v3("account-states.invalid", Errors, "`/api/v3/accountStates` with an unreadable address is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "accountStates", "address", "someone") }),
		v3("wallet-states.fields", Fields, "`/api/v3/walletStates` has a record of each account, also of those that are no wallets.", func(p *probe) {
			p.v3("walletStates", "address", p.busiest()).at("wallets").is("[WalletState]")
			p.same(column(p.v3("walletStates", "address", p.busiest()).at("wallets").rows(), "address"), []string{p.busiest()}, "wallets")
		}),
		v3("wallet-states.wallet", Consistency, "A contract whose code hash is that of a standard wallet is a wallet, with its type and seqno.", func(p *probe) {
			row := p.wallet()
			p.requiref(row.truth("is_wallet"), "is_wallet is false")
			p.equal(row.text("wallet_type"), walletTypes[row.text("code_hash")], "wallet_type")
			row.at("seqno").is("int")
		}),
		v3("address-book.entry", Encoding, "`/api/v3/addressBook` maps the text that was sent to the user-friendly form of the same account.", func(p *probe) {
			for _, form := range []string{p.busiest(), strings.ToLower(p.busiest())} {
				entry := p.v3("addressBook", "address", form).at(form)
				entry.conforms("BookEntry")
				p.equal(rawOf(entry.text("user_friendly")), p.busiest(), "user_friendly")
			}
		}),
		v3("address-book.invalid", Fields, "`/api/v3/addressBook` has an entry without an address for a text that is none.", func(p *probe) {
			entry := p.v3("addressBook", "address", "someone").at("someone")
			p.requiref(entry.at("user_friendly").null(), "user_friendly is not null")
		}),
		v3("address-book.missing", Errors, "`/api/v3/addressBook` without an address is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "addressBook") }),
		v3("metadata.missing", Errors, "`/api/v3/metadata` without an address is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "metadata") }),
		v3("metadata.entry", Fields, "`/api/v3/metadata` has an entry of a Jetton master, and of no account that is no token.", func(p *probe) {
			master := p.owned("jetton/masters", "jetton_masters").text("address")
			response := p.v3("metadata", "address", master, "address", nobody)
			p.same(response.names(), []string{master}, "addresses")
			response.is("{MetadataEntry}")
			p.equal(p.first(response.at(master, "token_info"), "kinds of token").text("type"), "jetton_masters", "type")
		}),
		v3("top-accounts.fields", Fields, "`/api/v3/topAccountsByBalance` is an array of accounts and balances.", func(p *probe) { p.v3("topAccountsByBalance", "limit", "20").is("[TopAccount]") }),
		v3("top-accounts.order", Order, "`/api/v3/topAccountsByBalance` is descending by balance.", func(p *probe) {
			rows := p.v3("topAccountsByBalance", "limit", "20").rows()
			p.ordered(rows, -1, "balance")
			p.distinct(column(rows, "account"), "accounts")
			p.someRows(rows, 2, "accounts")
		}),
		v3("top-accounts.limit", Limits, "`limit` bounds `/api/v3/topAccountsByBalance`.", func(p *probe) {
			p.requiref(len(p.v3("topAccountsByBalance", "limit", "2").rows()) == 2 || p.over(), "limit=2 does not return two rows")
		}),
		v3("address-information.fields", Fields, "`/api/v3/addressInformation` has balance, code, data, last transaction and status.", func(p *probe) {
			p.v3("addressInformation", "address", p.busiest(), "use_v2", "false").conforms("Information")
		}),
		v3("address-information.agrees", Consistency, "`/api/v3/addressInformation` and `/api/v3/accountStates` have the same state.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				a := p.v3("addressInformation", "address", p.busiest(), "use_v2", "false")
				b := p.first(p.v3("accountStates", "address", p.busiest()).at("accounts"), "accounts")
				return []string{a.text("balance"), a.text("last_transaction_lt"), a.text("last_transaction_hash"), a.text("status")},
					[]string{b.text("balance"), b.text("last_transaction_lt"), b.text("last_transaction_hash"), b.text("status")}
			})
		}),
		v3("address-information.missing", Errors, "`/api/v3/addressInformation` without an address is refused.", func(p *probe) { p.v3Refused(refusedMissing, "addressInformation") }),
		v3("wallet-information.agrees", Consistency, "`/api/v3/walletInformation` of a wallet has the seqno and type that `/api/v3/walletStates` has.", func(p *probe) {
			address := p.wallet().text("address")
			p.unchanged(func() ([]string, []string) {
				a := p.v3("walletInformation", "address", address, "use_v2", "false")
				b := p.first(p.v3("walletStates", "address", address).at("wallets"), "wallets")
				return []string{a.text("seqno"), a.text("wallet_type"), a.text("balance")}, []string{b.text("seqno"), b.text("wallet_type"), b.text("balance")}
			})
		}),
		v3("wallet-information.no-wallet", Errors, "`/api/v3/walletInformation` of a contract that is no wallet is 409.", func(p *probe) {
			p.v3Refused([]int{409}, "walletInformation", "use_v2", "false", "address", p.owned("jetton/masters", "jetton_masters").text("address"))
		}),
	}
}

// nobody is an address whose account never was.
const nobody = "0:DEAD00000000000000000000000000000000000000000000000000000000BEEF"

// walletTypes are the types of standard wallets by code hash.
var walletTypes = map[string]string{
	"oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=": "wallet v1 r1", "1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=": "wallet v1 r2",
	"WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=": "wallet v1 r3", "XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=": "wallet v2 r1",
	"/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=": "wallet v2 r2", "thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=": "wallet v3 r1",
	"hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=": "wallet v3 r2", "ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=": "wallet v4 r1",
	"/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=": "wallet v4 r2", "IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=": "wallet v5 r1",
}

// wallet is the state of an account of the sample whose code is a standard wallet's.
func (p *probe) wallet() value {
	return p.fact("wallet", func() value {
		var pairs []string
		for _, tx := range p.sample().rows() {
			if account := tx.text("account"); len(pairs) < 100 && !slices.Contains(pairs, account) {
				pairs = append(pairs, "address", account)
			}
		}
		if len(pairs) == 0 {
			p.failf("the sample of transactions is empty")
		}
		for _, row := range p.v3("walletStates", pairs...).at("wallets").rows() {
			if row.has("code_hash") && walletTypes[row.text("code_hash")] != "" {
				return row
			}
		}
		p.skipf("no account of the sample is a standard wallet")
		return value{p: p, path: "wallet"}
	})
}

// unchanged compares two readings of what may change between them. A server may serve the one a moment later than the
// other, so readings that differ are repeated after pauses of 0.1 to 0.8 s.
func (p *probe) unchanged(read func() (got, want []string)) {
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		got, want := read()
		if slices.Equal(got, want) || pause > 800*time.Millisecond || p.over() || !ctxtime.Sleep(p.ctx, pause) {
			p.same(got, want, "members")
			return
		}
	}
}
