package tokenimage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Bounds of an image.
const (
	maxPixels = 4096 * 4096
	maxSide   = 16_384
	// decodeMemory bounds the memory of all images that are decoded at a time, in bytes. It admits the largest one.
	decodeMemory = 128 << 20
)

// InvalidError means that the data is no image that is served. Its text has nothing of the data.
type InvalidError struct{ Reason string }

// Error returns the reason.
func (e *InvalidError) Error() string { return "image: " + e.Reason }

func invalidf(format string, args ...any) error {
	return &InvalidError{Reason: fmt.Sprintf(format, args...)}
}

// format is an image format that is decoded.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// memory returns the bytes per pixel that decoding takes at most.
	memory func(data []byte, m color.Model) int
}

func fixed(bytes int) func([]byte, color.Model) int {
	return func([]byte, color.Model) int { return bytes }
}

// formats are recognised by the data alone; the media type of the response counts for nothing.
var formats = map[string]format{
	"png":  {png.DecodeConfig, png.Decode, pngMemory},
	"jpeg": {jpeg.DecodeConfig, jpeg.Decode, func(data []byte, _ color.Model) int { return jpegMemory(data) }},
	"gif":  {gif.DecodeConfig, gif.Decode, fixed(1)}, // the first frame
	"webp": {webpConfig, webp.Decode, fixed(8)},
}

func sniff(data []byte) (format, bool) {
	name := ""
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		name = "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		name = "jpeg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		name = "gif"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		name = "webp"
	}
	f, ok := formats[name]
	return f, ok
}

func pngMemory(_ []byte, m color.Model) int {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	default:
		return 4
	}
}

// jpegMemory returns 16 for a progressive image, whose coefficients are held until the end, and 4 for others. The first frame
// header decides: the decoder refuses a second one.
func jpegMemory(data []byte) int {
	const (
		progressive  = 0xc2
		scan         = 0xda
		markerLength = 2
	)
	for at := markerLength; at+4 <= len(data); {
		if data[at] != 0xff {
			at++ // the decoder skips such bytes too
			continue
		}
		marker := data[at+1]
		switch {
		case marker == progressive:
			return 16
		case marker == scan:
			return 4
		case marker == 0 || marker == 0xff || marker >= 0xd0 && marker <= 0xd9: // without a length
			at++
			continue
		}
		at += markerLength + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	return 16
}

// webpConfig returns the largest dimensions that the file names. The header of an extended file has the canvas; the decoder
// allocates what the bitstream inside names, which may be more.
func webpConfig(r io.Reader) (image.Config, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return image.Config{}, err
	}
	config, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return config, err
	}
	const chunkHeader = 8
	for at := 12; at+chunkHeader <= len(data); {
		length := int(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+chunkHeader:]
		body = body[:min(len(body), length)]
		switch string(data[at : at+4]) {
		case "VP8 ":
			if len(body) >= 10 {
				config.Width = max(config.Width, int(binary.LittleEndian.Uint16(body[6:])&0x3fff))
				config.Height = max(config.Height, int(binary.LittleEndian.Uint16(body[8:])&0x3fff))
			}
		case "VP8L":
			if len(body) >= 5 {
				bits := binary.LittleEndian.Uint32(body[1:])
				config.Width = max(config.Width, int(bits&0x3fff)+1)
				config.Height = max(config.Height, int(bits>>14&0x3fff)+1)
			}
		}
		at += chunkHeader + length + length&1
	}
	return config, nil
}

// measure checks data before it is decoded, and returns its format and the memory that decoding takes.
func measure(data []byte) (f format, memory int64, err error) {
	f, ok := sniff(data)
	if !ok {
		return f, 0, invalidf("not PNG, JPEG, GIF or WebP")
	}
	config, err := f.config(bytes.NewReader(data))
	switch {
	case err != nil:
		return f, 0, invalidf("a broken header")
	case config.Width <= 0 || config.Height <= 0:
		return f, 0, invalidf("no pixels")
	case config.Width > maxSide || config.Height > maxSide || config.Width*config.Height > maxPixels:
		return f, 0, invalidf("%d × %d pixels, more than %d", config.Width, config.Height, maxPixels)
	}
	memory = int64(config.Width) * int64(config.Height) * int64(f.memory(data, config.ColorModel))
	if memory > decodeMemory {
		return f, 0, invalidf("decoding takes %d bytes of memory, more than %d", memory, decodeMemory)
	}
	return f, memory, nil
}

// decode decodes data that was measured. It ends with ctx: progressive images can name many passes over all pixels in few
// bytes, so the decoder gets small pieces and none after the end.
func decode(ctx context.Context, f format, data []byte) (m image.Image, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, invalidf("the decoder fails")
		}
	}()
	m, err = f.decode(&untilDone{ctx: ctx, from: bytes.NewReader(data)})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, invalidf("broken data")
	}
	return m, nil
}

// piece is how many bytes a decoder reads at most between two checks of the context.
const piece = 512

type untilDone struct {
	ctx  context.Context //nolint:containedctx // the decoders of the library take none
	from io.Reader
}

// Read implements io.Reader.
func (r *untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p[:min(len(p), piece)])
}

// IsInvalid reports whether the image is at fault, not its server.
func IsInvalid(err error) bool {
	_, ok := errors.AsType[*InvalidError](err)
	return ok
}
