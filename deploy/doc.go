// Package deploy holds the files for operators, and the tests that check each of them.
package deploy
