// Package cellgraph measures cells before somebody walks them. Cells form a directed acyclic graph: a cell may be
// referenced many times, so 200 cells of 4 references each are a few kilobytes as a bag of cells, and 4^200 visits for a
// walk that treats them as a tree. Everything here visits each distinct cell once.
//
// Bags of cells of liteservers and of clients are parsed by [FromBOC] and the functions like it, not by the library: a hash proves the
// content of cells only if their levels are right.
//
// A walk over cells that others made either visits each distinct cell once, or is preceded by a check from here. The
// table in docs/cells.md lists every walk with its bound.
package cellgraph
