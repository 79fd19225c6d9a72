// Package days has sums per day: of the network and of Jettons.
package days
