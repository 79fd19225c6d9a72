package tokenimage

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const svgOpen = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50">`

// artist returns Images that draw SVG. It skips the test on machines without the program.
func artist(t *testing.T) *Images {
	t.Helper()
	if _, err := exec.LookPath(svgProgram); err != nil {
		if os.Getenv("TONQL_REQUIRE_SVG") != "" {
			t.Fatalf("%s is not installed, and TONQL_REQUIRE_SVG is set", svgProgram)
		}
		t.Skipf("%s is not installed", svgProgram)
	}
	s := open(t, func(o *Options) { o.SVG, o.Timeout = svgProgram, time.Minute })
	s.drawer.timeout = time.Minute // a machine that runs other tests is slow
	return s
}

// draws returns the image of an SVG.
func draws(t *testing.T, s *Images, svg string) (image.Image, error) {
	t.Helper()
	m, err := s.Get(t.Context(), "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(svg)), 512)
	if err != nil {
		return nil, err
	}
	decoded, _, err := image.Decode(bytes.NewReader(m.Data))
	require.NoError(t, err)
	return decoded, nil
}

func TestSVG_IsDrawnAsLargeAsTheLargestSize(t *testing.T) {
	t.Parallel()
	s := artist(t)
	for _, before := range []string{"", "\ufeff \n", `<?xml version="1.0" encoding="UTF-8"?>` + "\n<!-- a logo -->\n<!DOCTYPE svg>\n"} {
		m, err := draws(t, s, before+svgOpen+`<rect width="50" height="50" fill="#ff0000"/></svg>`)
		require.NoError(t, err)
		require.Equal(t, image.Rect(0, 0, 512, 256), m.Bounds())
		require.Equal(t, color.NRGBA{R: 255, A: 255}, color.NRGBAModel.Convert(m.At(100, 128)))
		require.Equal(t, color.NRGBA{}, color.NRGBAModel.Convert(m.At(400, 128)))
	}
}

// A drawing loads no file and sends no request.
func TestSVG_LoadsNothing(t *testing.T) {
	t.Parallel()
	s := artist(t)
	file := filepath.Join(t.TempDir(), "red.png")
	var red bytes.Buffer
	require.NoError(t, png.Encode(&red, drawing(100, 50, color.RGBA{R: 255, A: 255})))
	require.NoError(t, os.WriteFile(file, red.Bytes(), 0o600))
	url, requests, _ := host(t, serve(red.Bytes(), "image/png"))
	for _, from := range []string{"file://" + file, file, url + "/red.png"} {
		m, err := draws(t, s, svgOpen+fmt.Sprintf(`<image width="100" height="50" xlink:href=%q/><image width="100" height="50" href=%q/></svg>`, from, from))
		require.NoError(t, err)
		require.Equal(t, color.NRGBA{}, color.NRGBAModel.Convert(m.At(100, 128)), from)
	}
	for _, text := range []string{
		`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + svgOpen + `<text y="40">&x;</text></svg>`,
		svgOpen + `<style>@import url("` + url + `/a.css");</style><rect width="1" height="1"/></svg>`,
		svgOpen + `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="` + url + `/a.svg"/></svg>`,
	} {
		_, _ = draws(t, s, text) // drawn or refused
	}
	require.Zero(t, requests.Load())
}

// Drawings that would take hours or gigabytes end within the limits of their process, are refused, and stay refused.
func TestSVG_HostileDrawingsEnd(t *testing.T) {
	t.Parallel()
	s := artist(t)
	nested := func(n int, begin, end string) string {
		return strings.Repeat(begin, n) + `<rect width="9" height="9"/>` + strings.Repeat(end, n)
	}
	var uses, entities, filters strings.Builder
	for i := range 24 {
		fmt.Fprintf(&uses, `<g id="u%d">%s</g>`, i, strings.Repeat(fmt.Sprintf(`<use xlink:href="#u%d"/>`, i+1), 4))
	}
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&entities, `<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	for i := range 600 {
		fmt.Fprintf(&filters, `<filter id="f%d" x="-1000" y="-1000" width="9000" height="9000" filterUnits="userSpaceOnUse"><feGaussianBlur stdDeviation="900"/></filter>`, i)
	}
	var dashes strings.Builder
	for i := range 90_000 {
		fmt.Fprintf(&dashes, " L%d %d", i%97, i%89)
	}
	for name, svg := range map[string]string{
		"use of use":     svgOpen + `<defs>` + uses.String() + `<rect id="u24" width="1" height="1"/></defs><use xlink:href="#u0"/></svg>`,
		"entities":       `<!DOCTYPE svg [<!ENTITY a0 "x">` + entities.String() + `]>` + svgOpen + `<text>&a11;</text></svg>`,
		"nested groups":  svgOpen + nested(50_000, "<g>", "</g>") + `</svg>`,
		"nested opacity": svgOpen + nested(900, `<g opacity="0.9">`, "</g>") + `</svg>`,
		"dashes":         svgOpen + `<path stroke="red" stroke-dasharray="0.001" d="M0 0` + dashes.String() + `"/></svg>`,
		"filters":        svgOpen + `<defs>` + filters.String() + `</defs><g filter="url(#f0)">` + nested(200, `<g filter="url(#f1)">`, "</g>") + `</g></svg>`,
		"broken":         svgOpen + `<rect`,
		"too large":      svgOpen + `<!--` + strings.Repeat("x", maxDrawingBytes) + `--></svg>`,
	} {
		if name == "too large" { // no metadata holds it, but a host may
			_, err := s.drawer.draw(t.Context(), []byte(svg))
			require.True(t, IsInvalid(err), "%v", err)
			continue
		}
		_, err := s.drawer.draw(t.Context(), []byte(svg))
		if name == "dashes" && err == nil { // a fast machine needs less than the limit
			continue
		}
		require.True(t, IsInvalid(err), "%s: %v", name, err)
	}
	m, err := draws(t, s, svgOpen+`<rect width="100" height="50" fill="#00ff00"/></svg>`)
	require.NoError(t, err, "the next drawing is not affected")
	require.NotNil(t, m)
}

// A page in HTML that has an SVG, and SVG without a program, are no images.
func TestSVG_OthersAreNoImages(t *testing.T) {
	t.Parallel()
	url, _, at := host(t, serve([]byte(svgOpen+`<rect width="9" height="9"/></svg>`), "image/svg+xml"))
	_, err := open(t, nil, at).Get(t.Context(), url+"/a.svg", 64)
	require.True(t, IsInvalid(err), "%v", err)
	require.False(t, isSVG([]byte("<html>"+strings.Repeat(" ", 5000)+"<svg")))
	require.False(t, isSVG([]byte("svg")))
	require.False(t, isSVG(nil))
}

// A program that writes without end, waits without end, or is not there takes bounded memory and time; what is not the image's fault is
// not remembered as one.
func TestSVG_ProgramIsBounded(t *testing.T) {
	t.Parallel()
	_, err := New(Options{SVG: "no-such-program"})
	require.ErrorContains(t, err, "no-such-program")
	program := func(script string) *drawer {
		path := filepath.Join(t.TempDir(), "program")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
		d, err := newDrawer(path)
		require.NoError(t, err)
		d.timeout = time.Minute
		return d
	}
	_, err = program("exec yes").draw(t.Context(), []byte(svgOpen+"</svg>"))
	require.True(t, IsInvalid(err), "%v", err)
	waits := program("exec sleep 1000")
	waits.timeout = 100 * time.Millisecond
	_, err = waits.draw(t.Context(), []byte(svgOpen+"</svg>"))
	require.ErrorIs(t, err, ErrBusy)
	require.False(t, IsInvalid(err))
	// Another drawing waits for a part of that time.
	busy := program("exit 0")
	require.NoError(t, busy.lane.Acquire(t.Context(), maxDrawings))
	busy.timeout = 500 * time.Millisecond
	_, err = busy.draw(t.Context(), []byte(svgOpen+"</svg>"))
	require.ErrorIs(t, err, ErrBusy)
	require.NoError(t, t.Context().Err())
	gone := program("exit 0")
	require.NoError(t, os.Remove(gone.program))
	_, err = gone.draw(t.Context(), []byte(svgOpen+"</svg>"))
	require.ErrorIs(t, err, ErrBusy)
}
