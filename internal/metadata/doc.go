// Package metadata finds out what tokens say of themselves (TEP-64): in the background it follows the content of Jetton
// masters, NFT collections and items to the documents that their uri names, and merges both.
//
// The work lies in a queue that the index keeps, so nothing is lost by a restart: a job that was handed out and not ended
// comes back. A worker takes due jobs, asks http, https and IPFS addresses through internal/outbound, a few at a time for
// each host, and ends each job with a result: the metadata, or what is wrong and when to try again. Nothing is dropped in
// silence.
//
// Documents are written by strangers. What is kept of them is bounded in every direction, valid UTF-8 without control
// characters, and has no address that a browser would run. It stays what strangers wrote all the same: text, not markup.
//
// [Overrides] are the operator's own words about tokens. They are laid over the metadata when it is read, so a change of
// their file shows at once and can be taken back.
package metadata
