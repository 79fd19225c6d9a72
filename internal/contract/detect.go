package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Facts is what is known of an account as of a block. A record is nil unless it is genuine: said by the contract of
// itself, or confirmed by the contract it names. Interfaces and Methods are nil for an account without code.
type Facts struct {
	Interfaces []string // ascending; empty when nothing fits
	Methods    []int32  // ascending; nil when the code could not be analysed

	Wallet        *chain.WalletInfo
	JettonMaster  *chain.JettonMaster
	JettonWallet  *chain.JettonWallet
	NFTCollection *chain.NFTCollection
	NFTItem       *chain.NFTItem
	NFTSale       *chain.NFTSale
	DNS           *chain.DNSRecord
	Multisig      *chain.Multisig
	MultisigOrder *chain.MultisigOrder
	Vesting       *chain.Vesting

	Claims []Claim
	Gas    int64    // used by all get-methods together
	Failed []string // families that broke on this account: a defect of ours, to be reported; nil otherwise
}

// Claim is a relation to another contract that the other does not confirm. It is worth another look when the other
// contract changes.
type Claim struct {
	Interface string // what the account would be: jetton_wallet, nft_item, multisig_order_v2
	Account   chain.Address
	Other     chain.Address // who would have to confirm it
	Refuted   bool          // the other contract denied it; false when it could not be called
	Reason    string        // for logs
}

// Family is the code that recognises one family of contracts. Detect adds to p.Facts what it finds; it returns an
// error only when the environment failed, never when the contract did.
type Family struct {
	Name   string
	After  string // a family whose facts this one builds upon; empty for none
	Detect func(ctx context.Context, p *Probe) error
}

var families []Family

// Register adds a family; it is called by the family's init. A name cannot be taken twice.
func Register(f Family) {
	if slices.ContainsFunc(families, func(o Family) bool { return o.Name == f.Name }) {
		panic("contract family " + f.Name + " is registered twice") //nolint:forbidigo // registration
	}
	families = append(families, f)
	// A family that builds upon another comes later; otherwise by name, so that the order of imports is no matter.
	slices.SortFunc(families, func(a, b Family) int {
		if (a.After == "") != (b.After == "") {
			return len(a.After) - len(b.After)
		}
		return strings.Compare(a.Name, b.Name)
	})
}

// Families lists the names of the registered families in the order of detection.
func Families() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name
	}
	return names
}

// detect runs one family and turns its panics into errors: accounts are untrusted input and must not end the program.
func (f Family) detect(ctx context.Context, p *Probe) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.Facts.Failed = append(p.Facts.Failed, fmt.Sprintf("%s: %v", f.Name, r))
		}
	}()
	return f.Detect(ctx, p)
}

// Detect runs every family on one account. Errors are not the contract's: a cancelled context, a snapshot that cannot be read.
func Detect(ctx context.Context, snapshot Snapshot, r *Runner, s State) (Facts, error) {
	p := &Probe{State: s, Facts: &Facts{}, snapshot: snapshot, runner: r, gas: r.machine.budget.TotalGas}
	if !s.Active() {
		return *p.Facts, nil
	}
	p.CodeHash, p.DataHash = s.CodeHash(), s.DataHash()
	p.Facts.Methods = r.Methods(s.Code)
	p.Facts.Interfaces = Interfaces(p.CodeHash, p.Facts.Methods)
	for _, f := range families {
		if err := f.detect(ctx, p); err != nil {
			return Facts{}, fmt.Errorf("%s of %s: %w", f.Name, s.Address, err)
		}
	}
	p.Facts.Gas = r.machine.budget.TotalGas - p.gas
	return *p.Facts, nil
}

// Record is the facts as they are stored: those of the state after the account's last transaction, committed by a
// masterchain block. Wallets are not in it; their data is read on request.
func (f *Facts) Record(s *State, mcSeqno uint32) chain.Contract {
	c := chain.Contract{
		Account: s.Address, LT: s.LastTxLT, McSeqno: mcSeqno, CodeHash: s.CodeHash(),
		Interfaces: f.Interfaces, Methods: f.Methods,
		JettonMaster: f.JettonMaster, JettonWallet: f.JettonWallet, NFTCollection: f.NFTCollection, NFTItem: f.NFTItem,
		NFTSale: f.NFTSale, DNS: f.DNS, Multisig: f.Multisig, MultisigOrder: f.MultisigOrder, Vesting: f.Vesting,
	}
	for _, claim := range f.Claims {
		c.Claims = append(c.Claims, chain.ContractClaim{Interface: claim.Interface, Other: claim.Other, Refuted: claim.Refuted})
	}
	return c
}
