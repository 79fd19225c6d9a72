// Package cellgraphtest makes cells that are small as a bag of cells and endless for a walk that treats them as a tree.
package cellgraphtest
