package v2

// PrintValue prints a value of a stack in both dialects.
func PrintValue(v any) (pair, entry string, err error) {
	left := maxShown
	old, err := appendPair(nil, v, &left)
	if err != nil {
		return "", "", err
	}
	entry, err = PrintEntry(v)
	return string(old), entry, err
}

// PrintEntry prints a value of a stack in the dialect of runGetMethodStd.
func PrintEntry(v any) (string, error) {
	b, err := appendEntry(nil, v, maxResultDepth)
	return string(b), err
}

// ErrTooDeep is the error about a result that is nested too deep.
var ErrTooDeep = errTooDeep

// ErrTooManyCells is the error about a result with too many cells.
var ErrTooManyCells = errTooManyCells

// Document is the OpenAPI document.
func Document() ([]byte, error) { return openAPI(Routes(), DefaultVersion) }

// AppendBag is tested by itself: what it prints must be what the cells would be serialized to.
var AppendBag = appendBag

// ParseHash reads a hash as parameters do.
var ParseHash = parseHash

// AppendState is tested by itself: no account of the index has data without code.
var AppendState = appendState

// Comment reads the text of a body as messages show it.
var Comment = comment

// AppendRecords, AppendEntryData and AppendBody are tested by themselves: no contract of the index has all types of records, nor all forms of bodies.
var (
	AppendRecords   = appendRecords
	AppendEntryData = appendEntryData
	AppendBody      = appendBody
)
