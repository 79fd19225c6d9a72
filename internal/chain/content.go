package chain

import (
	"maps"
	"slices"
)

// Content is what a contract says of itself on the chain (TEP-64): the known attributes by name, all as text, image_data
// in base64. Off-chain content is the single attribute uri. What the uri leads to is metadata, not content. It is never
// nil in a record; a contract without readable content has an empty one.
type Content map[string]string

// Names lists the attributes in ascending order, so that printing is deterministic.
func (c Content) Names() []string { return slices.Sorted(maps.Keys(c)) }
