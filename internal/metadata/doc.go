// Package metadata fetches token metadata (TEP-64) in the background: it reads the documents that the content of Jetton
// masters, NFT collections and items refers to, and merges them with the on-chain content.
//
// Jobs are stored in a queue in the index, so a restart loses none: a job that was leased and not completed becomes due again. A
// worker leases due jobs, requests http, https and IPFS addresses through internal/outbound, a few at a time per host, and
// completes each job with a result: the metadata, or the error and the time of the next attempt. Every failure is recorded.
//
// Documents are untrusted. Stored text is bounded in length and depth, valid UTF-8 without control characters, and contains no
// address that a browser would execute. It is text, never markup.
//
// [Overrides] are metadata set by the operator. They are applied when metadata is read, so a change of their file takes effect
// at once and can be reverted.
package metadata
