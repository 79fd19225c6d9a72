package rebuild

import "fmt"

// recovered converts a panic of the cell library, which damaged rows may cause, to an error.
func recovered(err *error) { //nolint:gocritic // deferred, it sets the result of the caller
	if p := recover(); p != nil {
		*err = fmt.Errorf("malformed cells: %v", p)
	}
}
