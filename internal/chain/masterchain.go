package chain

// Masterchain is the masterchain as of one of its blocks.
type Masterchain struct {
	Block  *Block
	Shards []Block // newest of every shard as that block records them, its own included
}

// Zerostate is the state that a network began with.
type Zerostate struct {
	RootHash Hash
	FileHash Hash
}
