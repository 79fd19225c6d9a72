package chain

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Trait is a property of an NFT item that its metadata names.
type Trait struct {
	Name  string
	Value string
}

// maxTraits is the maximum number of traits that are returned of an item.
const maxTraits = 100

// Traits returns the entries of `attributes`: objects with `trait_type` and `value`, as marketplaces read them. Content on the chain has
// the list as text. Entries without a value that can be shown as text are left out.
func (m *Metadata) Traits() []Trait {
	traits := []Trait{}
	list, _ := m.Extra["attributes"].([]any)
	if text, ok := m.Extra["attributes"].(string); ok {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&list) != nil {
			return traits
		}
	}
	for _, entry := range list {
		if len(traits) == maxTraits {
			break
		}
		object, _ := entry.(map[string]any)
		name, _ := object["trait_type"].(string)
		if value := traitText(object["value"]); value != "" {
			traits = append(traits, Trait{Name: name, Value: value})
		}
	}
	return traits
}

func traitText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	default:
		return ""
	}
}
