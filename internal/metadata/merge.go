package metadata

import (
	"encoding/json"
	"maps"

	"tonql/internal/chain"
)

// Bounds of the named fields, in bytes.
const (
	maxName        = 512
	maxSymbol      = 128
	maxDescription = 16 << 10
)

// merge makes metadata of what the chain says and of the document behind the uri, which is nil when there is none. Where
// both speak, the chain is right (TEP-64). A failure tells of an image that was left out; everything else is complete.
func merge(content chain.Content, document map[string]any) (*chain.Metadata, *failure) {
	members := maps.Clone(document)
	if members == nil {
		members = map[string]any{}
	}
	delete(members, "uri") // the document is not where it says but where it was found
	for name, value := range content {
		if value != "" {
			members[name] = value
		}
	}
	m := &chain.Metadata{
		Indexed:     true,
		Name:        line(take(members, "name"), maxName),
		Symbol:      line(take(members, "symbol"), maxSymbol),
		Description: paragraphs(take(members, "description"), maxDescription),
	}
	var f *failure
	m.Image, f = imageOf(take(members, "image"), take(members, "image_data"))
	m.Extra = extraOf(members)
	return m, f
}

// take removes a member and gives its text; a number's text is its digits, other values have none.
func take(members map[string]any, name string) string {
	v := members[name]
	delete(members, name)
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// imageOf chooses between the address of an image and its bytes in base64. The bytes stand in when the address is
// missing or refused.
func imageOf(address, bytes string) (string, *failure) {
	var f *failure
	if address != "" {
		var image string
		if image, f = imageAddress(address); f == nil {
			return image, nil
		}
	}
	if bytes == "" {
		return "", f
	}
	data, ok := decodeBase64(bytes)
	if !ok {
		data = []byte(bytes) // some write an SVG drawing as it is
	}
	image, g := picture(data)
	if f == nil {
		f = g
	}
	return image, f
}
