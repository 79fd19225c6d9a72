package v2

// PrintValue prints a value of a stack in both dialects.
func PrintValue(v any) (pair, entry string, err error) {
	left := maxShown
	old, err := appendPair(nil, v, &left)
	if err != nil {
		return "", "", err
	}
	tagged, err := appendEntry(nil, v, 0)
	return string(old), string(tagged), err
}

// Document is the OpenAPI document.
func Document() ([]byte, error) { return openAPI(Routes(), DefaultVersion) }

// AppendBag is tested by itself: what it prints must be what the cells would be serialized to.
var AppendBag = appendBag

// ParseHash reads a hash as parameters do.
var ParseHash = parseHash

// AppendState is tested by itself: no account of the index has data without code.
var AppendState = appendState
