// Package bridge recognizes the actions of bridges to other chains: LayerZero messages and tgBTC. Importing it registers its
// kinds with package action.
package bridge
