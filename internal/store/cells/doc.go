// Package cells reads the code, data and libraries of accounts. Large ones are stored in parts (internal/cellparts), which are joined here.
package cells
