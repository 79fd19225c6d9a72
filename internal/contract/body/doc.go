// Package body reads message bodies: the name of an opcode, and the fields of the bodies whose layouts are published, printed as
// the published interfaces print them. It does no I/O.
//
// Bodies are declared, not programmed: the files in layouts, one for each protocol, list constructors with their members
// in a small language, and one decoder walks any of them:
//
//	name#hex or name$bits  member:type …  = Group
//
// A constructor is a line. A name of _ prints no @type, and a member without a name has the key "", as where those are anonymous in the
// published schema. The constructors of a group stand in the order in which they are tried; those of an opcode are in one file.
// Bodies are the constructors of three groups, tried in this order: Internal are messages, External are logs, Forward are payloads
// of transfers. Named are opcodes that are published with a name to which no body is decoded.
//
//	u64 i64       integer of that many bits; u8=1, u8<=1, u8>=1 with one of these values
//	n8            integer that is the number of what the next member has
//	b256          bits
//	bytes         as many bytes as the count before it says, as bits
//	vu16          integer of a variable length below 16 bytes; coins and grams are named forms of it
//	addr          any address or none; int and ext: an internal one, an external one or none
//	flag          one bit, also where it is published as a type with two constructors of one bit
//	text          UTF-8 to the end of the cell, continued in its reference
//	rest          all that is left of the cell, decoded by itself when possible; cipher: never decoded
//	map8:T        dictionary with 8-bit keys that is not empty; mape8:T one that may be
//	array1:T      as many values as the count before it says, in a chain of cells that values of one reference fill
//	^T ?T         in a reference; optional
//	~T ~T|U       inline or in a reference; one of two types
//	out_list, extensions, dns_text: written out in special.go
//	Upper         another group
//
// How values are printed: a constructor is an object whose @type is its name; integers are decimal strings, bits are
// upper-case hex, flags are true and false, optional values and alternatives are objects that say which case it is. What is left
// of a cell is decoded as a body of its own when that is possible, up to [MaxNesting] deep, else printed as a bag of cells in
// base64. A dictionary is printed as the tree that it is: edges with their labels, forks and leaves. Data behind the last member of a
// constructor is ignored.
//
// Bodies are untrusted. A decoding is bounded in cells visited, in depth and in bytes written, in proportion to
// the size of the body; a body beyond the bounds counts as unknown. Printing appends to the caller's buffer.
package body
