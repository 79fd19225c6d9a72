package v2

import (
	"encoding/base64"
	"strings"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// given is an address with the form in which it was sent.
type given struct {
	chain.Address
	chain.AddressForm
}

// givenAddress reads an address and its form. A raw address has the flags of a bounceable one.
func (p *params) givenAddress(name string) given {
	a := p.address(name)
	text, _ := p.text(name)
	_, form, err := chain.ParseAddressForm(text)
	if err != nil { // refused above
		form = chain.AddressForm{Bounceable: true}
	}
	return given{a, form}
}

func (g given) kind() string {
	switch {
	case g.Raw:
		return "raw_form"
	case g.Bounceable:
		return "friendly_bounceable"
	default:
		return "friendly_non_bounceable"
	}
}

func detectAddress(c *call) error {
	g := c.p.givenAddress("address")
	if err := c.p.end(); err != nil {
		return err
	}
	b := append(c.b, `{"@type":"ext.utils.detectedAddress","raw_form":"`...)
	b = append(b, strings.ToLower(g.String())...)
	b = appendVariant(append(b, `","bounceable":`...), g.Friendly(true, g.TestOnly))
	b = appendVariant(append(b, `,"non_bounceable":`...), g.Friendly(false, g.TestOnly))
	b = handler.AppendString(append(b, `,"given_type":`...), g.kind())
	c.b = append(handler.AppendBool(append(b, `,"test_only":`...), g.TestOnly), '}')
	return nil
}

func appendVariant(b []byte, url string) []byte {
	b = append(b, `{"@type":"ext.utils.detectedAddressVariant","b64":"`...)
	b = append(b, strings.NewReplacer("-", "+", "_", "/").Replace(url)...)
	return append(append(append(b, `","b64url":"`...), url...), `"}`...)
}

func packAddress(c *call) error {
	g := c.p.givenAddress("address")
	c.b = handler.AppendString(c.b, g.Friendly(g.Bounceable, g.TestOnly))
	return c.p.end()
}

func unpackAddress(c *call) error {
	a := c.p.address("address")
	c.b = handler.AppendAddress(c.b, &a)
	return c.p.end()
}

func detectHash(c *call) error {
	h := c.p.hash("hash")
	c.p.required("hash", h != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	b := handler.AppendHash(append(c.b, `{"@type":"ext.utils.detectedHash","b64":`...), h)
	b = handler.AppendString(append(b, `,"b64url":`...), base64.RawURLEncoding.EncodeToString(h[:]))
	c.b = append(handler.AppendString(append(b, `,"hex":`...), h.Hex()), '}')
	return nil
}
