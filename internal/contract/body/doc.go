// Package body reads message bodies: the name of an opcode, and the fields of the bodies that standards and wallets
// have agreed on, printed as the published interfaces print them. It does no I/O.
//
// Bodies are declared, not programmed: layouts.tlb lists constructors with their members in a small language of its
// own, and one decoder walks any of them. opcodes.tsv gives names to many more opcodes; a body whose opcode has a name
// but no layout is known by name only.
//
// How values are printed: a constructor is an object whose @type is its name; integers are decimal strings, bits are
// upper-case hex, optional values and alternatives are objects that say which case it is. What is left of a cell is
// decoded as a body of its own when that is possible, up to [MaxNesting] deep, else printed as a bag of cells in
// base64. A dictionary, for which no form is published, is an object from key in hex to value.
//
// Bodies are untrusted. A decoding is bounded in cells visited, in depth and in bytes written, in proportion to
// the size of the body; a body beyond the bounds counts as unknown. Printing appends to the caller's buffer.
package body
