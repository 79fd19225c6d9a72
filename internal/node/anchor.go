package node

import (
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// Anchor names the block that trust begins at. The zero value is the init block of the global configuration, or its
// zerostate when it names no init block.
type Anchor struct {
	Zerostate bool             // the configuration's zerostate: every key block since then is proven once
	Block     chain.BlockIDExt // this masterchain block; zero: none
}

// ParseAnchor parses init-block, zerostate and the id of a masterchain block, as tonlib and explorers print it:
// (-1,8000000000000000,SEQNO):ROOTHASH:FILEHASH. The place may be written as the seqno alone. The empty string is
// init-block.
func ParseAnchor(s string) (Anchor, error) {
	switch s {
	case "", "init-block":
		return Anchor{}, nil
	case "zerostate":
		return Anchor{Zerostate: true}, nil
	}
	parts := strings.Split(s, ":")
	if len(parts) == 3 {
		place := strings.TrimSuffix(strings.TrimPrefix(parts[0], "(-1,8000000000000000,"), ")")
		seqno, err := strconv.ParseUint(place, 10, 32)
		id := chain.BlockIDExt{BlockID: master(uint32(seqno))}
		if err == nil && (place == parts[0] || parts[0] == id.String()) {
			root, rootErr := chain.ParseHash(parts[1])
			file, fileErr := chain.ParseHash(parts[2])
			if rootErr == nil && fileErr == nil && !root.IsZero() && !file.IsZero() {
				id.RootHash, id.FileHash = root, file
				return Anchor{Block: id}, nil
			}
		}
	}
	return Anchor{}, chain.Invalidf(
		"%s is not zerostate, init-block or the id of a masterchain block (-1,8000000000000000,SEQNO):ROOTHASH:FILEHASH", chain.Quote(s))
}

// choose sets the anchor of a network, which is the configuration's at first.
func (a Anchor) choose(n *network) error {
	if err := a.named(n); err != nil {
		return err
	}
	if n.fork.Seqno <= n.anchor.Seqno {
		return nil
	}
	// Validators sign no hard fork, so no chain of signatures leads over one. Its state lists all older blocks.
	if !a.Block.RootHash.IsZero() {
		return chain.Invalidf("the trusted block %d is older than hard fork %d of the global config, over which no signatures lead: trust that block or a newer one",
			n.anchor.Seqno, n.fork.Seqno)
	}
	n.anchor = n.fork
	return nil
}

// named sets the anchor to the named block.
func (a Anchor) named(n *network) error {
	switch {
	case !a.Block.RootHash.IsZero():
		if a.Block.Seqno == 0 && !n.zerostate.RootHash.IsZero() && a.Block != n.zerostate {
			return chain.Invalidf("the trusted zerostate is not the one of the global config")
		}
		n.anchor = a.Block
		if a.Block.Seqno == 0 {
			n.zerostate = a.Block
		}
	case a.Zerostate:
		if n.zerostate.RootHash.IsZero() {
			return chain.Invalidf("the global config names no zerostate to trust: name a block")
		}
		n.anchor = n.zerostate
	}
	return nil
}
