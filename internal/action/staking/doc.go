// Package staking recognizes deposits to pools and withdrawals from them, stakes in JVault pools, and stakes of validators in
// the elector. Importing it registers its kinds with package action.
package staking
