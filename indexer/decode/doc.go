// Package decode turns the cells of a masterchain block and its shard blocks into the rows of the index.
//
// It reads cells directly, in the order of the fields in TL-B (block.tlb), without reflection: parsing is never the
// bottleneck, and each layout is one short function. A reader stores its first error, so a function follows the scheme and
// checks for errors once.
//
// Values that the index cannot store are converted and are no errors, because one odd message must not stop indexing:
//
//   - amounts above 63 bits, which nobody can own, become the largest amount of a row;
//   - an address that is no standard one (addr_none, addr_extern, addr_var with other than 256 bits) is nil; an anycast
//     address becomes the address the network delivers to;
//   - the field that is the IHR fee of old messages and the extra flags of new ones is the former unless the message
//     disables IHR: a rule on the message alone, so that both sides of it give the same row.
//
// Malformed cells, however deep or shared, give an error and never a panic: a recursion is bounded by the bits of its
// key and a block by a number of dictionary leaves.
package decode
