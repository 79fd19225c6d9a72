package conformance

func v3TokenChecks() []Check {
	master := func(p *probe) value { return p.owned("jetton/masters", "jetton_masters") }
	wallet := func(p *probe) value {
		return p.owned("jetton/wallets", "jetton_wallets", "exclude_zero_balance", "true")
	}
	transfer := func(p *probe) value { return p.owned("jetton/transfers", "jetton_transfers", "end_lt", p.endLT()) }
	item := func(p *probe) value {
		return p.fact("item of a collection", func() value {
			for _, row := range p.v3("nft/items", "limit", "100").at("nft_items").rows() {
				if row.has("collection_address") && row.has("owner_address") {
					return row
				}
			}
			p.skipf("no NFT of the first 100 has a collection and an owner")
			return value{p: p, path: "item"}
		})
	}
	moved := func(p *probe) value { return p.owned("nft/transfers", "nft_transfers", "end_lt", p.endLT()) }
	// selects reads a list by a filter: all rows have the value, and there are some.
	selects := func(p *probe, path, key, filter, member, want string, more ...string) {
		rows := p.v3(path, append(more, filter, want, "limit", "20")...).at(key).rows()
		for _, row := range rows {
			p.equal(row.text(member), want, row.path+"."+member)
		}
		p.requiref(len(rows) > 0 || p.over(), "no row with %s %s, although there is one", member, show(want))
	}
	return []Check{
		v3("jetton-masters.by-address", Filters, "`address` finds exactly that master.", func(p *probe) {
			a := master(p).text("address")
			p.same(column(p.v3("jetton/masters", "address", a).at("jetton_masters").rows(), "address"), []string{a}, "masters")
		}),
		v3("jetton-masters.by-admin", Filters, "`admin_address` selects masters of that admin only.", func(p *probe) {
			if !master(p).has("admin_address") {
				p.skipf("the first master has no admin")
			}
			selects(p, "jetton/masters", "jetton_masters", "admin_address", "admin_address", master(p).text("admin_address"))
		}),
		v3("jetton-masters.unknown", Filters, "An account that is no master finds nothing.", func(p *probe) {
			p.same(column(p.v3("jetton/masters", "address", nobody).at("jetton_masters").rows(), "address"), nil, "masters")
		}),
		v3("jetton-masters.address-invalid", Errors, "An unreadable `address` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "jetton/masters", "address", "gold") }),
		v3("jetton-wallets.by-address", Filters, "`address` finds exactly that wallet.", func(p *probe) {
			a := wallet(p).text("address")
			p.same(column(p.v3("jetton/wallets", "address", a).at("jetton_wallets").rows(), "address"), []string{a}, "wallets")
		}),
		v3("jetton-wallets.by-owner", Filters, "`owner_address` selects wallets of that owner only.", func(p *probe) {
			selects(p, "jetton/wallets", "jetton_wallets", "owner_address", "owner", wallet(p).text("owner"))
		}),
		v3("jetton-wallets.by-jetton", Filters, "`jetton_address` selects wallets of that Jetton only.", func(p *probe) {
			selects(p, "jetton/wallets", "jetton_wallets", "jetton_address", "jetton", wallet(p).text("jetton"))
		}),
		v3("jetton-wallets.one", Consistency, "An owner has one wallet of a Jetton.", func(p *probe) {
			w := wallet(p)
			rows := p.v3("jetton/wallets", "owner_address", w.text("owner"), "jetton_address", w.text("jetton")).at("jetton_wallets").rows()
			p.same(column(rows, "address"), []string{w.text("address")}, "wallets")
		}),
		v3("jetton-wallets.exclude-zero", Filters, "`exclude_zero_balance=true` leaves out empty wallets.", func(p *probe) {
			rows := p.v3("jetton/wallets", "exclude_zero_balance", "true", "limit", "100").at("jetton_wallets").rows()
			for _, row := range rows {
				p.requiref(row.integer("balance").Sign() > 0, "%s is empty", row.path)
			}
			p.someRows(rows, 1, "Jetton wallets")
		}),
		v3("jetton-wallets.master", Consistency, "The Jetton of a wallet is in `/api/v3/jetton/masters`, and names the wallet's code.", func(p *probe) {
			w := wallet(p)
			m := p.first(p.v3("jetton/masters", "address", w.text("jetton")).at("jetton_masters"), "masters of a wallet")
			p.equal(m.text("address"), w.text("jetton"), "address")
		}),
		v3("jetton-transfers.by-master", Filters, "`jetton_master` selects transfers of that Jetton only.", func(p *probe) {
			selects(p, "jetton/transfers", "jetton_transfers", "jetton_master", "jetton_master", transfer(p).text("jetton_master"))
		}),
		v3("jetton-transfers.by-wallet", Filters, "`jetton_wallet` selects transfers that the wallet sent.", func(p *probe) {
			selects(p, "jetton/transfers", "jetton_transfers", "jetton_wallet", "source_wallet", transfer(p).text("source_wallet"))
		}),
		v3("jetton-transfers.by-owner-out", Filters, "`owner_address` with `direction=out` selects transfers of that sender only.", func(p *probe) {
			selects(p, "jetton/transfers", "jetton_transfers", "owner_address", "source", transfer(p).text("source"), "direction", "out")
		}),
		v3("jetton-transfers.by-owner-in", Filters, "`owner_address` with `direction=in` selects transfers to that receiver only.", func(p *probe) {
			if !transfer(p).has("destination") {
				p.skipf("the transfer has no destination")
			}
			selects(p, "jetton/transfers", "jetton_transfers", "owner_address", "destination", transfer(p).text("destination"), "direction", "in")
		}),
		v3("jetton-transfers.transaction", Consistency, "The transaction of a transfer is one of the wallet that sent it, at the same LT and time.", func(p *probe) {
			t := transfer(p)
			tx := p.first(p.v3("transactions", "hash", t.text("transaction_hash")).at("transactions"), "transactions of a transfer")
			p.equal(tx.text("account"), t.text("source_wallet"), "account")
			p.equal(tx.text("lt"), t.text("transaction_lt"), "lt")
			p.equal(tx.text("now"), t.text("transaction_now"), "now")
			p.requiref(tx.at("description").has("aborted") && tx.truth("description", "aborted") == t.truth("transaction_aborted"), "aborted differs")
		}),
		v3("nft-collections.by-address", Filters, "`collection_address` finds exactly that collection.", func(p *probe) {
			a := p.owned("nft/collections", "nft_collections").text("address")
			p.same(column(p.v3("nft/collections", "collection_address", a).at("nft_collections").rows(), "address"), []string{a}, "collections")
		}),
		v3("nft-items.by-address", Filters, "`address` finds exactly that item.", func(p *probe) {
			a := item(p).text("address")
			p.same(column(p.v3("nft/items", "address", a).at("nft_items").rows(), "address"), []string{a}, "items")
		}),
		v3("nft-items.by-collection", Filters, "`collection_address` selects items of that collection only.", func(p *probe) {
			selects(p, "nft/items", "nft_items", "collection_address", "collection_address", item(p).text("collection_address"))
		}),
		v3("nft-items.by-owner", Filters, "`owner_address` selects items of that owner only.", func(p *probe) {
			selects(p, "nft/items", "nft_items", "owner_address", "owner_address", item(p).text("owner_address"))
		}),
		v3("nft-items.by-index", Filters, "`collection_address` with `index` finds exactly one item.", func(p *probe) {
			i := item(p)
			rows := p.v3("nft/items", "collection_address", i.text("collection_address"), "index", i.text("index")).at("nft_items").rows()
			p.same(column(rows, "address"), []string{i.text("address")}, "items")
		}),
		v3("nft-items.collection", Consistency, "`collection` of an item is the collection of its address.", func(p *probe) {
			p.equal(item(p).text("collection", "address"), item(p).text("collection_address"), "collection.address")
		}),
		v3("nft-items.index-alone", Errors, "`index` without a collection is refused.", func(p *probe) { p.v3Refused(refusedRule, "nft/items", "index", "1") }),
		v3("nft-transfers.by-item", Filters, "`item_address` selects transfers of that item only.", func(p *probe) {
			selects(p, "nft/transfers", "nft_transfers", "item_address", "nft_address", moved(p).text("nft_address"))
		}),
		v3("nft-transfers.by-owner-out", Filters, "`owner_address` with `direction=out` selects transfers by that owner only.", func(p *probe) {
			selects(p, "nft/transfers", "nft_transfers", "owner_address", "old_owner", moved(p).text("old_owner"), "direction", "out")
		}),
		v3("nft-transfers.transaction", Consistency, "The transaction of an NFT transfer is one of the item.", func(p *probe) {
			t := moved(p)
			tx := p.first(p.v3("transactions", "hash", t.text("transaction_hash")).at("transactions"), "transactions of a transfer")
			p.equal(tx.text("account"), t.text("nft_address"), "account")
			p.equal(tx.text("lt"), t.text("transaction_lt"), "lt")
		}),
		v3("dns.missing", Errors, "`/api/v3/dns/records` without a wallet and a domain is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "dns/records") }),
		v3("dns.empty", Routes, "`/api/v3/dns/records` of a wallet without domains is an empty list.", func(p *probe) {
			p.same(column(p.v3("dns/records", "wallet", nobody).at("records").rows(), "domain"), nil, "records")
		}),
		v3("multisig-wallets.missing", Errors, "`/api/v3/multisig/wallets` without an address is refused.", func(p *probe) { p.v3Refused(refusedRule, "multisig/wallets") }),
		v3("multisig-wallets.empty", Routes, "`/api/v3/multisig/wallets` of an account that is none is an empty list.", func(p *probe) {
			p.same(column(p.v3("multisig/wallets", "address", nobody).at("multisigs").rows(), "address"), nil, "multisigs")
		}),
		v3("multisig-orders.empty", Routes, "`/api/v3/multisig/orders` of an account that is none is an empty list.", func(p *probe) {
			p.same(column(p.v3("multisig/orders", "address", nobody).at("orders").rows(), "address"), nil, "orders")
		}),
		v3("staking-pool.absent", Errors, "`/api/v3/staking/nominatorPools/pool` of an account that is no pool is 404.", func(p *probe) {
			p.v3Refused(refusedNotFound, "staking/nominatorPools/pool", "pool", nobody)
		}),
		v3("staking-nominator.empty", Routes, "`/api/v3/staking/nominatorPools/nominator` of an account that is none is an empty list.", func(p *probe) {
			p.same(column(p.v3("staking/nominatorPools/nominator", "nominator", nobody).at("nominator_pools").rows(), "pool_address"), nil, "pools")
		}),
		v3("staking-events.empty", Routes, "`/api/v3/staking/nominatorPools/nominatorEvents` of an account that is no pool is an empty list.", func(p *probe) {
			p.same(column(p.v3("staking/nominatorPools/nominatorEvents", "pool", nobody).at("events").rows(), "tx_hash"), nil, "events")
		}),
		v3("staking-rewards.times", Errors, "`start_utime` after `end_utime` is refused by `/api/v3/staking/nominatorPools/nominatorRewards`.", func(p *probe) {
			p.v3Refused(refusedParameter, "staking/nominatorPools/nominatorRewards", "pool", nobody, "nominator", nobody, "start_utime", "2", "end_utime", "1")
		}),
		v3("validator-cycles.set", Fields, "A cycle of `/api/v3/validators/cycles` has as many validators as it says, by index, and ends after it begins.", func(p *probe) {
			for _, row := range p.v3("validators/cycles", "limit", "2", "return_validators", "true").at("cycles").rows() {
				validators := row.at("validators").rows()
				p.requiref(row.small("total") == int64(len(validators)), "%d validators, total is %d", len(validators), row.small("total"))
				for i, v := range validators {
					p.requiref(v.small("validator_index") == int64(i), "validator %d has the index %d", i, v.small("validator_index"))
				}
				p.requiref(row.small("cycle_start") < row.small("cycle_end"), "a cycle that ends before it begins")
			}
		}),
		v3("validator-elections.times", Errors, "`start_utime` after `end_utime` is refused by `/api/v3/validators/elections`.", func(p *probe) {
			p.v3Refused(refusedParameter, "validators/elections", "start_utime", "2", "end_utime", "1")
		}),
		v3("validator-events.empty", Routes, "`/api/v3/validators/events` of an account that is none is an empty list.", func(p *probe) {
			p.same(column(p.v3("validators/events", "stake_holder_address", nobody).at("events").rows(), "tx_hash"), nil, "events")
		}),
		v3("validator-complaints.times", Errors, "`start_utime` after `end_utime` is refused by `/api/v3/validators/complaints`.", func(p *probe) {
			p.v3Refused(refusedParameter, "validators/complaints", "start_utime", "2", "end_utime", "1")
		}),
		v3("vesting.missing", Errors, "`/api/v3/vesting` without an address is refused.", func(p *probe) { p.v3Refused(refusedRule, "vesting") }),
		v3("vesting.empty", Routes, "`/api/v3/vesting` of an account that is none is an empty list.", func(p *probe) {
			p.same(column(p.v3("vesting", "contract_address", nobody).at("vesting_contracts").rows(), "address"), nil, "vesting contracts")
		}),
	}
}
