// Package tokenimage makes small images of the images that metadata of tokens names, so that pages show them without a
// request to the hosts of third parties.
//
// Images are untrusted. They are requested through internal/outbound, checked for their format, dimensions and the memory that
// decoding takes before they are decoded, scaled, and encoded anew as PNG or JPEG: no byte of the original reaches a client.
// SVG is drawn by a program that the operator has installed, in a process with limits of time and memory for each drawing; without one, tokens
// with such an image have none here. docs/performance.md has what was measured, docs/trials.md what a library in WebAssembly takes.
//
// Images are cached on disk by the hash of their address, with a checksum each, up to a number of bytes. The least recently
// used ones are removed first. Failures are remembered for some minutes.
package tokenimage
