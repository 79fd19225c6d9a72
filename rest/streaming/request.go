package streaming

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

// request is the body of a subscription over server-sent events, or the message of one over WebSocket. Members that are null count as absent, unknown ones
// are ignored, and names match without regard to case, as published.
type request struct {
	ID             *string   `json:"id"`
	Types          []string  `json:"types"`
	Addresses      []string  `json:"addresses"`
	Traces         []string  `json:"trace_external_hash_norms"`
	MinFinality    *finality `json:"min_finality"`
	AddressBook    *bool     `json:"include_address_book"`
	Metadata       *bool     `json:"include_metadata"`
	ActionTypes    []string  `json:"action_types"`
	Supported      []string  `json:"supported_action_types"`
	BodyHash       *string   `json:"msg_body_hash"`
	ReplayExisting bool      `json:"replay_existing"`
}

// envelope has the members of a message that are read first.
type envelope struct {
	ID        *string `json:"id"`
	Operation string  `json:"operation"`
}

// removal has the members of a message that removes from a subscription. It may have those of a subscription, too, of any type.
type removal struct {
	ID        *string  `json:"id"`
	Addresses []string `json:"addresses"`
	Traces    []string `json:"trace_external_hash_norms"`
}

// finality is a level of finality, as its order is published.
type finality uint8

const (
	pending finality = iota
	confirmed
	finalized
)

var finalityNames = [...]string{"pending", "confirmed", "finalized"}

func (f finality) String() string { return finalityNames[f] }

// UnmarshalJSON reads the exact name of a level.
func (f *finality) UnmarshalJSON(text []byte) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return errors.New("min_finality must be a string")
	}
	for level, published := range finalityNames {
		if name == published {
			*f = finality(level)
			return nil
		}
	}
	return errors.New("unknown finality state: " + name)
}

// parse reads a JSON object. The error is a sentence for the client.
func parse(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return errors.New("no JSON: " + syntax.Error() + " at byte " + strconv.FormatInt(syntax.Offset, 10))
	case errors.As(err, &kind):
		return errors.New(jsontext.Mismatch(kind, into))
	default:
		return err //nolint:wrapcheck // of UnmarshalJSON above
	}
}

// kinds is a set of types of notifications.
type kinds uint8

const (
	transactions kinds = 1 << iota
	actions
	trace
	accountStates
	jettons
)

var kindNames = map[string]kinds{
	"transactions": transactions, "actions": actions, "trace": trace, "account_state_change": accountStates, "jettons_change": jettons,
}

// texts are those of refusals that differ between the transports.
type texts struct{ types, addresses, tooMany string }

var (
	eventTexts  = texts{"types are required for subscription", "addresses are required for subscription", "too many addresses: %d > max %d"}
	socketTexts = texts{"types are required", "addresses are required", "address limit exceeded: current 0 + new %d > max %d"}
)

// subscription checks a request in the published order and returns the subscription that it makes of the one before; nil is none. most bounds each list.
func (q *request) subscription(before *subscription, w texts, most int) (*subscription, error) {
	s := before.renewed()
	if len(q.Types) == 0 {
		return nil, errors.New(w.types)
	}
	for _, name := range q.Types {
		kind, ok := kindNames[name]
		if !ok {
			return nil, errors.New("invalid event type: " + name)
		}
		s.kinds |= kind
	}
	var err error
	if s.addresses, err = addressSet(q.Addresses); err != nil {
		return nil, err
	}
	if s.traces, err = hashSet(q.Traces); err != nil {
		return nil, err
	}
	switch {
	case len(s.traces) > 0 && s.kinds&trace == 0:
		return nil, errors.New(`trace_external_hash_norms requires type "trace"`)
	case len(s.traces) == 0 && s.kinds&trace != 0:
		return nil, errors.New("trace_external_hash_norms are required for trace subscription")
	case len(s.addresses) == 0 && s.kinds&^trace != 0:
		return nil, errors.New(w.addresses)
	}
	if err := q.extensions(s); err != nil {
		return nil, err
	}
	if len(s.addresses) > most {
		return nil, fmt.Errorf(w.tooMany, len(s.addresses), most)
	}
	if len(s.traces) > most {
		return nil, fmt.Errorf("too many trace_external_hash_norms: %d > max %d", len(s.traces), most)
	}
	if len(q.ActionTypes) > most || len(q.Supported) > most {
		return nil, fmt.Errorf("too many action types: at most %d", most)
	}
	q.options(s)
	return s, nil
}

// extensions reads what newer servers have.
func (q *request) extensions(s *subscription) error {
	if q.BodyHash != nil {
		if len(s.addresses) == 0 || s.kinds&transactions == 0 {
			return errors.New(`msg_body_hash requires addresses and type "transactions"`)
		}
		h, err := chain.ParseHash(*q.BodyHash)
		if err != nil {
			return errors.New("invalid msg_body_hash")
		}
		s.bodyHash = &h
	}
	if q.ReplayExisting {
		return errNoReplay
	}
	return nil
}

// errNoReplay is the published error of a server that retains no notifications.
var errNoReplay = chain.Invalidf("replay is not configured")

// options sets the options that the request names.
func (q *request) options(s *subscription) {
	if q.MinFinality != nil {
		s.minFinality = *q.MinFinality
	}
	if q.AddressBook != nil {
		s.addressBook = *q.AddressBook
	}
	if q.Metadata != nil {
		s.metadata = *q.Metadata
	}
	if len(q.ActionTypes) > 0 {
		s.actionTypes = textSet(q.ActionTypes)
	}
	if len(q.Supported) > 0 {
		s.supported = supportedSet(q.Supported)
	}
}

func addressSet(list []string) (map[chain.Address]bool, error) {
	set := make(map[chain.Address]bool, len(list))
	for _, text := range list {
		a, err := chain.ParseAddress(text)
		if err != nil {
			return nil, errors.New("invalid address: " + text)
		}
		set[a] = true
	}
	return set, nil
}

func hashSet(list []string) (map[chain.Hash]bool, error) {
	set := make(map[chain.Hash]bool, len(list))
	for _, text := range list {
		h, err := chain.ParseHash(strings.TrimSpace(text)) // as published
		if err != nil {
			return nil, errors.New("trace_external_hash_norms contains empty value")
		}
		set[h] = true
	}
	return set, nil
}

func textSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, text := range list {
		set[text] = true
	}
	return set
}
