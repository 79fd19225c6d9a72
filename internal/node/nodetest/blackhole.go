//go:build !linux

package nodetest

import (
	"net"
	"testing"
)

// blackHole returns an address of a network for documentation, which is not routed.
func blackHole(testing.TB) net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 4924} }
