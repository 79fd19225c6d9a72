// Package content reads TEP-64 content: the attributes a Jetton, a collection or an item carries on the chain, or the
// address of a document that carries them.
//
//	onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;    // keys: SHA-256 of the attribute's name
//	offchain#01 uri:SnakeData = FullContent;
//	snake#00 data:SnakeData = ContentData;
//	chunks#01 data:(HashmapE 32 ^SnakeData) = ContentData;
//
// Content that is both on-chain and has the attribute uri is semi-chain: the document adds to it.
//
// Contracts in use break these rules in many ways (values in place instead of in a reference, no prefix, cut text), so
// reading is tolerant: whatever cannot be read is left out, and nothing is an error. Sizes are bounded.
package content
