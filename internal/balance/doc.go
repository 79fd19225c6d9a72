// Package balance sums up the balance changes of transactions: coins, fees and Jettons, by account. It does no I/O;
// repeated airdrop claims are recognized by balances that the caller reads.
package balance
