// Package dictionary compresses the raw transactions of the index, with their dictionaries the bodies and state-inits of its messages, and
// with others the details of its actions.
//
// A raw transaction is a few hundred bytes, too few to be compressed by themselves. Most of what repeats, it has in common with
// other transactions of its time: hashes of common codes, addresses of busy contracts, opcodes. So each is compressed with a
// [Dictionary], which holds transactions that the same database has stored before. Dictionaries are rows of the database and never
// change. The writer adds a new one when its [Sampler] finds that one of recent transactions compresses noticeably better.
//
// A dictionary from elsewhere does not serve: one from a local chain saves 6 % of the bytes of transactions of the main network, one
// of their own kind 35 %.
package dictionary
