// Package wallet recognizes the actions of multisig, vesting and subscription contracts. Importing it registers its kinds with
// package action.
package wallet
