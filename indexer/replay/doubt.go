package replay

// Reasons for which a transaction that did not replay is left proven: it may depend on what the network no longer has.
const (
	noPrevBlocks = "the network no longer has the ids of the previous blocks"
	noLibraries  = "the network no longer has the libraries of the block"
)

// readsPrevBlocks is the first global version in which contracts see the previous blocks.
const readsPrevBlocks = 4

// doubt returns such a reason for a transaction; empty: its execution had all that it can depend on.
func (l *lane) doubt(i int, bc *blockContext) string {
	switch {
	case bc.noPrev && bc.config.GlobalVersion() >= readsPrevBlocks:
		return noPrevBlocks
	case bc.libs.assumed() && len(l.librariesOfStep(i)) > 0:
		return noLibraries
	default:
		return ""
	}
}
