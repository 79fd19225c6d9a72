package contract_test

import (
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

// Codes that Tact 1.6.13 writes by default. Those with the methods value and other are of contracts of a counter.
const (
	tactInternal = "te6ccgEBCgEA4wACKP8Ajoj0pBP0vPLIC+1TIOMD7UPZAQgCAWICAwEFoAANCQIBIAQGASu/Yw9qJoaQAAymmfgJjJGDhxAO2eGMBQEI2zwhoAkBKb7WB2om" +
		"hpAADKaZ+AmMkYOHFtnhjAcAAiAB5jAB0HLXIdIA0gD6QCEQNFBmbwT4YQL4Yu1E0NIAAZTTPwExkjBw4gKRW+BwIddJIMIflTEB0x8C3iGCEGth8u26jpZb" +
		"0x8wUhCg2zwxyH8BygABAcs/ye1U4DLAAAHBIbCcyH8BygABAcs/ye1U4DDywIIJABAgwgWTpfAG4A=="
	tactExternal = "te6ccgECCgEAAUYAA+z/AI6I9KQT9LzyyAvtUyDjAyCkjt0w7UTQ0gABlNM/ATGSMHDiIddJwh+VAdMfMQHeAfkBgvBPq0i2jgKaQGzpxKRgY3LK/OXXoOte" +
		"ylgUktusVMfeALqOlPgAUwDbPDGgyH8BygABAcs/ye1U4DDywILh7UPZAQgJAgFiAgMBBaAADQkCASAEBgErv2MPaiaGkAAMppn4CYyRg4cQDtnhjAUBCNs8" +
		"IaAJASm+1gdqJoaQAAymmfgJjJGDhxbZ4YwHAAIgAeYwAdBy1yHSANIA+kAhEDRQZm8E+GEC+GLtRNDSAAGU0z8BMZIwcOICkVvgcCHXSSDCH5UxAdMfAt4h" +
		"ghBrYfLtuo6WW9MfMFIQ2zwxoMh/AcoAAQHLP8ntVOAywAABwSGwnMh/AcoAAQHLP8ntVOAw8sCCCQAQIMIFk6XwBuA="
	tactReceiverInline = "te6ccgEBAwEAiAAB0v8Ajoj0pBP0vPLIC+1TII5UMAHQctch0gDSAPpAIRA0UGZvBPhhAvhi7UTQ0gABlNM/ATGSMHDiApFb4HAh10kgwh+VMQHTHzCRMuLA" +
		"AAHBIbCdpMh/AcoAAQHLP8ntVOAw8sCC4e1D2QEBK6Z2sDtRNDSAAGU0z8BMZIwcOLbPDGACAAIg"
	tactExternalOnly = "te6ccgEBBAEAvgACiv8Ajoj0pBP0vPLIC+1TII4sMDDQctch0gDSAPpAIRA0UFVvBPhhAfhi7UTQ0gABlNM/ATGSMHDiMNzywILhIKTjA+1D2QEDASumdrA7" +
		"UTQ0gABlNM/ATGSMHDi2zwxgAgACIACuMO1E0NIAAZTTPwExkjBw4iHXScIflQHTHzEB3gH5AYLwT6tIto4CmkBs6cSkYGNyyvzl16DrXspYFJLbrFTH3gC6" +
		"n/gApMh/AcoAAQHLP8ntVOAw8sCC"
	tactTicket = "te6cckECIgEACh4AAij/AI6I9KQT9LzyyAvtUyDjA+1D2QEDAnmmUUd7UTQ0gABjiv6QPpA+kDU1FVABdFVA3CCI41+pMaAAH+CAYagKG1UEKUQaxBaEEkQa" +
		"BBn4w3bPGzBgBAIAAigDwjDtou37AdBy1yHSANIA+kAhEDRQZm8E+GEC+GLtRNDSAAGOK/pA+kD6QNTUVUAF0VUDcIIjjX6kxoAAf4IBhqAobVQQpRBrEFoQ" +
		"SRBoEGfjDQ2SXw3gK9dJwh/jAAv5ASAEBRoAjoEBAdcAgQEB1wDSAPpA1NQB0NT6QPpAgQEB1wDUMNAg1wsBwwCT+kABlHLXIW3iAfpAgQEB1wBVIDMQfBB7" +
		"EHoQeRB4WGwcBPwL0x8hghDarwvUuuMCIYIQbjYz67qO21sQm1UY2zwJswnIfwHKAFWwULyBAQHPABmBAQHPABfKAFAFzxYTzAHIzFjPFljPFhKBAQHPAMhD" +
		"E1BFWiBulTBwAcsBks8W4ljPFoEBAc8AyQHMyQHMye1U2zHgIYIQ1m/qx7rjAiEGEwwNA/QxgQEB1wABMYIA1SYp8vSCCvrwgPhBbyQTXwN6qQS2CPhBbyQT" +
		"XwMhoYIAyiohwgDy9BC8EKwQnBCMEHwQbBBcEEwQPEzeLts8gRptU9GgLbvy9PhCEM0QvRCtHRkYFxYVFEMwU97bPH9xyFYQAcs/+ELPFskoBBETWQcICgAU" +
		"JKiCEDuaygCpBAL0UeGggTnMUx678vRVsds8f4IJycOAcXDIghAXjUUZAcsfARETAcs/ARER+gL4KM8W+CjPFnD6AgEREQHKAMlEMAIREAIfFG1QQ21BM8jP" +
		"hYDKAM+EQM4B+gKAac9AAlxuAW6wk1vPgZ1Yz4aAz4SA9AD0AM+B4vQAyQEXCQAI+wBVGQKSFG1QQ21BM8jPhYDKAM+EQM4B+gKAac9AAlxuAW6wk1vPgZ1Y" +
		"z4aAz4SA9AD0AM+B4vQAyQH7ACuCAYagvpUQLTs7MOMNEHtVNgsZAK4LggGGoKkEf3HIUhDLHx/LP/hCzxYSyx/JJEMUT+4UbVBDbUEzyM+FgMoAz4RAzgH6" +
		"AoBpz0ACXG4BbrCTW8+BnVjPhoDPhID0APQAz4Hi9ADJAfsAEJoB/jGBAQHXAPpAWWwhEKsQmhCJEHgQZxBWEEUQNEE82zw1EKsQmhCJEHgQZxBWVQPIfwHK" +
		"AFWwULyBAQHPABmBAQHPABfKAFAFzxYTzAHIzFjPFljPFhKBAQHPAMhDE1BFWiBulTBwAcsBks8W4ljPFoEBAc8AyQHMyQHMye1U2zETBEqCEIpTBGu64wIh" +
		"ghBUoknguuMCIYIQUdMSZ7rjAiGCEOXUOW66DhAREgL+MYEBAdcA+kBZbCEQqxCaEIkQeBBnEFYQRRA0QTzbPDQQqxCaEIkQeBBnEFYQRVUCyH8BygBVsFC8" +
		"gQEBzwAZgQEBzwAXygBQBc8WE8wByMxYzxZYzxYSgQEBzwDIQxNQRVogbpUwcAHLAZLPFuJYzxaBAQHPAMkBzMkBzMntVBMPAATbMQH0MYEBAdcA1FlsIRCr" +
		"EJoQiRB4EGcQVhBFEDRBPNs8NxCrEJoQiRB4VQXIfwHKAFWwULyBAQHPABmBAQHPABfKAFAFzxYTzAHIzFjPFljPFhKBAQHPAMhDE1BFWiBulTBwAcsBks8W" +
		"4ljPFoEBAc8AyQHMyQHMye1U2zETAnoxgQEB1wCBAQHXAFlsIRCrEJoQiRB4EGcQVhBFEDRBPNs8M4IA+BkswgDy9BCrEJoQiRB4EGcQVhBFEDRYExkEto9G" +
		"WxCbVRjbPPhCcHCBAIEDbW1QQ21BM8jPhYDKAM+EQM4B+gKAac9AAlxuAW6wk1vPgZ1Yz4aAz4SA9AD0AM+B4vQAyQH7AOAhghCUapi2uuMCAYIQxbMRCLoT" +
		"GRQWAFKBe6P4IyK88vT4QlKQxwUjbrOekX+aIiBu8tCA+ELHBeLeggClwwHy9AH8MdM/ATHIAYIQr/kPV1jLH8s/yRCsEJsQihB5EGgQVxBGEDVEMBL4QgFw" +
		"bds8yH8BygBVsFC8gQEBzwAZgQEBzwAXygBQBc8WE8wByMxYzxZYzxYSgQEBzwDIQxNQRVogbpUwcAHLAZLPFuJYzxaBAQHPAMkBzMkBzMntVNsxFQCgbW0i" +
		"brOZWyBu8tCAbyIBkTLiECRwAwSAQlAjEDZVIhLIz4WAygDPhEDOAfoCgGnPQAJcbgFusJNbz4GdWM+GgM+EgPQA9ADPgeL0AMkB+wACwI9c+kABMRCsEJsQ" +
		"ihB5EGgQVxBGEDVEMBLbPPhCcIBCyFAEzxbJQTBabW1AA3/Iz4WAygDPhEDOAfoCgGnPQAJcbgFusJNbz4GdWM+GgM+EgPQA9ADPgeL0AMkB+wDgCxcZAV7b" +
		"PHBZIPkAIvkAWtdlAddlggIBNMjLF8sPyw/L/8v/cfkEAMh0AcsCEsoHy//J0BgAFsj4KM8WAc8WyVJwAKLIfwHKAFWwULyBAQHPABmBAQHPABfKAFAFzxYT" +
		"zAHIzFjPFljPFhKBAQHPAMhDE1BFWiBulTBwAcsBks8W4ljPFoEBAc8AyQHMyQHMye1U2zEE4oLwQzxcvzpBIgOhOIFcyn/M6oVzMXwXS/HvwmIQuUVOfG66" +
		"4wIggvA4xXXJtpaRPPtjHdoc+JuNNbw/3FgcHfoPC5IXvsVlorrjAiCC8LSyazpJFaTpmDIr+p0d4O7UYRh8bVOmX6xqlNeTR7ftuuMCGxwdHgD6WzqCAPkG" +
		"+EJSYMcF8vT4QW8kbDH6QDD4I4IBUYCgEJsQihB5EGgQVxBGEDVBQMh/AcoAVbBQvIEBAc8AGYEBAc8AF8oAUAXPFhPMAcjMWM8WWM8WEoEBAc8AyEMTUEVa" +
		"IG6VMHABywGSzxbiWM8WgQEBzwDJAczJAczJ7VQBajA2gVpo+EJSsMcF8vSCAPf1+CMsgggJOoCgvPL0+EFvJGwx+kAwEJsQihB5CBBXEEYQNUQDIQDsMDqC" +
		"AMWS+EJScMcF8vT4QW8kbDH6QDAQmxCKEHkQaBBXEEYQNUQDyH8BygBVsFC8gQEBzwAZgQEBzwAXygBQBc8WE8wByMxYzxZYzxYSgQEBzwDIQxNQRVogbpUw" +
		"cAHLAZLPFuJYzxaBAQHPAMkBzMkBzMntVAFUgvCbEGndD7tEbQoNUv0N/mKULZvSKZnb2WA29pHZ55ZWLbrjAl8M8sCCHwLGEJtVGNs8+EIQNkVAcFB2gEIG" +
		"yFVQUFaBAQHPABPKAAHPFszMgQEBzwDJyMzJWm1tQAN/yM+FgMoAz4RAzgH6AoBpz0ACXG4BbrCTW8+BnVjPhoDPhID0APQAz4Hi9ADJAfsAICEADFR7mFR6" +
		"lgCeyH8BygBVsFC8gQEBzwAZgQEBzwAXygBQBc8WE8wByMxYzxZYzxYSgQEBzwDIQxNQRVogbpUwcAHLAZLPFuJYzxaBAQHPAMkBzMkBzMntVITH5z0="
)

func parsed(t *testing.T, code string) *cell.Cell {
	t.Helper()
	bag, err := base64.StdEncoding.DecodeString(code)
	require.NoError(t, err)
	c, err := cell.FromBOC(bag)
	require.NoError(t, err)
	return c
}

// pushedCode is a PUSHCONT of a slice of code in complete bytes, with its references.
func pushedCode(code *cell.Cell) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(0x8e>>1, 7).MustStoreUInt(uint64(code.RefsNum()), 2).MustStoreUInt(uint64(code.BitsSize()/8), 7).
		MustStoreBuilder(code.ToBuilder())
}

// joined is code whose parts follow each other.
func joined(parts ...any) *cell.Cell {
	b := cell.BeginCell()
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.MustStoreBuilder(contracttest.Asm(p).ToBuilder())
		case *cell.Builder:
			b.MustStoreBuilder(p)
		case *cell.Cell:
			b.MustStoreRef(p)
		}
	}
	return b.EndCell()
}

// table is DICTPUSHCONST of the methods and the instructions after it.
func table(t *testing.T, width uint, after string, methods map[int32]*cell.Cell) *cell.Cell {
	t.Helper()
	dict := cell.NewDict(width)
	for id, body := range methods {
		require.NoError(t, dict.Set(cell.BeginCell().MustStoreInt(int64(id), width).EndCell(), body))
	}
	b := cell.BeginCell().MustStoreUInt(0xf4a400>>10|1, 14).MustStoreUInt(uint64(width), 10)
	return b.MustStoreBuilder(contracttest.Asm(after).ToBuilder()).MustStoreRef(dict.AsCell()).EndCell()
}

// The methods of a code are found in every form of dispatch that compilers write, and the TVM runs them in each of these.
func TestMethods_AreFoundInEveryFormOfDispatch(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	value, other := contract.MethodID("value"), contract.MethodID("other")
	methods := map[int32]*cell.Cell{value: contracttest.Asm("70"), other: contracttest.Asm("")}
	ordinary := table(t, 19, "f4bcf2c80b", methods)
	receiver := contracttest.Asm("30")
	dropReceiver := pushedCode(contracttest.Asm("30"))
	procs := table(t, 19, "f4bcf2c80b", map[int32]*cell.Cell{1: contracttest.Asm("70")})
	for name, tc := range map[string]struct {
		code *cell.Cell
		want []int32
	}{
		"FunC, Tolk":                     {joined("ff00", ordinary.ToBuilder()), nil},
		"without SETCP0":                 {ordinary, nil},
		"jump without a rest":            {joined("ff00", table(t, 19, "f4a0f2c80b", methods).ToBuilder()), nil},
		"call":                           {joined("ff00", table(t, 19, "f4be", methods).ToBuilder()), nil},
		"unsigned ids":                   {joined("ff00", table(t, 18, "f4bdf2c80b", methods).ToBuilder()), nil},
		"ids of 32 bits":                 {joined("ff00", table(t, 32, "f4bcf2c80b", methods).ToBuilder()), nil},
		"Tact 1.6":                       {parsed(t, tactInternal), []int32{6, value, other}},
		"Tact 1.6, external":             {parsed(t, tactExternal), []int32{6, value, other}},
		"Tact 1.6, receiver inline":      {parsed(t, tactReceiverInline), []int32{value}},
		"Tact 1.6, external only":        {parsed(t, tactExternalOnly), []int32{value}},
		"Tact, receivers before":         {joined("ff0020", dropReceiver, "e1", "20c0ff", pushedCode(receiver), "e0", ordinary.ToBuilder()), nil},
		"Tact, c3 and selector":          {joined("ff00", pushedCode(ordinary), "545100", "ed53", "e030"), nil},
		"Tact, external around internal": {joined("ff0020a4e302", joined(pushedCode(ordinary), "545100", "ed53", "e030"), "30"), nil},
		"Tact, procedures and getters":   {joined("ff00", pushedCode(procs), "ed5320", pushedCode(ordinary), "e030"), []int32{1, value, other}},
		"continuation in a cell":         {joined("ff008a", ordinary, "ed53ed43d9"), nil},
		"continues in the next cell":     {joined("ff00", joined(ordinary.ToBuilder())), nil},
	} {
		want := tc.want
		if want == nil {
			want = []int32{value, other}
		}
		require.ElementsMatch(t, want, contract.Methods(tc.code), name)
		require.IsIncreasing(t, contract.Methods(tc.code), name)
		st := contracttest.Account("x", nil)
		st.Code, st.Data = tc.code, cell.BeginCell().MustStoreUInt(0, 1).EndCell() // Tact: not initialized
		res, err := r.Run(t.Context(), &st, "value")
		require.NoError(t, err, name)
		require.Equal(t, []any{big.NewInt(0)}, res.Stack, name)
	}
}

// A dictionary that is selected from by something else is not one of methods.
func TestMethods_OtherDictionariesAreNotMethods(t *testing.T) {
	t.Parallel()
	ordinary := table(t, 19, "f4bcf2c80b", map[int32]*cell.Cell{contract.MethodID("value"): contracttest.Asm("70")})
	late := joined(strings.Repeat("00", 20), ordinary.ToBuilder())
	require.Nil(t, contract.Methods(joined("ff00", pushedCode(late))), "within a receiver")
	require.Nil(t, contract.Methods(joined("ff0020e302", late)), "within a receiver in a cell")
	require.Nil(t, contract.Methods(joined("ff0088", ordinary)), "a constant")
	require.Nil(t, contract.Methods(joined("ff00", table(t, 19, "30", map[int32]*cell.Cell{1: contracttest.Asm("70")}).ToBuilder())), "no dispatch")
}

func TestMethods_OfATokenOfTact(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int32{83229}, contract.Methods(parsed(t, tactTicket)))
}

func TestMethods_HostileCodesAreBounded(t *testing.T) {
	t.Parallel()
	forever := contracttest.Asm("00")
	for range 1000 { // each cell runs the one below four times
		forever = joined("8a8a8a8a", forever, forever, forever, forever)
	}
	require.Nil(t, contract.Methods(forever))
	long := contracttest.Asm("00")
	for range 1000 {
		long = cell.BeginCell().MustStoreRef(long).EndCell()
	}
	require.Nil(t, contract.Methods(long))
	full := cellgraphtest.Dict(19, contracttest.Asm("70").ToBuilder())
	endless := joined("ff00f4a413f4bd", full)
	require.Len(t, contract.Methods(joined("ff00", pushedCode(endless), "ed53", endless.ToBuilder())), 1023, "the first entry is id 0")
}

// dispatchedByTact is code with the methods of an ordinary one, as Tact 1.6 writes it.
func dispatchedByTact(code *cell.Cell) *cell.Cell {
	dict, err := code.PeekRef(0)
	if err != nil {
		panic(err)
	}
	return joined("ff008e88f4a413f4bcf2c80bed5320e303ed43d9", dict, contracttest.Asm("30"))
}

func TestDetect_ContractsOfTact(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake("https://example.com/z.json").EndCell()
	owner, code := contracttest.Address("owner"), contracttest.Asm("30")
	account := func(name string, methods map[string]*cell.Cell) contract.State {
		s := contracttest.Account(name, methods)
		s.Code = dispatchedByTact(s.Code)
		return s
	}
	master := account("master", map[string]*cell.Cell{
		"get_jetton_data":    contracttest.MethodReturning(0, 1000, -1, owner, content, code),
		"get_wallet_address": contracttest.MethodReturning(1, contracttest.Address("wallet")),
	})
	wallet := account("wallet", map[string]*cell.Cell{
		"get_wallet_data": contracttest.MethodReturning(0, 77, owner, contracttest.Address("master"), code),
	})
	collection := account("collection", map[string]*cell.Cell{
		"get_collection_data":      contracttest.MethodReturning(0, 5, content, owner),
		"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("item")),
		"get_nft_content":          contracttest.MethodReturning(2, content),
	})
	item := account("item", map[string]*cell.Cell{
		"get_nft_data": contracttest.MethodReturning(0, -1, 3, contracttest.Address("collection"), owner, content),
	})
	all := contracttest.Snapshot{}.Add(master, wallet, collection, item)
	require.NotNil(t, contracttest.Detect(t, r, all, master).JettonMaster)
	require.NotNil(t, contracttest.Detect(t, r, all, wallet).JettonWallet)
	require.NotNil(t, contracttest.Detect(t, r, all, collection).NFTCollection)
	found := contracttest.Detect(t, r, all, item)
	require.NotNil(t, found.NFTItem)
	require.Equal(t, &chain.Address{ID: contracttest.Address("collection").ID}, found.NFTItem.Collection)
}
