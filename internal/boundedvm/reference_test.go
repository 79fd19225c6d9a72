package boundedvm_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
)

// referenceVersion is the newest global version of the reference emulator.
const referenceVersion = 12

// reference is the emulator of the node, in a process of its own.
type reference struct {
	in   *json.Encoder
	out  *bufio.Scanner
	sent map[int]bool // configurations
}

// referenceCase is a transaction to execute.
type referenceCase struct {
	ID        int    `json:"id"` // of the configuration
	Config    []byte `json:"config,omitempty"`
	Account   []byte `json:"account"`
	Message   []byte `json:"message,omitempty"`
	Tick      string `json:"tick,omitempty"`
	Now       uint32 `json:"now"`
	LT        string `json:"lt"`
	Seed      []byte `json:"seed"`
	Libraries []byte `json:"libraries,omitempty"`
	Log       bool   `json:"log,omitempty"`
}

// referenceResult has either a transaction or an error.
type referenceResult struct {
	Transaction []byte `json:"transaction"`
	Account     []byte `json:"account"`
	Error       string `json:"error"`
	ExitCode    int    `json:"exitCode"`
	Log         string `json:"log"`
}

func startReference(tb testing.TB) *reference {
	tb.Helper()
	const folder = "testdata/reference"
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat(folder + "/node_modules/@ton/sandbox"); err != nil {
		missing = "npm ci was not run in internal/boundedvm/" + folder
	}
	if missing != "" {
		require.NotEqual(tb, "1", os.Getenv("TONQL_REQUIRE_NODE"), "TONQL_REQUIRE_NODE=1, but %s", missing)
		tb.Skip(missing)
	}
	cmd := exec.CommandContext(tb.Context(), "node", folder+"/emulator.mjs")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(tb, err)
	out, err := cmd.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, cmd.Start())
	tb.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	return &reference{in: json.NewEncoder(in), out: lines, sent: map[int]bool{}}
}

func (r *reference) execute(tb testing.TB, c referenceCase, config *cell.Cell) referenceResult {
	tb.Helper()
	if !r.sent[c.ID] {
		r.sent[c.ID], c.Config = true, config.ToBOC()
	}
	require.NoError(tb, r.in.Encode(c))
	require.True(tb, r.out.Scan(), "the emulator ended: %v", r.out.Err())
	var res referenceResult
	require.NoError(tb, json.Unmarshal(r.out.Bytes(), &res))
	return res
}

// scenario makes accounts and messages at random.
type scenario struct {
	*rand.Rand
	fuzzer *fuzzer
	now    uint32
	lt     uint64
	to     *address.Address
	exotic bool // states of forms that contracts rarely have
	active bool // the account
	tight  bool // some accounts are fundamental
	rich   bool // most values have extra currencies, and the code reads them

	fundamental bool
	empty       bool // it has no coins
}

func (s *scenario) one(of int) bool { return s.IntN(of) == 0 }

// coins are of any magnitude.
func (s *scenario) coins() *big.Int {
	switch s.IntN(6) {
	case 0:
		return new(big.Int)
	case 1:
		return big.NewInt(s.Int64N(1000))
	case 2:
		return big.NewInt(s.Int64N(1e7))
	case 3:
		return big.NewInt(s.Int64N(2e9))
	case 4:
		return big.NewInt(s.Int64N(1e12))
	default:
		return big.NewInt(1e9)
	}
}

func (s *scenario) hash() []byte {
	h := make([]byte, 32)
	for i := range h {
		h[i] = byte(s.Uint32())
	}
	return h
}

// extra stores extra currencies, none most of the time. zeros makes some of them 0, as only code does.
func (s *scenario) extra(b *cell.Builder, zeros bool) {
	if s.rich && s.one(3) || !s.rich && !s.one(6) {
		b.MustStoreBoolBit(false)
		return
	}
	dict := cell.NewDict(32)
	for range 1 + s.IntN(2) {
		v := cell.BeginCell()
		n := s.IntN(4)
		if n == 0 && (!zeros || !s.one(8)) {
			n = 1
		}
		v.MustStoreUInt(uint64(n), 5)
		for range n {
			v.MustStoreUInt(uint64(1+s.IntN(255)), 8)
		}
		if err := dict.SetIntKey(big.NewInt(int64(1+s.IntN(3))), v.EndCell()); err != nil {
			panic(err)
		}
	}
	b.MustStoreMaybeRef(dict.AsCell())
}

// someCell is a tree of a few cells.
func (s *scenario) someCell(depth int) *cell.Cell {
	b := cell.BeginCell()
	bits := s.IntN(1000)
	for ; bits >= 8; bits -= 8 {
		b.MustStoreUInt(uint64(s.IntN(256)), 8)
	}
	b.MustStoreUInt(0, uint(bits))
	if depth > 0 {
		for range s.IntN(4) {
			b.MustStoreRef(s.someCell(depth - 1))
		}
	}
	return b.EndCell()
}

// program is code with instructions at random.
func (s *scenario) program() *cell.Cell {
	data := make([]byte, 50+s.IntN(400))
	for i := range data {
		data[i] = byte(s.Uint32())
	}
	g := &generator{choices: choices{data}, values: s.fuzzer.values, opcodes: s.fuzzer.opcodes}
	body := g.block(3)
	switch s.IntN(3) {
	case 0: // accepts first
		return cell.BeginCell().MustStoreUInt(0xF800, 16).MustStoreRef(body).EndCell()
	case 1: // accepts, and stores what is on top of the stack in the end, whatever that is
		store := cell.BeginCell().MustStoreUInt(0xC8CF, 16).MustStoreUInt(0x34ED54, 24).EndCell()
		return cell.BeginCell().MustStoreUInt(0xF800, 16).MustStoreUInt(0x8A, 8).MustStoreRef(body).MustStoreUInt(0xD8, 8).MustStoreRef(store).EndCell()
	default:
		return body
	}
}

// lister is code that performs the list of actions of which the body is the first reference.
func (s *scenario) lister() *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0xFF00, 16).MustStoreUInt(0x30, 8).MustStoreUInt(0xF800, 16)
	if s.one(3) { // COMMIT before something fails
		return b.MustStoreUInt(0xD430ED55, 32).MustStoreUInt(0xF80F, 16).MustStoreUInt(0xF22A, 16).EndCell()
	}
	if s.one(3) { // with new data
		return b.MustStoreUInt(0xD4D430ED54ED55, 56).EndCell()
	}
	return b.MustStoreUInt(0xD430ED55, 32).EndCell()
}

// accountant is code that keeps in its data what it reads of the extra currencies: of the account, or of the message.
func (s *scenario) accountant() *cell.Cell {
	const (
		second    = 0x6F11         // SECOND
		storeDict = 0xC8F400C9ED54 // NEWC; STDICT; ENDC; c4 POPCTR
		storeUint = 0xC8CBFFC9ED54 // NEWC; 256 STU; ENDC; c4 POPCTR
	)
	b := cell.BeginCell().MustStoreUInt(0xF800, 16)
	switch s.IntN(6) {
	case 0: // BALANCE
		b.MustStoreUInt(0xF827, 16)
	case 1: // c7 PUSHCTR; FIRST; 7 INDEX
		b.MustStoreUInt(0xED47_6F10_6F17, 48)
	case 2: // 7 PUSHINT; PUSHCTRX; FIRST; 7 INDEX
		b.MustStoreUInt(0x77EDE0, 24).MustStoreUInt(0x6F10_6F17, 32)
	case 3: // 0 PUSHINT; GETGLOBVAR; 7 INDEX
		b.MustStoreUInt(0x70F840_6F17, 40)
	case 4: // a currency; GETEXTRABALANCE
		return b.MustStoreUInt(uint64(0x71+s.IntN(3)), 8).MustStoreUInt(0xF880, 16).MustStoreUInt(storeUint, 48).EndCell()
	default: // INCOMINGVALUE
		b.MustStoreUInt(0xF82B, 16)
	}
	return b.MustStoreUInt(second, 16).MustStoreUInt(storeDict, 48).EndCell()
}

func (s *scenario) code() *cell.Cell {
	if s.rich {
		return s.accountant()
	}
	if s.one(3) {
		return s.program()
	}
	return s.lister()
}

// stateInit has code and data most of the time.
func (s *scenario) stateInit(code *cell.Cell, masterchain bool) *cell.Builder {
	b := cell.BeginCell()
	if s.exotic && s.one(20) {
		b.MustStoreBoolBit(true).MustStoreUInt(uint64(s.IntN(32)), 5)
	} else {
		b.MustStoreBoolBit(false)
	}
	if (masterchain || s.exotic) && s.one(2) {
		flags := s.IntN(4)
		if !s.exotic && flags == 0 {
			flags = 1
		}
		b.MustStoreBoolBit(true).MustStoreUInt(uint64(flags), 2)
	} else {
		b.MustStoreBoolBit(false)
	}
	if s.exotic && s.one(12) {
		b.MustStoreBoolBit(false)
	} else {
		b.MustStoreBoolBit(true).MustStoreRef(code)
	}
	if s.one(8) {
		b.MustStoreBoolBit(false)
	} else {
		b.MustStoreBoolBit(true).MustStoreRef(s.someCell(2))
	}
	if s.one(12) {
		dict := cell.NewDict(256)
		lib := s.someCell(1)
		_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreSlice(lib.Hash(), 256).EndCell(), cell.BeginCell().MustStoreBoolBit(s.one(2)).MustStoreRef(lib), cell.DictSetModeSet)
		if err != nil {
			panic(err)
		}
		b.MustStoreMaybeRef(dict.AsCell())
	} else {
		b.MustStoreBoolBit(false)
	}
	return b
}

// account is a record of the account, or none.
func (s *scenario) account(code *cell.Cell) *cell.Cell {
	if s.one(6) {
		return cell.BeginCell().MustStoreBoolBit(false).EndCell()
	}
	storage := cell.BeginCell().MustStoreUInt(s.lt-1000-uint64(s.IntN(100000)), 64)
	balance := s.coins()
	s.empty = balance.Sign() == 0
	storage.MustStoreBigCoins(balance)
	s.extra(storage, false)
	switch s.IntN(8) {
	case 0:
		storage.MustStoreUInt(0, 2)
	case 1:
		storage.MustStoreUInt(1, 2)
		if s.one(3) {
			storage.MustStoreSlice(s.hash(), 256)
		} else {
			storage.MustStoreSlice(s.to.Data(), 256)
		}
	default:
		s.active = true
		storage.MustStoreBoolBit(true).MustStoreBuilder(s.stateInit(code, s.to.Workchain() == -1))
	}
	cells, bits := used(storage.EndCell(), map[cell.Hash]bool{})
	b := cell.BeginCell().MustStoreBoolBit(true).MustStoreAddr(s.to)
	b.MustStoreBigVarUInt(big.NewInt(cells), 7).MustStoreBigVarUInt(big.NewInt(bits), 7).MustStoreUInt(0, 3)
	switch {
	case s.one(10):
		b.MustStoreUInt(0, 32)
	case s.one(4):
		b.MustStoreUInt(uint64(s.now)-uint64(s.IntN(200_000_000)), 32)
	default:
		b.MustStoreUInt(uint64(s.now)-uint64(s.IntN(200_000)), 32)
	}
	if s.one(6) && !s.fundamental { // no fees are due of such an account
		b.MustStoreBoolBit(true).MustStoreBigCoins(new(big.Int).Add(s.coins(), big.NewInt(1)))
	} else {
		b.MustStoreBoolBit(false)
	}
	return b.MustStoreBuilder(storage).EndCell()
}

// used counts the different cells of a tree, and their bits.
func used(c *cell.Cell, seen map[cell.Hash]bool) (cells, bits int64) {
	if seen[c.HashKey()] {
		return 0, 0
	}
	seen[c.HashKey()] = true
	cells, bits = 1, int64(c.BitsSize())
	for i := range int(c.RefsNum()) {
		n, m := used(c.MustPeekRef(i), seen)
		cells, bits = cells+n, bits+m
	}
	return cells, bits
}

// destination is of any form.
func (s *scenario) destination(b *cell.Builder) {
	switch s.IntN(14) {
	case 0:
		b.MustStoreUInt(0, 2)
	case 1:
		b.MustStoreAddr(s.to)
	case 2: // another workchain
		b.MustStoreUInt(4, 3).MustStoreUInt(uint64(s.IntN(4)), 8).MustStoreSlice(s.hash(), 256)
	case 3: // anycast
		depth := 1 + s.IntN(30)
		b.MustStoreUInt(5, 3).MustStoreUInt(uint64(depth), 5).MustStoreUInt(s.Uint64()>>1&(1<<depth-1), uint(depth)).MustStoreUInt(0, 8).MustStoreSlice(s.hash(), 256)
	case 4: // addr_var
		n := s.IntN(300)
		if s.one(2) {
			n = 256
		}
		b.MustStoreUInt(6, 3).MustStoreUInt(uint64(n), 9).MustStoreUInt(uint64(uint32(s.IntN(3)-1)), 32)
		for range n {
			b.MustStoreUInt(uint64(s.IntN(2)), 1)
		}
	case 5, 6:
		b.MustStoreUInt(4, 3).MustStoreUInt(0xFF, 8).MustStoreSlice(s.hash(), 256)
	default:
		b.MustStoreUInt(4, 3).MustStoreUInt(0, 8).MustStoreSlice(s.hash(), 256)
	}
}

// relaxed is an outbound message as code makes it.
func (s *scenario) relaxed() *cell.Cell {
	b := cell.BeginCell()
	external := s.one(6)
	if external {
		b.MustStoreUInt(3, 2)
	} else {
		b.MustStoreUInt(0, 1).MustStoreUInt(uint64(s.IntN(8)), 3)
	}
	switch s.IntN(4) {
	case 0:
		b.MustStoreAddr(s.to)
	case 1:
		if s.one(4) {
			b.MustStoreUInt(4, 3).MustStoreUInt(0, 8).MustStoreSlice(s.hash(), 256)
		} else {
			b.MustStoreUInt(0, 2)
		}
	default:
		b.MustStoreUInt(0, 2)
	}
	if external {
		switch s.IntN(4) {
		case 0:
			b.MustStoreUInt(0, 2)
		case 1:
			s.destination(b)
		default:
			n := s.IntN(200)
			b.MustStoreUInt(1, 2).MustStoreUInt(uint64(n), 9)
			for range n {
				b.MustStoreUInt(uint64(s.IntN(2)), 1)
			}
		}
	} else {
		s.destination(b)
		b.MustStoreBigCoins(s.coins())
		s.extra(b, true)
		switch s.IntN(6) { // ihr_fee, or extra flags
		case 0:
			b.MustStoreBigCoins(s.coins())
		case 1:
			b.MustStoreBigCoins(big.NewInt(s.Int64N(5)))
		default:
			b.MustStoreBigCoins(new(big.Int))
		}
		if s.one(6) {
			b.MustStoreBigCoins(s.coins())
		} else {
			b.MustStoreBigCoins(new(big.Int))
		}
	}
	b.MustStoreUInt(s.Uint64N(3)*s.lt, 64).MustStoreUInt(uint64(s.IntN(2))*uint64(s.now), 32)
	if s.one(5) {
		b.MustStoreBoolBit(true)
		init := s.stateInit(s.someCell(1), false)
		if s.one(2) || init.BitsUsed()+8 > b.BitsLeft() || uint(init.RefsUsed()) > b.RefsLeft() {
			b.MustStoreBoolBit(true).MustStoreRef(init.EndCell())
		} else {
			b.MustStoreBoolBit(false).MustStoreBuilder(init)
		}
	} else {
		b.MustStoreBoolBit(false)
	}
	body := s.someCell(s.IntN(4))
	if s.one(2) || body.BitsSize()+8 > b.BitsLeft() || body.RefsNum() > b.RefsLeft() {
		if b.RefsLeft() == 0 {
			return b.MustStoreBoolBit(false).EndCell()
		}
		return b.MustStoreBoolBit(true).MustStoreRef(body).EndCell()
	}
	return b.MustStoreBoolBit(false).MustStoreBuilder(body.ToBuilder()).EndCell()
}

// sendModes are modes that contracts use, and others.
var sendModes = []int{0, 1, 2, 3, 16, 17, 18, 19, 64, 65, 66, 67, 80, 82, 128, 129, 130, 131, 144, 146, 160, 162, 32, 33, 192, 4, 8}

// actions is a list of actions, sometimes damaged.
func (s *scenario) actions() *cell.Cell {
	list := cell.BeginCell().EndCell()
	for range s.IntN(6) {
		b := cell.BeginCell().MustStoreRef(list)
		mode := sendModes[s.IntN(len(sendModes))]
		if s.one(12) {
			mode = s.IntN(256)
		}
		switch n := s.IntN(12); {
		case n < 7:
			b.MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(uint64(mode), 8).MustStoreRef(s.relaxed())
		case n < 8:
			b.MustStoreUInt(0xad4de08e, 32).MustStoreRef(s.someCell(1))
		case n < 10:
			if s.one(2) {
				mode = s.IntN(32)
			}
			b.MustStoreUInt(0x36e6b809, 32).MustStoreUInt(uint64(mode), 8).MustStoreBigCoins(s.coins())
			s.extra(b, true)
		case n < 11:
			lib := s.someCell(1)
			b.MustStoreUInt(0x26fa1dd4, 32).MustStoreUInt(uint64(s.IntN(20)), 7)
			if s.one(2) {
				b.MustStoreBoolBit(false).MustStoreSlice(lib.Hash(), 256)
			} else {
				b.MustStoreBoolBit(true).MustStoreRef(lib)
			}
		default:
			if s.one(6) {
				b.MustStoreUInt(s.Uint64()>>32, 32)
			} else {
				b.MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(uint64(mode), 8).MustStoreRef(s.someCell(1))
			}
		}
		list = b.EndCell()
	}
	return list
}

// message is inbound.
func (s *scenario) message(init *cell.Builder) *cell.Cell {
	b := cell.BeginCell()
	if s.one(5) {
		b.MustStoreUInt(2, 2).MustStoreUInt(0, 2).MustStoreAddr(s.to).MustStoreBigCoins(new(big.Int))
	} else {
		source := address.NewAddress(0, byte(int8(-s.IntN(2))), s.hash())
		bounced := uint64(0)
		if s.one(10) {
			bounced = 1
		}
		b.MustStoreUInt(0, 1).MustStoreUInt(1, 1).MustStoreUInt(uint64(s.IntN(2)), 1).MustStoreUInt(bounced, 1).MustStoreAddr(source).MustStoreAddr(s.to).MustStoreBigCoins(s.coins())
		s.extra(b, false)
		if s.one(4) {
			b.MustStoreBigCoins(big.NewInt(s.Int64N(4)))
		} else {
			b.MustStoreBigCoins(new(big.Int))
		}
		b.MustStoreBigCoins(big.NewInt(s.Int64N(1e6))).MustStoreUInt(s.lt-uint64(2+s.IntN(100)), 64).MustStoreUInt(uint64(s.now)-1, 32)
	}
	if init != nil {
		b.MustStoreBoolBit(true).MustStoreBoolBit(true).MustStoreRef(init.EndCell())
	} else {
		b.MustStoreBoolBit(false)
	}
	body := cell.BeginCell().MustStoreUInt(s.Uint64(), 64).MustStoreRef(s.actions()).MustStoreRef(s.someCell(2)).EndCell()
	if s.one(8) {
		body = s.someCell(2)
	}
	return b.MustStoreBoolBit(true).MustStoreRef(body).EndCell()
}

// scenarios makes the transactions at random, under the global versions that the reference emulator has.
type scenarios struct {
	configs []*tvm.PreparedBlockchainConfig // of each version, then of each version with tight limits
	roots   []*cell.Cell
	rules   []*actionphase.Config
	fuzzer  *fuzzer
}

// tightFrom is the number of the first transaction under a configuration with limits of sizes that small states and messages reach.
const tightFrom = 1_000_000

// richFrom is the number of the first transaction whose account has extra currencies most of the time.
const richFrom = 2_000_000

// withTightLimits returns the configuration with another ConfigParam 43, in the form of the versions that the reference emulator has.
func withTightLimits(tb testing.TB, root *cell.Cell) *cell.Cell {
	tb.Helper()
	limits := cell.BeginCell().MustStoreUInt(2, 8)
	limits.MustStoreUInt(4000, 32).MustStoreUInt(8, 32).MustStoreUInt(3, 32)                     // bits and cells of a message, cells of a library
	limits.MustStoreUInt(512, 16).MustStoreUInt(65535, 32).MustStoreUInt(512, 16)                // depth of data, size and depth of external messages
	limits.MustStoreUInt(10, 32).MustStoreUInt(6, 32).MustStoreUInt(1, 32)                       // cells of a state, also in the masterchain, public libraries
	limits.MustStoreUInt(256, 32).MustStoreUInt(1, 32).MustStoreUInt(8, 8).MustStoreUInt(26, 32) // extra currencies of a message
	dict := root.AsDict(32)
	_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(43, 32).EndCell(), cell.BeginCell().MustStoreRef(limits.EndCell()), cell.DictSetModeSet)
	require.NoError(tb, err)
	return dict.AsCell()
}

func newScenarios(tb testing.TB) *scenarios {
	tb.Helper()
	s := &scenarios{configs: configsByVersion(tb)[:referenceVersion+1], fuzzer: newFuzzer(tb)}
	for _, config := range s.configs {
		s.roots = append(s.roots, config.Root())
	}
	for _, root := range s.roots[:referenceVersion+1] {
		tight := withTightLimits(tb, root)
		config, err := boundedvm.PrepareConfig(tight)
		require.NoError(tb, err)
		s.roots, s.configs = append(s.roots, tight), append(s.configs, config)
	}
	for _, config := range s.configs {
		rules, err := actionphase.NewConfig(config.Root())
		require.NoError(tb, err)
		s.rules = append(s.rules, rules)
	}
	s.fuzzer.opcodes = slices.DeleteFunc(s.fuzzer.opcodes, func(getter vm.OPGetter) bool {
		name := textOf(getter())
		// Dictionaries with more in a node than its form has are an exception on the network and are read here; the emulator has longs of 32
		// bits and reads the numbers of shifts differently from the node. Extra currencies are read by the code of rich accounts.
		return strings.Contains(name, "DICT") || strings.Contains(name, "SHIFT") || strings.Contains(name, "EXTRABALANCE")
	})
	return s
}

// number makes a transaction and executes it here.
func (s *scenarios) number(tb testing.TB, n int) (c referenceCase, config *cell.Cell, got executed) {
	tb.Helper()
	one := &scenario{Rand: rand.New(rand.NewPCG(uint64(n), 5)), fuzzer: s.fuzzer, now: 1_778_630_400, lt: 70_000_000_000_000}
	id := one.IntN(referenceVersion + 1)
	one.rich = n >= richFrom
	if one.tight = n >= tightFrom && !one.rich; one.tight {
		id += referenceVersion + 1
	}
	c, message := one.make(id)
	return c, s.roots[id], executeCase(tb, boundedvm.New(), s.configs[id], s.rules[id], c, one.to, message)
}

// TestTransactions_AgreeWithTheReferenceEmulator compares transactions at random, under every global version that the
// emulator of the node has, to the bit: phases, fees, messages and the account after them. TONQL_VM_SAMPLES sets the
// number of transactions, TONQL_VM_SEED the first of them; as many have tight limits, and as many extra currencies. -update records those that agree, and
// again those that were recorded: among them are some that were searched for, because they alone show the effect of a rule.
func TestTransactions_AgreeWithTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	node, s := startReference(t), newScenarios(t)
	samples, first := numberOf(t, "TONQL_VM_SAMPLES", 150), numberOf(t, "TONQL_VM_SEED", 1)
	var numbers []int
	for n := first; n < first+samples; n++ {
		numbers = append(numbers, n, tightFrom+n, richFrom+n)
	}
	if *update {
		for n := range recordedHashes(t) {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
	}
	kinds, recorded := map[string]int{}, strings.Builder{}
	for _, n := range numbers {
		c, config, got := s.number(t, n)
		want := node.execute(t, c, config)
		if problem := got.compare(t, want, kinds); problem != "" {
			c.Log = true
			t.Errorf("transaction %d, version %d: %s\n%s", n, c.ID%(referenceVersion+1), problem, node.execute(t, c, config).Log)
		}
		if len(want.Transaction) > 0 && got.transaction != nil {
			fmt.Fprintf(&recorded, "%d %x\n", n, got.transaction.Hash())
		}
	}
	t.Log(kinds)
	require.NotZero(t, kinds["executed"])
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(recordedTransactions, []byte(recorded.String()), 0o600))
	}
}

// recordedTransactions has the hashes of transactions that the reference emulator made, by number.
const recordedTransactions = "testdata/reference/transactions.txt"

var update = flag.Bool("update", false, "record the transactions of the reference emulator")

// recordedHashes returns the hashes of the recorded transactions by number.
func recordedHashes(tb testing.TB) map[int]string {
	tb.Helper()
	lines, err := os.ReadFile(recordedTransactions)
	require.NoError(tb, err)
	hashes := map[int]string{}
	for line := range strings.Lines(string(lines)) {
		var n int
		var hash string
		_, err := fmt.Sscan(line, &n, &hash)
		require.NoError(tb, err)
		hashes[n] = hash
	}
	return hashes
}

// The same without the emulator: transactions have the hashes that it gave them.
func TestTransactions_HaveTheHashesOfTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	s, recorded := newScenarios(t), recordedHashes(t)
	for n, hash := range recorded {
		_, _, got := s.number(t, n)
		require.NotNil(t, got.transaction, n)
		require.Equal(t, hash, hex.EncodeToString(got.transaction.Hash()), n)
	}
	require.Greater(t, len(recorded), 400)
}

func numberOf(tb testing.TB, name string, standard int) int {
	tb.Helper()
	text := os.Getenv(name)
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	require.NoError(tb, err)
	return n
}

// make makes a case under a configuration, and the message of an ordinary transaction.
func (s *scenario) make(config int) (referenceCase, *cell.Cell) {
	workchain := byte(0)
	if s.one(4) {
		workchain = 0xFF
	}
	s.exotic = s.one(4)
	code := s.code()
	var init *cell.Builder
	s.to = address.NewAddress(0, workchain, s.hash())
	if s.one(3) {
		init = s.stateInit(code, workchain != 0)
		if !s.one(3) {
			s.to = address.NewAddress(0, workchain, init.EndCell().Hash())
		}
	}
	if s.tight && s.one(4) { // the account of the configuration, which has no fees and no limits
		s.to = address.NewAddress(0, 0xFF, bytes.Repeat([]byte{0x55}, 32))
		workchain, s.fundamental = 0xFF, true
	}
	account := s.account(code)
	if s.exotic && s.active { // how its state hashes when it is frozen is left out
		init = nil
	}
	c := referenceCase{
		ID: config, Now: s.now, LT: strconv.FormatUint(s.lt, 10), Seed: s.hash(),
		Account: cell.BeginCell().MustStoreRef(account).MustStoreSlice(s.hash(), 256).MustStoreUInt(s.lt-5000000, 64).EndCell().ToBOC(),
	}
	if s.active && workchain != 0 && (!s.fundamental || !s.empty) && s.one(3) {
		c.Tick = []string{"tick", "tock"}[s.IntN(2)]
		return c, nil
	}
	message := s.message(init)
	c.Message = message.ToBOC()
	return c, message
}

// executed is what the VM of this package makes of a case.
type executed struct {
	transaction, account *cell.Cell
	err                  error
}

func executeCase(tb testing.TB, machine *tvm.TVM, config *tvm.PreparedBlockchainConfig, rules *actionphase.Config, c referenceCase, to *address.Address, message *cell.Cell) (e executed) {
	tb.Helper()
	run := boundedvm.Start(tb.Context(), boundedvm.Limits{})
	defer run.Close()
	lt, err := strconv.ParseInt(c.LT, 10, 64)
	require.NoError(tb, err)
	block, err := config.NewBlockContext(tvm.BlockOptions{Now: c.Now, BlockLT: lt - lt%1_000_000, RandSeed: c.Seed, Libraries: run.Libraries(nil)})
	require.NoError(tb, err)
	root, err := cell.FromBOC(c.Account)
	require.NoError(tb, err)
	var shard tlb.ShardAccount
	require.NoError(tb, tlb.Parse(&shard, root))
	account, err := tvm.PrepareAccount(&shard, to)
	if err != nil {
		return executed{err: fmt.Errorf("account: %w", err)}
	}
	run.ShowExtra(actionphase.Credited(account, message))
	var res *tvm.TransactionExecutionResult
	if options := (tvm.TransactionOptions{LogicalTime: lt}); message == nil {
		res, err = machine.EmulateTickTockTransaction(block, account, c.Tick == "tock", options)
	} else {
		var prepared *tvm.PreparedMessage
		if prepared, err = tvm.PrepareMessage(message); err == nil {
			res, err = machine.EmulateTransaction(block, account, prepared, options)
		}
	}
	if err == nil {
		res, err = actionphase.Correct(rules, account, to, message, res)
	}
	if err == nil && res.TransactionCell == nil {
		err = errors.New("not accepted")
	}
	if err != nil {
		return executed{err: err}
	}
	return executed{transaction: res.TransactionCell, account: res.NextAccount.ShardAccountCell()}
}

// compare describes the first difference, and counts what the cases are.
func (e executed) compare(tb testing.TB, want referenceResult, kinds map[string]int) string {
	tb.Helper()
	if want.Error != "" {
		why := strings.Split(want.Error, " account ")[0]
		kinds["refused: "+why]++
		if e.transaction != nil && !strings.Contains(why, "unpack") && !strings.Contains(why, "Aborted") && strings.ContainsAny(why, "abcdefghij") {
			return fmt.Sprintf("the reference refuses: %s (exit code %d)", want.Error, want.ExitCode)
		}
		return ""
	}
	kinds["executed"]++
	root, err := cell.FromBOC(want.Transaction)
	require.NoError(tb, err)
	var their tlb.Transaction
	require.NoError(tb, tlb.Parse(&their, root))
	if e.transaction == nil && (strings.Contains(e.err.Error(), "tick") || strings.Contains(e.err.Error(), "tock")) {
		kinds["tick or tock without the flag"]++ // the emulator does not look for it
		return ""
	}
	if e.transaction == nil {
		return fmt.Sprintf("refused here: %v; the reference: %s", e.err, describeTransaction(&their))
	}
	if bytes.Equal(root.Hash(), e.transaction.Hash()) {
		kinds[phases(&their)]++
		return ""
	}
	var ours tlb.Transaction
	require.NoError(tb, tlb.Parse(&ours, e.transaction))
	var a, b map[string]any
	require.NoError(tb, json.Unmarshal([]byte(describeTransaction(&ours)), &a))
	require.NoError(tb, json.Unmarshal([]byte(describeTransaction(&their)), &b))
	out := phases(&their) + "\n" + strings.Join(differences("", a, b), "\n")
	if a, b := outMessages(tb, &ours), outMessages(tb, &their); a != b {
		out += "\n   messages:\n" + a + "\n theirs:\n" + b
	}
	if a["Update"] != b["Update"] {
		theirs, err := cell.FromBOC(want.Account)
		require.NoError(tb, err)
		c, d := accountText(tb, e.account), accountText(tb, theirs)
		out += "\n" + strings.Join(differences("account", c, d), "\n")
	}
	return out
}

func outMessages(tb testing.TB, tx *tlb.Transaction) (out string) {
	tb.Helper()
	if tx.IO.Out == nil {
		return ""
	}
	c, err := tlb.ToCell(tx.IO.Out)
	if err != nil {
		return ""
	}
	return c.Dump()
}

func accountText(tb testing.TB, root *cell.Cell) (m map[string]any) {
	tb.Helper()
	var shard tlb.ShardAccount
	require.NoError(tb, tlb.Parse(&shard, root))
	var state tlb.AccountState
	require.NoError(tb, tlb.Parse(&state, shard.Account))
	text, err := json.Marshal(state)
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(text, &m))
	return m
}

func differences(path string, a, b any) (out []string) {
	m, ok1 := a.(map[string]any)
	n, ok2 := b.(map[string]any)
	if ok1 && ok2 {
		for k := range m {
			out = append(out, differences(path+"."+k, m[k], n[k])...)
		}
		for k := range n {
			if _, ok := m[k]; !ok {
				out = append(out, differences(path+"."+k, nil, n[k])...)
			}
		}
		return out
	}
	if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
		out = append(out, fmt.Sprintf("   %s: %s, theirs %s", path, x, y))
	}
	return out
}

func phases(tx *tlb.Transaction) string {
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	if !ok {
		return "other"
	}
	out := "skipped"
	if vm, ok := d.ComputePhase.Phase.(tlb.ComputePhaseVM); ok {
		out = fmt.Sprintf("exit %d", vm.Details.ExitCode)
	}
	if d.ActionPhase != nil {
		out += fmt.Sprintf(", action %d", d.ActionPhase.ResultCode)
	}
	if d.BouncePhase != nil {
		out += fmt.Sprintf(", %T", d.BouncePhase.Phase)
	}
	return out
}

func describeTransaction(tx *tlb.Transaction) string {
	text, err := json.Marshal(struct {
		From, To    tlb.AccountStatus
		Fees        tlb.CurrencyCollection
		Update      string
		Out         uint16
		Description any
		Phases      string
	}{tx.OrigStatus, tx.EndStatus, tx.TotalFees, fmt.Sprintf("%x", tx.StateUpdate.NewHash[:4]), tx.OutMsgCount, tx.Description, phases(tx)})
	if err != nil {
		return err.Error()
	}
	return string(text)
}
