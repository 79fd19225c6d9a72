package tokenimage

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

// drawing is an image of w × h pixels, half of it red; transparent where it is not.
func drawing(w, h int, background color.Color) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, background)
			if x < w/2 {
				m.Set(x, y, color.RGBA{R: 255, A: 255})
			}
		}
	}
	return m
}

func encodePNG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

func encodeJPEG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, m, nil))
	return b.Bytes()
}

func encodeGIF(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gif.Encode(&b, m, nil))
	return b.Bytes()
}

// webpPixel is a lossless WebP of one pixel, as cwebp writes it.
func webpPixel(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	require.NoError(t, err)
	return data
}

// render measures, decodes and scales as a request does.
func render(t *testing.T, data []byte) (map[int][]byte, error) {
	t.Helper()
	f, _, err := measure(data)
	if err != nil {
		return nil, err
	}
	m, err := decode(t.Context(), f, data)
	if err != nil {
		return nil, err
	}
	return scaled(m)
}

func TestRender_EveryFormatIsScaledAndEncodedAnew(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data       []byte
		wantFormat string
		width      int // of the largest size
		height     int
	}{
		"PNG":              {encodePNG(t, drawing(1200, 600, color.White)), "jpeg", 512, 256},
		"transparent PNG":  {encodePNG(t, drawing(1200, 600, color.Transparent)), "png", 512, 256},
		"JPEG":             {encodeJPEG(t, drawing(600, 1200, color.White)), "jpeg", 256, 512},
		"GIF":              {encodeGIF(t, drawing(1100, 1100, color.White)), "jpeg", 512, 512},
		"WebP":             {webpPixel(t), "", 1, 1},
		"small PNG":        {encodePNG(t, drawing(20, 10, color.White)), "jpeg", 20, 10},
		"a line of pixels": {encodePNG(t, drawing(9000, 1, color.White)), "jpeg", 512, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			images, err := render(t, tc.data)
			require.NoError(t, err)
			require.Len(t, images, len(Sizes))
			for _, size := range Sizes {
				m, format, err := image.Decode(bytes.NewReader(images[size]))
				require.NoError(t, err)
				if tc.wantFormat != "" {
					require.Equal(t, tc.wantFormat, format)
				}
				require.LessOrEqual(t, max(m.Bounds().Dx(), m.Bounds().Dy()), size)
			}
			m, _, err := image.Decode(bytes.NewReader(images[512]))
			require.NoError(t, err)
			require.Equal(t, image.Pt(tc.width, tc.height), m.Bounds().Size())
			if tc.width > 4 && tc.height > 4 {
				r, g, _, _ := m.At(tc.width/4, tc.height/2).RGBA()
				require.Greater(t, r, uint32(0xe000), "the left half is red")
				require.Less(t, g, uint32(0x2000))
			}
		})
	}
}

// chunk is a chunk of PNG.
func chunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// bombPNG is the header of a PNG with these dimensions.
func bombPNG(w, h uint32, depth byte) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(body, depth, 6, 0, 0, 0))...)
}

// jpegHeader is a JPEG up to the data of its scan, with a frame header of the marker.
func jpegHeader(marker byte, w, h uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, marker, 0, 17, 8}
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, h), w)
	b = append(b, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	return append(b, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
}

// extendedWebP names one pixel in the header of the file, and w × h in the bitstream inside.
func extendedWebP(w, h uint16) []byte {
	frame := []byte{0x10, 0, 0, 0x9d, 0x01, 0x2a}
	frame = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(frame, w), h)
	body := append([]byte("WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00VP8 "), 10, 0, 0, 0)
	body = append(body, frame...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// What would take too much memory is refused by its header, before anything is decoded.
func TestMeasure_BombsAreRefusedByTheirHeader(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data     []byte
		wantText string
	}{
		"PNG of 2^32 pixels":                             {bombPNG(65_535, 65_535, 8), "pixels"},
		"PNG of overflowing size":                        {bombPNG(1<<31-1, 1<<31-1, 8), ""},
		"PNG of one long line":                           {bombPNG(maxSide+1, 1, 8), "pixels"},
		"PNG of 17 million pixels":                       {bombPNG(4097, 4096, 8), "pixels"},
		"JPEG of 2^32 pixels":                            {jpegHeader(0xc0, 65_535, 65_535), "pixels"},
		"progressive JPEG":                               {jpegHeader(0xc2, 4096, 4096), "memory"},
		"GIF of 2^32 pixels":                             {[]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), "pixels"},
		"GIF without pixels":                             {[]byte("GIF89a\x00\x00\x00\x00\x00\x00\x00"), "no pixels"},
		"WebP whose bitstream is larger than its canvas": {extendedWebP(16_383, 16_383), "pixels"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := measure(tc.data)
			require.True(t, IsInvalid(err), "%v", err)
			require.ErrorContains(t, err, tc.wantText)
		})
	}
	for name, data := range map[string][]byte{
		"PNG": bombPNG(4096, 4096, 16), "JPEG": jpegHeader(0xc0, 4096, 4096), "progressive JPEG": jpegHeader(0xc2, 2048, 2048),
	} {
		_, memory, err := measure(data)
		require.NoError(t, err, name)
		require.LessOrEqual(t, memory, int64(decodeMemory), name)
	}
}

func TestRender_BrokenDataAndOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	complete := encodePNG(t, drawing(300, 300, color.White))
	zip := append([]byte("PK\x03\x04"), complete...)
	for name, data := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "HTML": []byte("<html><script>alert(1)</script>"),
		"SVG":           []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"truncated PNG": complete[:len(complete)/2], "PNG signature alone": complete[:8], "PNG header alone": complete[:33],
		"truncated JPEG": encodeJPEG(t, drawing(300, 300, color.White))[:400], "truncated GIF": encodeGIF(t, drawing(300, 300, color.White))[:60],
		"truncated WebP": webpPixel(t)[:24], "archive before a PNG": zip, "PNG of 4096² pixels without data": bombPNG(4096, 4096, 8),
	} {
		_, err := render(t, data)
		require.True(t, IsInvalid(err), "%s: %v", name, err)
	}
}

// What is hidden in a valid image does not reach clients.
func TestRender_PolyglotLosesWhatIsNoPixel(t *testing.T) {
	t.Parallel()
	const hidden = "<script>alert(document.domain)</script>"
	complete := encodePNG(t, drawing(300, 300, color.White))
	end := len(complete) - len(chunk("IEND", nil))
	png := append(bytes.Clone(complete[:end]), chunk("tEXt", []byte("Comment\x00"+hidden))...)
	png = append(append(png, complete[end:]...), hidden...)
	jpeg := append(encodeJPEG(t, drawing(300, 300, color.White)), hidden...)
	comment := append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, byte(2 + len(hidden))}, hidden...)
	jpeg = append(comment, jpeg[2:]...)
	for _, data := range [][]byte{png, jpeg} {
		images, err := render(t, data)
		require.NoError(t, err)
		for _, small := range images {
			require.NotContains(t, string(small), "script")
		}
	}
}

// A decoder that reads after the end of the context gets nothing, however many passes the data names.
func TestDecode_EndsWithTheContext(t *testing.T) {
	t.Parallel()
	data := encodeJPEG(t, drawing(600, 600, color.White))
	f, _, err := measure(data)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = decode(ctx, f, data)
	require.ErrorIs(t, err, context.Canceled)
}

func FuzzRender_ImagesAreBounded(f *testing.F) {
	f.Add(bombPNG(8, 8, 8))
	f.Add(jpegHeader(0xc2, 8, 8))
	f.Add(extendedWebP(8, 8))
	f.Add([]byte("GIF89a\x08\x00\x08\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		format, memory, err := measure(data)
		if err != nil || memory > 1<<20 {
			return
		}
		m, err := decode(t.Context(), format, data)
		if err != nil {
			require.True(t, IsInvalid(err))
			return
		}
		require.LessOrEqual(t, m.Bounds().Dx()*m.Bounds().Dy(), 1<<20, "no more pixels than measured")
	})
}
