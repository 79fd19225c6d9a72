// Package tokenimage makes small images of the images that metadata of tokens names, so that pages show them without a
// request to the hosts of third parties.
//
// Images are untrusted. They are requested through internal/outbound, checked for their format, dimensions and the memory that
// decoding takes before they are decoded, scaled, and encoded anew as PNG or JPEG: no byte of the original reaches a client.
// SVG is not rasterised: no library in Go bounds the work of a drawing, and one in WebAssembly, which does, costs more memory than
// images are worth so far (docs/performance.md); such tokens have no image here.
//
// Images are cached on disk by the hash of their address, with a checksum each, up to a number of bytes. The least recently
// used ones are removed first. Failures are remembered for some minutes.
package tokenimage
