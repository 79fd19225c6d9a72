// Package chaintest has a small chain whose rows have names, for tests that list rows. A name is a letter for the
// object and the seqno of its masterchain block, from [First] on. Block 12 has:
//
//	M12  the masterchain block, and S12, the basechain block 22 that it commits
//	W12  the transaction in which the [Wallet] accepts the external-in message E12 and sends I12 to the Jetton wallet
//	J12  the transaction in which the [JettonWallet] receives I12 and writes the log O12 (external-out)
//	T12  the tick of a masterchain contract, the [Ticker], in the masterchain block
//
// Block k is made at [testdb.Epoch] + k and starts at LT 1000k; its transactions have the LTs 1000k+1 (W), +3 (J) and
// +5 (T), and the messages of W and J the LTs +2 and +4. W10 is the first transaction of the wallet. The raw BoC of a
// transaction is a cell with its hash.
package chaintest
