// Package qr draws QR codes as SVG elements, for pages whose policy permits no images of others.
package qr

import (
	"fmt"
	"html"
	"html/template"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"

	"tonql/internal/chain"
)

// quiet is the width of the margin that readers need, in modules.
const quiet = 4

// SVG returns a QR code of a text as an SVG element. The label describes it to users who do not see it. It returns an Invalid error for
// a text that is too long.
func SVG(text, label string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", chain.Invalidf("the text does not fit a QR code")
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; {
			run := x
			for run < size && code.At(run, y) == color.Black {
				run++
			}
			if run > x {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run-x, run-x)
			}
			x = max(run, x+1)
		}
	}
	side := size + 2*quiet
	square := fmt.Sprintf(`viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><rect width="%[1]d" height="%[1]d" fill="#fff"/>`, side)
	return template.HTML(`<svg class="qr" role="img" aria-label="` + html.EscapeString(label) + `" ` + square + //nolint:gosec // numbers, and a label that is escaped
		`<path fill="#000" d="` + path.String() + `"/></svg>`), nil
}
