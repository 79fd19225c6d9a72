package embeddedpg

import "syscall"

// dieWithParent has the kernel ask the server for an orderly shutdown when the
// thread that starts it ends. That thread must therefore live as long as the server.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
