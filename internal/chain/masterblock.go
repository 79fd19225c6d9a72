package chain

// MasterBlock is everything one masterchain block commits, decoded: the unit that is written in one database
// transaction, completely or not at all.
type MasterBlock struct {
	Block        Block         // the masterchain block
	ShardBlocks  []Block       // every shard block it brings in, parents first
	Frames       [][]byte      // of Block, then of ShardBlocks: what their rows lack of their cells, in the form of internal/rebuild
	Shards       []BlockIDExt  // the latest block of every shard in the masterchain state, ordered by workchain and shard
	Transactions []Transaction // of all these blocks, in order of block, then LT, then account
	BOCs         []BOC         // raw transactions, parallel to Transactions
	Messages     []Message     // one per message, both sides merged when both are here
	States       []AccountState
	Cells        map[Hash]BOC  // code, data and libraries that States name, in parts (internal/cellparts)
	Config       *Config       // key blocks only
	Libraries    []Library     // masterchain libraries published since the previous block, as far as seen
	LibraryRoot  *Hash         // of the public libraries after the block, see LibrarySet; nil when it is not known
	LibraryFacts []LibraryFact // about the libraries that accounts of the block refer to
	Mismatches   []ReplayMismatch
	Unverified   []UnverifiedTransaction

	// The detected contracts, one for each state of States that was detected, and the transfers that they were
	// requested to make.
	Contracts       []Contract
	JettonTransfers []JettonTransfer
	JettonBurns     []JettonBurn
	NFTTransfers    []NFTTransfer
}

// Config is the configuration in force from a key block on.
type Config struct {
	McSeqno uint32
	Root    Hash // hash of the dictionary of parameters
	BOC     BOC  // the dictionary: 32-bit parameter number to cell
}

// Library is a public library cell of the masterchain.
type Library struct {
	Hash Hash
	BOC  BOC
}

// SeqnoRange is a run of masterchain seqnos, both ends included.
type SeqnoRange struct {
	First uint32
	Last  uint32
}

// Len is the number of seqnos in the range.
func (r SeqnoRange) Len() uint32 { return r.Last - r.First + 1 }
