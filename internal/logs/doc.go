// Package logs writes the log lines of the process: the names of their attributes, the id of the request that a line is for,
// bounds on the number and length of lines, and the lines of libraries.
package logs
