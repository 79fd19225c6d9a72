package synthetic

// Options say how much to make.
type Options struct {
	Transactions int // in all; the last masterchain block may be cut short
	Accounts     int
	PerBlock     int // transactions per masterchain block, shard blocks included
	Shards       int // shards of the basechain: 1, 2, 4, 8 or 16
	Seed         uint64
	BOCs         bool // raw transactions, too; the columns that they replace are in use without
	Cells        bool // data cells, too
	Contracts    bool // Jettons and NFTs, too: 88 wallets, 210 transfers and 44 items for each thousand transactions
}

// Full is the size on which the published figures are measured: 1.14 million transactions in 90,000 blocks, the busiest
// account with some 16,000 of them.
func Full() Options {
	return Options{Transactions: 1_140_000, Accounts: 351_500, PerBlock: 38, Shards: 2, Seed: 1, BOCs: true}
}

// Scaled is Full made smaller or larger in the number of transactions and accounts.
func Scaled(factor float64) Options {
	o := Full()
	o.Transactions = max(1, int(float64(o.Transactions)*factor))
	o.Accounts = max(16, int(float64(o.Accounts)*factor))
	return o
}

func (o Options) withDefaults() Options {
	full := Full()
	if o.Transactions <= 0 {
		o.Transactions = full.Transactions
	}
	if o.Accounts <= 0 {
		o.Accounts = full.Accounts
	}
	if o.PerBlock <= 0 {
		o.PerBlock = full.PerBlock
	}
	switch o.Shards {
	case 1, 2, 4, 8, 16:
	default:
		o.Shards = full.Shards
	}
	return o
}
