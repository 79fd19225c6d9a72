package scenario

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// protocolFlows are the flows of [Options.Protocol]: what changes accounts, libraries and the configuration by the rules of the network
// and not by those of contracts.
var protocolFlows = []flow{
	{"frost", (*batch).frost},
	{"library", (*batch).library},
	{"vote", (*batch).vote},
}

const (
	frostCount   = 3                    // accounts that owe their storage
	frostUnpaid  = 30 * 365 * 24 * 3600 // seconds for which they have not paid
	frostBalance = 1000                 // nanotons
	votedParam   = 1002                 // the parameter that validators vote for
	voteCycle    = 8                    // steps from a proposal to the next
	voters       = 5                    // of seven validators, with more than three quarters of the weight
	setDelay     = 6                    // seconds until the next validators begin
	forever      = ^uint32(0)           // end of a validator set
	paramSet     = 34                   // current validators
	paramNextSet = 36                   // next validators
	libraryUser  = uint32(0x6c696200)   // first value of the counter of the contract whose code is a library
	libraryValue = oneTON / 2
)

// Frozen returns the account of the flow frost with a number: a contract of the zerostate that owes its storage. Its address is not the
// hash of its state, so it freezes instead of becoming uninit.
func Frozen(i int) contracts.Contract {
	c := contracts.Thrower(contracts.Basechain, uint32(i))
	c.Address = address.NewAddress(0, 0, slices.Repeat([]byte{0xf0 + byte(i)}, 32))
	return c
}

// LibraryUser returns the contract of the flow library, whose code is a library.
func LibraryUser() contracts.Contract {
	c := contracts.Thrower(contracts.Basechain, libraryUser)
	init := &tlb.StateInit{Code: contracts.LibraryCode(c.Init.Code), Data: c.Init.Data}
	return contracts.Contract{Address: init.CalcAddress(contracts.Basechain), Init: init}
}

// Library returns the library that the flow library publishes and withdraws.
func Library() *cell.Cell { return contracts.Thrower(contracts.Basechain, 0).Init.Code }

// VotedParam is the parameter that the flow vote changes.
const VotedParam = votedParam

// ProtocolAccounts lists the accounts that [Options.Protocol] needs in the zerostate.
func ProtocolAccounts() []genesis.Account {
	var list []genesis.Account
	for i := range frostCount {
		c := Frozen(i)
		list = append(list, genesis.Account{
			Address: c.Address, Balance: frostBalance, Code: c.Init.Code, Data: c.Init.Data, Unpaid: frostUnpaid,
		})
	}
	return list
}

// frost freezes accounts that owe their storage, one after the other, sends each the state of another one, which it refuses, and thaws
// it with its own.
func (t *batch) frost() string {
	for i := range frostCount {
		c := Frozen(i)
		acc := t.look(c.Address)
		msg := contracts.Call(c.Address, oneTON, nil)
		switch {
		case acc.active && acc.balance > frostBalance:
			continue // it is thawed
		case acc.active:
			return did("froze", t.call(t.cast.operator, msg))
		case acc.exists && t.round()%2 == 0:
			msg.StateInit = contracts.Thrower(contracts.Basechain, frostCount).Init
			return did("stayed frozen", t.call(t.cast.operator, msg))
		case acc.exists:
			msg.StateInit = c.Init
			return did("thawed", t.call(t.cast.operator, msg))
		}
	}
	return ""
}

// library publishes a library, uses it as the code of a contract, withdraws it, and calls the contract without it.
func (t *batch) library() string {
	librarian := t.look(t.contractSet.librarian.Address)
	if !librarian.active {
		return ""
	}
	lib, user := Library(), LibraryUser()
	public := false
	if librarian.libs != nil {
		_, err := librarian.libs.LoadValue(cell.BeginCell().MustStoreSlice(lib.Hash(), 256).EndCell())
		public = err == nil
	}
	order := func(body *cell.Cell) bool {
		return t.call(t.cast.operator, contracts.Call(t.contractSet.librarian.Address, oneTON, body))
	}
	deployed := t.look(user.Address).active
	switch {
	case !public && deployed && t.round()%2 == 0:
		return did("missed", t.call(t.cast.operator, contracts.Call(user.Address, libraryValue, nil)))
	case !public:
		return did("published", order(contracts.PublishLibrary(t.nextQuery(), lib)))
	case !deployed:
		return did("deployed", t.call(t.cast.operator, user.Deploy(libraryValue, nil)))
	case t.round()%2 == 0:
		return did("used", t.call(t.cast.operator, contracts.Call(user.Address, libraryValue, nil)))
	default:
		return did("withdrawn", order(contracts.WithdrawLibrary(t.nextQuery(), lib)))
	}
}

// vote changes a parameter by the votes of validators over two rounds. Between them other validators begin, who are the former ones in
// the next cycle. The step that a cycle has reached follows from the seqno of the batch; a cycle whose messages are lost changes nothing.
func (t *batch) vote() string {
	cycle, step := t.round()/voteCycle, t.round()%voteCycle
	value := cell.BeginCell().MustStoreUInt(uint64(cycle), 32).EndCell()
	proposal := genesis.Proposal(votedParam, value)
	send := func(body *cell.Cell) bool {
		return t.call(t.cast.operator, contracts.Call(genesis.ConfigAddress, 2*oneTON, body))
	}
	switch step {
	case 0:
		return did("proposed", send(genesis.NewProposal(t.nextQuery(), t.block.GenUtime+2_000_000, proposal)))
	case 1, 4:
		keys, _, err := t.validators()
		if err != nil {
			t.failed = err
			return ""
		}
		sent := true
		for i := range voters {
			sent = sent && send(genesis.Vote(t.cast.seed, t.nextQuery(), uint16(i), keys[i], proposal.Hash()))
		}
		return did(map[uint32]string{1: "first round", 4: "second round"}[step], sent)
	case 2:
		return did("validators changed", t.changeValidators())
	default:
		return ""
	}
}

// validators returns the numbers of the keys of the current validators, and those of the others.
func (t *batch) validators() (current, others [genesis.ValidatorCount]int, err error) {
	extra, err := layout.ParseMcExtra(t.master.Extra)
	if err != nil {
		return current, others, fmt.Errorf("configuration: %w", err)
	}
	value, err := extra.Config.AsDict(32).LoadValueByUintKey(paramSet)
	if err != nil {
		return current, others, fmt.Errorf("config parameter %d: %w", paramSet, err)
	}
	param, err := value.LoadRefCell()
	if err != nil {
		return current, others, fmt.Errorf("config parameter %d: %w", paramSet, err)
	}
	var set tlb.ValidatorSetExt
	if err := tlb.Parse(&set, param); err != nil {
		return current, others, fmt.Errorf("config parameter %d: %w", paramSet, err)
	}
	first, err := set.List.LoadValueByUintKey(0)
	if err != nil {
		return current, others, fmt.Errorf("validators: %w", err)
	}
	var v tlb.ValidatorAddr
	if err := tlb.LoadFromCell(&v, first); err != nil {
		return current, others, fmt.Errorf("validators: %w", err)
	}
	for i := range genesis.ValidatorCount {
		current[i], others[i] = i, genesis.ValidatorCount+i
	}
	key, ok := genesis.ValidatorKey(t.cast.seed, 0).Public().(ed25519.PublicKey)
	if ok && !bytes.Equal(key, v.PublicKey.Key) {
		current, others = others, current
	}
	return current, others, nil
}

// changeValidators names the validators that are not the current ones as the next ones.
func (t *batch) changeValidators() bool {
	acc := t.look(genesis.ConfigAddress)
	if !acc.active || t.crosses(keyBlockPeriod, keyBlockOffset) { // the contract takes one order in a block
		return false
	}
	_, others, err := t.validators()
	if err != nil {
		t.failed = err
		return false
	}
	seqno, err := genesis.ConfigSeqno(acc.data)
	var next, order *cell.Cell
	if err == nil {
		next, err = genesis.ValidatorSet(t.cast.seed, t.block.GenUtime+setDelay, forever, others)
	}
	if err == nil {
		order, err = genesis.ConfigChange(t.cast.seed, seqno, t.block.GenUtime+externalLife, paramNextSet, next)
	}
	if err != nil {
		t.failed = fmt.Errorf("next validators: %w", err)
		return false
	}
	t.sealed = append(t.sealed, order)
	return true
}
