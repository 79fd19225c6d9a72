// Package blocks has the rows of blocks, with the shards, frames and configurations of the network that they name.
package blocks
