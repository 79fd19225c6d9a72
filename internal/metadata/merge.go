package metadata

import (
	"encoding/json"
	"fmt"
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
// both speak, the chain is right (TEP-64). A failure names a
// member that was left out, an image for instance; everything else is complete.
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
	m := &chain.Metadata{Indexed: true}
	var f *failure
	// Each member is read on its own: one that cannot be read is left out, and the others stay.
	failed := func(g *failure) {
		if f == nil {
			f = g
		}
	}
	failed(contained("name", func() *failure { m.Name = line(take(members, "name"), maxName); return nil }))
	failed(contained("symbol", func() *failure { m.Symbol = line(take(members, "symbol"), maxSymbol); return nil }))
	failed(contained("description", func() *failure {
		m.Description = paragraphs(take(members, "description"), maxDescription)
		return nil
	}))
	failed(contained("image", func() (g *failure) {
		m.Image, g = imageOf(take(members, "image"), take(members, "image_data"))
		return g
	}))
	failed(contained("the members", func() (g *failure) {
		m.Extra, g = extraOf(members)
		return g
	}))
	return m, f
}

// contained runs the reader of one member and turns its panic into a failure, so that the other members stay.
func contained(member string, read func() *failure) (f *failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &failure{reason: reasonInternal, detail: member + " cannot be read", err: fmt.Errorf("%v", r)}
		}
	}()
	return read()
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
		f = contained("image", func() (g *failure) {
			image, g = imageAddress(address)
			return g
		})
		if f == nil {
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
