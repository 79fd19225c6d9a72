package handler

// Param is a parameter as a handler reads it. OpenAPI documents are generated from these, so they agree with the handlers.
type Param struct {
	Name    string
	Form    Form
	Many    bool     // can be repeated
	Values  []string // accepted values of an [EnumForm]
	Default any      // value used if the parameter is absent; nil for none
}

// Form is the format of a parameter's value.
type Form uint8

// The forms. The readers of [Query] document what they accept.
const (
	TextForm Form = iota
	AddressForm
	NullableAddressForm
	HashForm
	ShardForm
	OpcodeForm
	Int32Form
	Uint64Form
	UtimeForm
	BoolForm
	EnumForm
	LimitForm
	OffsetForm
)

// Record starts recording the parameters that are read, for [Query.Recorded].
func (q *Query) Record() { q.recording = true }

// Recorded returns the parameters read since [Query.Record], without duplicates, in the order of first reading.
func (q *Query) Recorded() []Param { return q.recorded }

func (q *Query) record(p Param) {
	if !q.recording {
		return
	}
	for i := range q.recorded {
		if q.recorded[i].Name == p.Name {
			return
		}
	}
	q.recorded = append(q.recorded, p)
}
