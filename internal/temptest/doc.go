// Package temptest lets tests keep their temporary files in memory. Databases of tests are made and dropped by the
// hundred, and on a disk most of the time goes to making and removing their files.
package temptest
