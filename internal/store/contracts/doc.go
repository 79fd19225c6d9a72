// Package contracts stores what is detected about contracts: Jettons, NFTs, domains, multisig and vesting wallets, their
// latest records, their history, and the transfers and burns of tokens. [Step] writes the records of a batch, [Reader] reads
// them.
package contracts
