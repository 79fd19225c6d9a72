package embeddedpg

import "syscall"

// dieWithParent makes the kernel signal an orderly shutdown to the server when the
// thread that starts it ends. That thread must therefore live as long as the server.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }

// killWithParent makes the kernel kill a program when the thread that starts it ends.
func killWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
