//go:build !linux

package embeddedpg

import "syscall"

// dieWithParent has no counterpart here: a server whose tonql was killed is shut
// down by the next start.
func dieWithParent(*syscall.SysProcAttr) {}

// killWithParent has no counterpart either.
func killWithParent(*syscall.SysProcAttr) {}
