package metadata

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// active are elements that run something, load something or hold something else than a drawing.
var active = []string{
	"script", "foreignobject", "iframe", "object", "embed", "audio", "video", "canvas", "link", "meta", "base", "form",
	"handler", "listener", "body", "html",
}

// dangerInSVG says what in a drawing could run or load something, in a word or two; "" when nothing could. Whatever is
// not plain XML in UTF-8 is refused: readers that repair it might repair it into something else.
func dangerInSVG(data []byte) string {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rooted := false
	style := 0 // depth inside style elements
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && rooted {
			return ""
		}
		if err != nil {
			return "broken XML"
		}
		switch token := token.(type) {
		case xml.Directive:
			if bytes.ContainsAny(token, "[") || bytes.Contains(bytes.ToUpper(token), []byte("ENTITY")) {
				return "entities"
			}
		case xml.ProcInst:
			if token.Target != "xml" { // xml-stylesheet loads
				return "processing instructions"
			}
		case xml.StartElement:
			name := strings.ToLower(token.Name.Local)
			if !rooted && name != "svg" {
				return "another root"
			}
			rooted = true
			if why := dangerInElement(name, token.Attr); why != "" {
				return why
			}
			if name == "style" {
				style++
			}
		case xml.EndElement:
			if strings.EqualFold(token.Name.Local, "style") {
				style--
			}
		case xml.CharData:
			if style > 0 && loads(string(token)) {
				return "styles that load"
			}
		}
	}
}

func dangerInElement(name string, attributes []xml.Attr) string {
	if slices.Contains(active, name) {
		return name
	}
	for _, a := range attributes {
		key, value := strings.ToLower(a.Name.Local), squeeze(a.Value)
		switch {
		case strings.HasPrefix(key, "on"):
			return "event handlers"
		case strings.Contains(value, "javascript:"), strings.Contains(value, "vbscript:"):
			return "script"
		case key == "href" || key == "src":
			if !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/png") &&
				!strings.HasPrefix(value, "data:image/jpeg") && !strings.HasPrefix(value, "data:image/gif") {
				return "outside links"
			}
		case key == "attributename" && (strings.HasPrefix(value, "on") || strings.HasSuffix(value, "href")):
			return "animated links"
		case loads(a.Value):
			return "styles that load"
		}
	}
	return ""
}

// loads reports whether a style refers to anything outside the drawing. A backslash could spell any word.
func loads(style string) bool {
	style = squeeze(style)
	if strings.Contains(style, "@import") || strings.Contains(style, "expression(") || strings.Contains(style, "\\") {
		return true
	}
	for rest := style; ; {
		_, after, found := strings.Cut(rest, "url(")
		if !found {
			return false
		}
		if target := strings.TrimLeft(after, `"'`); !strings.HasPrefix(target, "#") {
			return true
		}
		rest = after
	}
}

// squeeze leaves out what readers of addresses and styles skip, and capital letters.
func squeeze(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s))
}
