// Package electortest makes data of the elector, and chains with elections, for tests.
package electortest
