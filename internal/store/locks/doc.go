// Package locks has the database transactions of the writing pool and the advisory locks that they and processes take.
package locks
