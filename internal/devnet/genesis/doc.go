// Package genesis builds the first state of a local TON chain: config
// parameters, a validator derived from the seed, and the zerostates of the
// masterchain and the basechain.
//
// The same Options yield the same bytes. The
// masterchain starts with the contracts every TON network has: the config
// contract at 55…55 (its data contain the parameters, so changing them makes
// a key block), the elector at 33…33 (receives the fees of every block and a
// tick and a tock in every masterchain block) and the minter at 00…00.
package genesis
