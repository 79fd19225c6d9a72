package replay

import (
	"github.com/xssnick/tonutils-go/tvm"

	"tonql/internal/boundedvm"
)

// rules are the gas rules of a block outside of its configuration. In 2020 the node of the main network changed its gas
// prices without a new global version. Only blocks of global versions before 4 can be made with the first prices, and
// their headers do not say which: a header of that time has the version of its maker's software, or none while the
// network did not require it.
type rules int

const (
	present rules = iota // those of global versions
	launch               // those of November 2019
)

// rules returns the rules that a block may have been made with, the likelier first. A transaction is re-executed by one
// after the other until the result has its hash.
func (bc *blockContext) rules() []rules {
	switch {
	case bc.config.GlobalVersion() >= firstDocumented:
		return []rules{present}
	case !bc.reportsSoftware():
		return []rules{launch, present}
	default:
		return []rules{present, launch}
	}
}

// reportsSoftware reports whether the header has the version of the software that made the block. All blocks of the first
// prices are believed to lack it, so only there is a difference blamed on an old rule that is not executed.
func (bc *blockContext) reportsSoftware() bool { return bc.header.Block.Flags&1 != 0 }

// firstDocumented is the first global version whose rules are documented. The rules since 2020 hold in the versions before it.
const firstDocumented = 4

func (r rules) machine() *tvm.TVM {
	if r == launch {
		return boundedvm.NewLaunch()
	}
	return boundedvm.New()
}
