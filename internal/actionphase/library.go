package actionphase

import (
	"bytes"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// changeLibrary performs action_change_library and returns its error code.
func (p *phase) changeLibrary(r *reader) int32 {
	mode := r.bits(7)
	if mode&modeBounce != 0 {
		if p.config.version < 4 {
			return 34
		}
		mode &^= modeBounce
		p.bounceOnFail = true
	}
	if mode > 2 {
		return 34
	}
	if p.config.version >= 15 && (mode == 1 || !p.fundamental) {
		return 46
	}
	var library *cell.Cell
	var hash []byte
	if r.flag() {
		library = r.ref()
		hash = library.Hash()
	} else {
		hash = r.bytes(32)
	}
	dict := cell.NewDict(256)
	if p.state.libraries != nil {
		dict = p.state.libraries.AsDict(256)
	}
	key := cell.BeginCell().MustStoreSlice(hash, 256).EndCell()
	if mode == 0 {
		if dict.IsEmpty() {
			p.special++
			return 0
		}
		if err := dict.Delete(key); err != nil {
			return 42
		}
	} else {
		if existing, err := dict.LoadValue(key); err == nil {
			v := reader{s: existing}
			public, c := v.flag(), v.ref()
			if v.err == nil && bytes.Equal(c.Hash(), hash) {
				if library = c; public == (mode == 2) {
					p.special++
					return 0
				}
			}
		}
		if library == nil {
			return 41
		}
		u := newUsage(p.config.limits.libraryCells)
		if merkle, ok := u.add(library); !ok || merkle > maxMerkleDepth {
			return 43
		}
		if _, err := dict.SetBuilderWithMode(key, cell.BeginCell().MustStoreBoolBit(mode == 2).MustStoreRef(library), cell.DictSetModeSet); err != nil {
			return 42
		}
	}
	p.state.libraries = nil
	if !dict.IsEmpty() {
		p.state.libraries = dict.AsCell()
	}
	p.special++
	return 0
}
