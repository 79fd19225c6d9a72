package metadata

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// maxPicture bounds a picture that lies inside the metadata, in bytes.
const maxPicture = 256 << 10

// imageAddress cleans the address of an image. It is not requested here: browsers and wallets will, so the address must not
// lead them to their own network or make them run something.
func imageAddress(raw string) (string, *failure) {
	raw = strings.TrimSpace(raw)
	scheme, rest, _ := strings.Cut(raw, ":")
	switch strings.ToLower(scheme) {
	case "http", "https":
		u, err := outbound.CheckURL(raw)
		if err != nil {
			return "", failf(reasonImage, "image: %s", err.Error())
		}
		return u.String(), nil
	case "ipfs":
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "/"), "ipfs/")
		namespace, id, path, f := ipfsPath("ipfs/" + rest)
		if f != nil {
			return "", failf(reasonImage, "image: %s", f.detail)
		}
		u := url.URL{Scheme: namespace, Host: id, Path: path}
		return u.String(), nil
	case "data":
		mediaType, data, ok := dataURL(raw)
		if !ok || !strings.HasPrefix(mediaType, "image/") {
			return "", failf(reasonImage, "image: a data address that holds no image")
		}
		return picture(data)
	default:
		if id, _, _ := strings.Cut(raw, "/"); contentID.MatchString(id) {
			return imageAddress("ipfs://" + raw)
		}
		return "", failf(reasonImage, "image: no http, https, ipfs or data address: %s", chain.Quote(raw))
	}
}

// pictures are the kinds of image that have a mark in their first bytes.
var pictures = []struct{ mark, mediaType string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
}

// picture makes a data address of an image's bytes, whose own look decides of what type it is.
func picture(data []byte) (string, *failure) {
	mediaType := ""
	for _, p := range pictures {
		if bytes.HasPrefix(data, []byte(p.mark)) {
			mediaType = p.mediaType
		}
	}
	if len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP" {
		mediaType = "image/webp"
	}
	if len(data) >= 12 && string(data[4:8]) == "ftyp" && strings.HasPrefix(string(data[8:12]), "avi") {
		mediaType = "image/avif"
	}
	switch {
	case len(data) > maxPicture:
		return "", failf(reasonImage, "image: more than %d bytes", maxPicture)
	case mediaType == "" && bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))), []byte("<")):
		if why := dangerInSVG(data); why != "" {
			return "", failf(reasonImage, "image: SVG with %s", why)
		}
		mediaType = "image/svg+xml"
	case mediaType == "":
		return "", failf(reasonImage, "image: not PNG, JPEG, GIF, WebP, AVIF or SVG")
	}
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}
