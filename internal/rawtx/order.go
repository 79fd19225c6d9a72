package rawtx

import "slices"

// The order of cells in a bag, as nodes write it (vm::BagOfCells::reorder_cells): cells are weighed so that those with large trees
// below them, which would have their hashes stored in other forms of bags, come to lie apart; the rest is in depth-first order.
const (
	maxWeight   = 64
	maxMeasured = 255

	unvisited = -1
	scanned   = -2
	linked    = -3
)

// node is a cell in an order.
type node struct {
	part

	below  [maxRefs]int32 // nodes of the references
	weight uint8          // of the tree below; 0 for a cell that lies apart
	place  int32          // from the end of the bag, or one of the states above
}

// order finds the order of the cells of parts. It keeps its memory from one part to the next.
type order struct {
	bag    *bag
	nodes  []node
	nodeOf []int32 // node of a cell in the bag plus one, 0 for none
	placed []int32 // nodes by place
}

// of sets nodes and placed to the cells of a part. Their depth is bounded by the hash that was computed before.
func (o *order) of(b *bag, p *part) error {
	o.bag = b
	for i := range o.nodes {
		if at := o.nodes[i].index; at >= 0 && at < len(o.nodeOf) {
			o.nodeOf[at] = 0
		}
	}
	o.nodes, o.placed = o.nodes[:0], o.placed[:0]
	for len(o.nodeOf) < b.count {
		o.nodeOf = append(o.nodeOf, 0)
	}
	root, err := o.add(*p)
	if err != nil {
		return err
	}
	o.divide()
	o.weigh()
	o.visit(root)
	o.link(root)
	o.number(root)
	return nil
}

// add appends the cells below a part, then the part, which is a copy because a pointer would be an allocation for each cell.
func (o *order) add(p part) (int32, error) {
	n := node{part: p, place: unvisited}
	weight := 1
	for i := range p.refsLen {
		below := o.nodeOf[p.refs[i]] - 1
		if below < 0 {
			child, err := o.bag.partOf(p.refs[i])
			if err != nil {
				return 0, err
			}
			if below, err = o.add(child); err != nil {
				return 0, err
			}
		}
		n.below[i] = below
		weight += int(o.nodes[below].weight)
	}
	n.weight = uint8(min(weight, maxMeasured))
	o.nodes = append(o.nodes, n)
	at := int32(len(o.nodes) - 1)
	if p.index >= 0 {
		o.nodeOf[p.index] = at + 1
	}
	return at, nil
}

// divide gives each cell's references equal parts of the largest weight, and what light ones leave of theirs to the others.
func (o *order) divide() {
	for i := range slices.Backward(o.nodes) {
		n := &o.nodes[i]
		rest, heavy := maxWeight-1, n.refsLen
		var light [maxRefs]bool
		for j := range n.refsLen {
			if w := int(o.nodes[n.below[j]].weight); w <= (maxWeight-1+j)/n.refsLen {
				rest, heavy, light[j] = rest-w, heavy-1, true
			}
		}
		for j := range n.refsLen {
			if light[j] {
				continue
			}
			limit := rest / heavy
			rest++
			if child := &o.nodes[n.below[j]]; int(child.weight) > limit {
				child.weight = uint8(limit)
			}
		}
	}
}

// weigh puts apart the cells whose tree exceeds their part.
func (o *order) weigh() {
	for i := range o.nodes {
		n := &o.nodes[i]
		sum := 1
		for j := range n.refsLen {
			sum += int(o.nodes[n.below[j]].weight)
		}
		if sum <= int(n.weight) {
			n.weight = uint8(sum)
		} else {
			n.weight = 0
		}
	}
}

// visit links the cells that lie apart, below a cell.
func (o *order) visit(at int32) {
	n := &o.nodes[at]
	if n.place != unvisited {
		return
	}
	for j := n.refsLen - 1; j >= 0; j-- {
		if below := n.below[j]; o.nodes[below].weight == 0 {
			o.link(below)
		} else {
			o.visit(below)
		}
	}
	n.place = scanned
}

// link numbers the references of a cell, after those of the cells below.
func (o *order) link(at int32) {
	n := &o.nodes[at]
	if n.place >= 0 || n.place == linked {
		return
	}
	if n.weight == 0 {
		o.visit(at)
	}
	for j := n.refsLen - 1; j >= 0; j-- {
		o.link(n.below[j])
	}
	for j := n.refsLen - 1; j >= 0; j-- {
		o.number(n.below[j])
	}
	n.place = linked
}

func (o *order) number(at int32) {
	if n := &o.nodes[at]; n.place < 0 {
		n.place = int32(len(o.placed))
		o.placed = append(o.placed, at)
	}
}
