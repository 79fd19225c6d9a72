package details_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/details"
	"tonql/internal/chain"
)

// members reads the published members: kind → ["name=type", …].
func members(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/members.txt")
	require.NoError(t, err)
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if kind, rest, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			all[kind] = strings.Fields(rest)
		}
	}
	return all
}

// withoutDetails are the kinds whose details have no published members.
var withoutDetails = map[string]bool{"unknown": true, "coffee_mev_protect_failed_swap": true}

// Every kind has its struct, whose members have the published names, types and order.
func TestKinds_HaveThePublishedMembers(t *testing.T) {
	t.Parallel()
	published := members(t)
	for _, kind := range details.Kinds() {
		d, err := details.New(kind)
		require.NoError(t, err)
		require.Equal(t, kind, d.Kind())
		if withoutDetails[kind] {
			continue
		}
		want, ok := published[kind]
		require.True(t, ok, "testdata/members.txt lacks the members of %s", kind)
		if kind == "tick_tock" { // its one member is never filled
			want = []string{"account=addr~"}
		}
		require.Equal(t, want, described(reflect.TypeOf(d).Elem()), kind)
		delete(published, kind)
	}
	for object, of := range map[string]any{
		"DnsValue": details.DNSValue{}, "DexTransfer": details.DexTransfer{}, "PeerSwap": details.PeerSwap{}, "LzSend": details.LzSend{},
		"LzPacket": details.LzPacket{}, "VaultExcess": details.VaultExcess{}, "JettonAmount": details.JettonAmount{},
	} {
		require.Equal(t, published[object], described(reflect.TypeOf(of)), object)
		delete(published, object)
	}
	require.Empty(t, published)
}

// described returns the fields of a struct in the format of members.txt.
func described(of reflect.Type) []string {
	var all []string
	for f := range of.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		mark := ""
		kind := f.Type
		switch {
		case options == "omitempty":
			mark = "~"
		case kind.Kind() == reflect.Pointer, kind.Kind() == reflect.Slice && kind.Elem().Kind() != reflect.Struct,
			kind == reflect.TypeFor[[]chain.Address]():
			mark = "?"
		}
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		all = append(all, name+"="+schemaTypeOf(kind)+mark)
	}
	return all
}

func schemaTypeOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[chain.Address]():
		return "addr"
	case reflect.TypeFor[[]chain.Address]():
		return "[addr]"
	case reflect.TypeFor[details.Number]():
		return "dec"
	case reflect.TypeFor[details.Integer](), reflect.TypeFor[int32](), reflect.TypeFor[uint32]():
		return "int"
	case reflect.TypeFor[details.Opcode]():
		return "opcode"
	case reflect.TypeFor[details.Currencies]():
		return "{dec}"
	case reflect.TypeFor[chain.BOC]():
		return "boc"
	case reflect.TypeFor[string](), reflect.TypeFor[chain.Hash]():
		return "str"
	case reflect.TypeFor[details.DNSValue]():
		return "{DnsValue}"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Struct:
		return "{" + t.Name() + "}"
	case reflect.Slice:
		return "[" + t.Elem().Name() + "]"
	default:
		return t.String()
	}
}

// Every kind of the classifier has a struct.
func TestKinds_CoverTheClassifier(t *testing.T) {
	t.Parallel()
	missing := slices.DeleteFunc(action.Kinds(), func(kind string) bool { return slices.Contains(details.Kinds(), kind) })
	require.Empty(t, missing, "no struct of these is in the list families of details.go")
	require.Len(t, details.Kinds(), len(action.Kinds()), "structs without a kind")
}

// Details are marshaled and parsed with all members set, and with none.
func TestParse_ReadsWhatMarshalWrites(t *testing.T) {
	t.Parallel()
	for _, kind := range details.Kinds() {
		d, err := details.New(kind)
		require.NoError(t, err)
		requireRoundTrip(t, d)
		fillFields(reflect.ValueOf(d).Elem())
		requireRoundTrip(t, d)
	}
}

func requireRoundTrip(t *testing.T, d details.Details) {
	t.Helper()
	text, err := json.Marshal(d)
	require.NoError(t, err)
	back, err := details.Parse(d.Kind(), text)
	require.NoError(t, err)
	require.Equal(t, d, back)
}

// fillFields sets each field to a different value.
func fillFields(v reflect.Value) {
	for i := range v.NumField() {
		fillValue(v.Field(i), i)
	}
}

func fillValue(v reflect.Value, n int) {
	switch p := v.Addr().Interface().(type) {
	case *chain.Address:
		*p = chain.Address{Workchain: -1, ID: chain.Hash{byte(n), 1}}
	case *chain.Hash:
		*p = chain.Hash{byte(n), 2}
	case *chain.BOC:
		*p = chain.BOC{byte(n), 3}
	case *details.Number:
		*p = "-1606938044258990275541962092341162602522202993782792835301376"
	case *details.Integer:
		*p = "18446744073709551615"
	case *details.Opcode:
		*p = 0x0f8a7ea5
	case *details.Currencies:
		*p = details.Currencies{"100": "7"}
	case *string:
		*p = "<tonql> & \"x\""
	case *bool:
		*p = true
	case *int32:
		*p = -14
	case *uint32:
		*p = 1 << 31
	default:
		fillShape(v, n)
	}
}

func fillShape(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem(), n)
	case reflect.Struct:
		fillFields(v)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillValue(v.Index(0), n)
		fillValue(v.Index(1), n+1)
	default:
		panic("no value for a member of type " + v.Type().String())
	}
}

func TestParse_RefusesUnknownKindsAndBadJSON(t *testing.T) {
	t.Parallel()
	_, err := details.Of(&action.Action{Type: "teleport"})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = details.Parse("teleport", []byte("{}"))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = details.Parse("jetton_burn", []byte(`{"amount":"1.5"}`))
	require.Error(t, err)
	_, err = details.Parse("jetton_burn", []byte(`{`))
	require.Error(t, err)
}
