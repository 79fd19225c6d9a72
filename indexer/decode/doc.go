// Package decode turns the cells of a masterchain block and its shard blocks into the rows of the index.
//
// It reads cells directly, in the order TL-B (block.tlb) gives their fields, without reflection: parsing stays far from
// being the bottleneck and a layout is one short function. Readers remember their first error, so a function reads like
// the scheme and checks once.
//
// What the index cannot hold is bent, never fatal, because one odd message must not stop a chain:
//
//   - amounts above 63 bits, which nobody can own, become the largest amount a row can carry;
//   - an address that is no standard one (addr_none, addr_extern, addr_var with other than 256 bits) is nil; an anycast
//     address becomes the address the network delivers to;
//   - the field that is the IHR fee of old messages and the extra flags of new ones is the former unless the message
//     disables IHR: a rule on the message alone, so that both sides of it give the same row.
//
// Malformed cells, however deep or shared, give an error and never a panic: a recursion is bounded by the bits of its
// key and a block by a number of dictionary leaves.
package decode
