// Package contract reads accounts: the interfaces of a contract, the results of its get-methods and its data. It does
// no I/O: everything is a function from the state of an account at one block to facts.
//
// The parts, from the bottom up:
//
//   - [MethodID], [Methods]: the ids of get-methods, and those of a code cell;
//   - [Interfaces]: the published names of interfaces, by code hash or by methods (interfaces.tsv);
//   - [Machine] and [Runner]: get-methods in the local TVM, at a block, within a [Budget];
//   - [Result] and [Reader]: the values of a get-method, whose types are checked;
//   - [Detect] and [Facts]: all families on one account.
//
// Each family (wallet, jetton, nft, dns, multisig, vesting, nominator) has its own folder and registers itself with [Register];
// import internal/contract/all for the full set.
//
// Contracts may lie. A statement of a contract about itself alone (the supply of a Jetton master) is a fact. A
// statement about another contract (the master of a Jetton wallet) is a fact only when the other confirms it, see [Probe.Confirm].
// Contracts may also be hostile: a run costs at most its budget, and its result depends on the state alone, so that indexing twice gives
// the same rows.
package contract
