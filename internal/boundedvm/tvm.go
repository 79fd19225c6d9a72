package boundedvm

import (
	"sync"

	"github.com/xssnick/tonutils-go/tvm"
)

// shared is built once: the dispatch tables of all global versions take milliseconds and megabytes.
var machine = sync.OnceValue(tvm.NewTVM)

// New returns the VM with bounded opcodes. It is shared and safe for concurrent use.
func New() *tvm.TVM { return machine() }
