// Package indexrange has the ranges of masterchain blocks that the index contains, and the blocks that were dropped from it.
package indexrange
