package metadata

import (
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// ImageLocator resolves the images of metadata to what can be requested.
type ImageLocator struct {
	gateways []*url.URL
}

// NewImageLocator returns a locator that requests images of IPFS from gateways; those of [Options] when there are none.
func NewImageLocator(gateways []string) (*ImageLocator, error) {
	if len(gateways) == 0 {
		gateways = publicGateways
	}
	l := &ImageLocator{}
	for _, raw := range gateways {
		u, err := gateway(raw)
		if err != nil {
			return nil, err
		}
		l.gateways = append(l.gateways, u)
	}
	return l, nil
}

// ImagePlace is where an image lies: in Data, or at one of the addresses, the best first.
type ImagePlace struct {
	Addresses []string
	Data      []byte
}

// Locate resolves the image of metadata: an http or https address, one of IPFS, or the data itself. check reports whether an
// http or https address may be requested.
func (l *ImageLocator) Locate(image string, check func(string) error) (ImagePlace, error) {
	if strings.HasPrefix(strings.ToLower(image), "data:") {
		mediaType, data, ok := dataURL(image)
		if !ok || !strings.HasPrefix(mediaType, "image/") {
			return ImagePlace{}, chain.Invalidf("image: a data address that holds no image")
		}
		return ImagePlace{Data: data}, nil
	}
	p, f := locate(image, check, l.gateways, 0)
	if f != nil {
		return ImagePlace{}, chain.Invalidf("image: %s", f.detail)
	}
	return ImagePlace{Addresses: p.addresses[:min(len(p.addresses), maxPlaces)]}, nil
}
