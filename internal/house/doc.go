// Package house holds tests only: they keep the repository the way ARCHITECTURE.md
// and CONTRIBUTING.md say it is. They read source files and compile nothing.
package house
