// Package temptest makes temporary files of tests: in memory, where there is room ([InMemory]), and in folders that the
// next run removes when a test process was killed ([Folder]). Databases of tests are made and dropped by the hundred,
// and on a disk most of the time goes to making and removing their files.
package temptest
