package tokenimage

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"golang.org/x/image/draw"
)

// Sizes are the lengths of the longer side that images are scaled to, in pixels, ascending. Smaller images keep their size.
var Sizes = []int{64, 256, 512}

const jpegQuality = 85

// scaled returns m at each of the sizes, encoded: as JPEG when it is opaque, otherwise as PNG.
func scaled(m image.Image) (map[int][]byte, error) {
	out := make(map[int][]byte, len(Sizes))
	for _, size := range slices.Backward(Sizes) {
		small := shrink(m, size)
		data, err := encode(small)
		if err != nil {
			return nil, err
		}
		out[size], m = data, small // the next size is made of this one
	}
	return out, nil
}

// shrink scales m until its longer side is at most size. It halves the image first, so that each step averages all pixels
// and needs a quarter of the memory of the one before.
func shrink(m image.Image, size int) *image.RGBA {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	for max(w, h) >= 4*size {
		w, h = max(1, w/2), max(1, h/2)
		half := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.ApproxBiLinear.Scale(half, half.Bounds(), m, m.Bounds(), draw.Src, nil)
		m = half
	}
	if longer := max(w, h); longer > size {
		w, h = max(1, w*size/longer), max(1, h*size/longer)
	}
	target := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(target, target.Bounds(), m, m.Bounds(), draw.Src, nil)
	return target
}

func encode(m *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	if m.Opaque() {
		err := jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
		return b.Bytes(), err
	}
	err := png.Encode(&b, m)
	return b.Bytes(), err
}
