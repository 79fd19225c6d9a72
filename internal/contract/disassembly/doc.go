// Package disassembly writes the code of a contract as text, one instruction a line.
//
// Instructions are decoded by the opcode table of tonutils-go, the one that executes them, so the text names what would run.
// Code is untrusted: cells refer to each other many times, dictionaries have no end. A [Limits] bounds the instructions, the
// depth and the length of the text, see docs/cells.md.
package disassembly
