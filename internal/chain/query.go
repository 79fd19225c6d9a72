package chain

// The inputs of the GraphQL API, which the service converts to the filters above. They are domain types because they
// say nothing but which rows are meant.

// BlockIDInput identifies a block; a nil Shard is the complete workchain.
type BlockIDInput struct {
	Workchain int32
	Shard     *Shard
	Seqno     uint32
}

// BlockID fills in the default.
func (in BlockIDInput) BlockID() BlockID {
	id := BlockID{Workchain: in.Workchain, Shard: FullShard, Seqno: in.Seqno}
	if in.Shard != nil {
		id.Shard = *in.Shard
	}
	return id
}

// BlockBy names one block; exactly one field is set.
type BlockBy struct {
	ID       *BlockIDInput
	RootHash *Hash
	FileHash *Hash
	McSeqno  *uint32
}

// Filter checks that exactly one field is set, which the schema's @oneOf promises but variables can evade, and gives
// the filter for it.
func (by BlockBy) Filter() (BlockFilter, error) {
	var f BlockFilter
	set := 0
	if by.ID != nil {
		id := by.ID.BlockID()
		f.Workchain, f.Shard, f.Seqno = &id.Workchain, &id.Shard, &id.Seqno
		set++
	}
	if by.RootHash != nil {
		f.RootHash = by.RootHash
		set++
	}
	if by.FileHash != nil {
		f.FileHash = by.FileHash
		set++
	}
	if by.McSeqno != nil {
		wc, shard := MasterchainID, FullShard
		f.Workchain, f.Shard, f.Seqno = &wc, &shard, by.McSeqno
		set++
	}
	if set != 1 {
		return f, Invalidf("give exactly one of id, rootHash, fileHash, mcSeqno")
	}
	return f, nil
}

// BlockWhere selects blocks.
type BlockWhere struct {
	Workchain  *int32
	Shard      *Shard
	KeyBlock   *bool
	McSeqno    *uint32
	StartUtime *uint32
	EndUtime   *uint32
}

// Filter gives the filter; a nil receiver selects everything.
func (w *BlockWhere) Filter() (BlockFilter, error) {
	if w == nil {
		return BlockFilter{}, nil
	}
	if w.Shard != nil && w.Workchain == nil {
		return BlockFilter{}, Invalidf("shard needs workchain")
	}
	return BlockFilter{Workchain: w.Workchain, Shard: w.Shard, KeyBlock: w.KeyBlock, McSeqno: w.McSeqno, StartUtime: w.StartUtime, EndUtime: w.EndUtime}, nil
}

// TransactionWhere selects transactions.
type TransactionWhere struct {
	Accounts        []Address
	ExcludeAccounts []Address
	Hashes          []Hash
	McSeqno         *uint32
	Block           *BlockIDInput
	StartUtime      *uint32
	EndUtime        *uint32
	StartLT         *uint64
	EndLT           *uint64

	TransactionMatch
}

// MaxInputs is the most addresses, hashes or ids one argument may list.
const MaxInputs = 100

// CheckInputs refuses lists of a filter that are longer than [MaxInputs].
func CheckInputs(lengths ...int) error {
	for _, n := range lengths {
		if n > MaxInputs {
			return Invalidf("each list takes at most %d values", MaxInputs)
		}
	}
	return nil
}

// Filter gives the filter; a nil receiver selects everything.
func (w *TransactionWhere) Filter() (TransactionFilter, error) {
	if w == nil {
		return TransactionFilter{}, nil
	}
	if err := CheckInputs(len(w.Accounts), len(w.ExcludeAccounts), len(w.Hashes)); err != nil {
		return TransactionFilter{}, err
	}
	if err := w.Validate(); err != nil {
		return TransactionFilter{}, err
	}
	f := TransactionFilter{
		Accounts: w.Accounts, ExcludeAccounts: w.ExcludeAccounts, Hashes: w.Hashes,
		McSeqno: w.McSeqno, StartUtime: w.StartUtime, EndUtime: w.EndUtime, StartLT: w.StartLT, EndLT: w.EndLT,
	}
	if w.Block != nil {
		id := w.Block.BlockID()
		f.Workchain, f.Shard, f.Seqno = &id.Workchain, &id.Shard, &id.Seqno
	}
	return f, nil
}

// MessageWhere selects messages.
type MessageWhere struct {
	Hashes      []Hash
	BodyHash    *Hash
	Source      *Address
	Destination *Address
	Opcode      *uint32
	Kind        *MessageKind
	StartUtime  *uint32
	EndUtime    *uint32
	StartLT     *uint64
	EndLT       *uint64

	MessageMatch
}

// Filter gives the filter; a nil receiver selects everything.
func (w *MessageWhere) Filter() (MessageFilter, error) {
	if w == nil {
		return MessageFilter{}, nil
	}
	if err := CheckInputs(len(w.Hashes)); err != nil {
		return MessageFilter{}, err
	}
	return MessageFilter{
		Hashes: w.Hashes, BodyHash: w.BodyHash, Source: w.Source, Destination: w.Destination,
		Opcode: w.Opcode, Kind: w.Kind, StartUtime: w.StartUtime, EndUtime: w.EndUtime, StartLT: w.StartLT, EndLT: w.EndLT,
	}, nil
}

// Longest is the length of the filter's longest list.
func (f *JettonMasterFilter) Longest() int { return max(len(f.Addresses), len(f.Admins)) }

// Longest is the length of the filter's longest list.
func (f *JettonWalletFilter) Longest() int {
	return max(len(f.Addresses), len(f.Owners), len(f.Jettons))
}

// Longest is the length of the filter's longest list.
func (f *NFTCollectionFilter) Longest() int { return max(len(f.Addresses), len(f.Owners)) }

// Longest is the length of the filter's longest list.
func (f *NFTSaleFilter) Longest() int { return max(len(f.Addresses), len(f.Sellers)) }

// Longest is the length of the filter's longest list.
func (f *NFTItemFilter) Longest() int {
	return max(len(f.Addresses), len(f.Owners), len(f.Collections), len(f.Indexes))
}

// Longest is the length of the filter's longest list.
func (f *JettonTransferFilter) Longest() int { return max(len(f.Owners), len(f.JettonWallets)) }

// Longest is the length of the filter's longest list.
func (f *JettonBurnFilter) Longest() int { return max(len(f.Owners), len(f.JettonWallets)) }

// Longest is the length of the filter's longest list.
func (f *NFTTransferFilter) Longest() int { return max(len(f.Owners), len(f.NFTs)) }

// Longest is the length of the filter's longest list.
func (f *MultisigFilter) Longest() int { return max(len(f.Addresses), len(f.Members)) }

// Longest is the length of the filter's longest list.
func (f *OrderFilter) Longest() int { return max(len(f.Addresses), len(f.Multisigs)) }

// Longest is the length of the filter's longest list.
func (f *VestingFilter) Longest() int { return max(len(f.Contracts), len(f.Wallets)) }
