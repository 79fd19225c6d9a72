// Package contract reads accounts: which interfaces a contract offers, and what its get-methods and its data say. It
// does no I/O: everything is a function from the state of an account, as of one block, to facts.
//
// The parts, from the bottom up:
//
//   - [MethodID], [Methods]: get-methods by number, and those a code cell offers;
//   - [Interfaces]: the published names of what a contract is, by code hash or by methods (interfaces.tsv);
//   - [Machine] and [Runner]: get-methods in the local TVM, as of a block, within a [Budget];
//   - [Result] and [Reader]: what a get-method left, read without trust in types;
//   - [Detect] and [Facts]: all families together on one account.
//
// Each family (wallet, jetton, nft, dns, multisig, vesting) lives in a folder of its own and registers itself with
// [Register]; import internal/contract/all for the full set.
//
// Contracts may lie. What a contract says of itself alone (a master's supply) is a fact. What it says of another (a
// Jetton wallet naming its master) is a fact only when the other agrees; until then it is a [Claim], stored separately.
// Contracts may also be hostile: a run costs at most its budget, whatever the code does, and a verdict depends on the
// state alone, so that indexing twice gives the same rows.
package contract
