package chain

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Trait is a property of an NFT item that its metadata names.
type Trait struct {
	Name  string
	Value string
}

// The bounds of the traits by which items are found and counted.
const (
	// MaxTraitBytes is the most bytes of a name and of a value; traits that are longer are shown, but not found.
	MaxTraitBytes = 200
	// MaxTraitNames is the most names of traits of a collection that are listed.
	MaxTraitNames = 30
	// MaxTraitValues is the most values of a name that are listed.
	MaxTraitValues = 50
	// MaxTraitItems is where counting the items of a value ends.
	MaxTraitItems = 1000
)

// TraitCounts is a name of traits of the items of a collection, with the values that occur.
type TraitCounts struct {
	Name       string
	Values     []TraitValueCount // by value
	MoreValues bool              // there are more than [MaxTraitValues]
}

// TraitValueCount is a value with the number of items that have it.
type TraitValueCount struct {
	Value string
	Items CappedCount // up to [MaxTraitItems]
}

// Validate refuses a trait by which no item is found.
func (t *Trait) Validate() error {
	if t.Value == "" || max(len(t.Name), len(t.Value)) > MaxTraitBytes {
		return Invalidf("trait: the value is not empty, and name and value have at most %d bytes each", MaxTraitBytes)
	}
	return nil
}

// searchable is the form of texts in which traits are stored and found: PostgreSQL takes neither NUL nor invalid UTF-8.
func searchable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Searchable returns the trait in the form in which it is stored.
func (t Trait) Searchable() Trait { return Trait{Name: searchable(t.Name), Value: searchable(t.Value)} }

// SearchableTraits returns the traits by which the item is found, each once.
func (m *Metadata) SearchableTraits() []Trait {
	var traits []Trait
	for _, t := range m.Traits() {
		if t = t.Searchable(); t.Validate() == nil && !slices.Contains(traits, t) {
			traits = append(traits, t)
		}
	}
	return traits
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
