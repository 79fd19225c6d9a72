package handler

// Param is one parameter as a handler reads it. Descriptions of interfaces are made of these, so that they cannot say
// anything but what is read.
type Param struct {
	Name    string
	Form    Form
	Many    bool     // may be sent several times
	Values  []string // of [EnumForm]
	Default any      // what counts when it is not sent; nil when that is its absence
}

// Form says how the value of a parameter is written.
type Form uint8

// The forms; each reader of [Query] says what it takes.
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

// Record makes the query remember what is read of it, for [Query.Asked].
func (q *Query) Record() { q.recording = true }

// Recorded lists what was read since [Query.Record], each name once, as it was read first.
func (q *Query) Recorded() []Param { return q.asked }

func (q *Query) note(p Param) {
	if !q.recording {
		return
	}
	for i := range q.asked {
		if q.asked[i].Name == p.Name {
			return
		}
	}
	q.asked = append(q.asked, p)
}
