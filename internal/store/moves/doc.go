// Package moves brings rows of earlier versions into their present form, in the background: in steps beside the writer of blocks and readers.
package moves
