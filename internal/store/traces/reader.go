package traces

import "tonql/internal/store/sqlbuild"

// Reader reads traces and actions from the index. It is safe for concurrent use when its source is.
// Lists without matching rows are empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct{ pool sqlbuild.Source }

// NewReader returns a Reader over a pool or a snapshot.
func NewReader(pool sqlbuild.Source) Reader { return Reader{pool: pool} }
