// Package dex recognizes the actions of decentralized exchanges: swaps, deposits and withdrawals of liquidity, and the pools,
// vaults and stakes of STON.fi, DeDust, TONCO and Coffee. Importing it registers its kinds with package action.
package dex
