package tokenimage

import (
	"slices"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// Prefix is the path of the images on a server: /api/images/ADDRESS/SIZE?v=VERSION.
const Prefix = "/api/images"

// Links returns the addresses of an image of metadata in all [Sizes] on the server at origin, such as https://api.example.
// They are empty for images that [Path] does not serve.
func Links(origin string, account chain.Address, image string) chain.Images {
	origin = strings.TrimSuffix(origin, "/")
	link := func(size int) string {
		path, err := Path(account, image, size)
		if err != nil || path == "" {
			return ""
		}
		return origin + path
	}
	return chain.Images{Small: link(Sizes[0]), Medium: link(Sizes[1]), Big: link(Sizes[2])}
}

// Path returns the path of an image of metadata. It is empty for images that are not served whatever their host sends. The
// error says which sizes exist.
func Path(account chain.Address, image string, size int) (string, error) {
	if !slices.Contains(Sizes, size) {
		return "", chain.Invalidf("no image of size %d; the sizes are %v", size, Sizes)
	}
	if strings.HasPrefix(image, "data:image/avif") {
		return "", nil
	}
	return Prefix + "/" + account.String() + "/" + strconv.Itoa(size) + "?v=" + chain.ImageVersion(image), nil
}
