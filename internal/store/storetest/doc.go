// Package storetest has what the tests of internal/store and of the packages below it share.
package storetest
