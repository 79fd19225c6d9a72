package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Facts is the result of the detection of an account at a block. A record is nil unless it is confirmed: by the
// contract itself where it concerns only that, otherwise by the other contract that it names. Interfaces and Methods
// are nil for an account without code.
type Facts struct {
	Interfaces []string // ascending; empty when no interface matches
	Methods    []int32  // ascending; nil when the code cannot be analyzed

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
	NominatorPool *chain.NominatorPool

	Gas    int64    // used by all get-methods, and charged for the cells of their results
	Failed []string // families that panicked, which is a defect of this program; nil for none
}

// Family detects one family of contracts. Detect adds its results to p.Facts. It returns an error of the environment
// only, never a fault of the contract.
type Family struct {
	Name   string
	After  string // a family whose facts this one needs; empty for none
	Detect func(ctx context.Context, p *Probe) error
}

var families []Family

// Register adds a family; the init function of the family calls it. It panics when the name is registered already.
func Register(f Family) {
	if slices.ContainsFunc(families, func(o Family) bool { return o.Name == f.Name }) {
		panic("contract family " + f.Name + " is registered twice") //nolint:forbidigo // registration
	}
	families = append(families, f)
	// Families that need another one come later; otherwise the order is by name, so that it does not depend on imports.
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

// detect runs one family. A panic is recorded in Facts.Failed: accounts are untrusted input and must not end the
// program.
func (f Family) detect(ctx context.Context, p *Probe) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.Facts.Failed = append(p.Facts.Failed, fmt.Sprintf("%s: %v", f.Name, r))
		}
	}()
	return f.Detect(ctx, p)
}

// Detect runs every family on one account. It returns errors of the context and of the snapshot, never faults of the
// contract.
func Detect(ctx context.Context, snapshot Snapshot, r *Runner, s State) (Facts, error) {
	r = r.forDetection()
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

// Record returns the facts in the form that is stored: those of the state after the account's last transaction, which
// the masterchain block mcSeqno committed. Wallets are left out, because their data is read on request.
func (f *Facts) Record(s *State, mcSeqno uint32) chain.Contract {
	return chain.Contract{
		Account: s.Address, LT: s.LastTxLT, McSeqno: mcSeqno, CodeHash: s.CodeHash(),
		Interfaces: f.Interfaces, Methods: f.Methods,
		JettonMaster: f.JettonMaster, JettonWallet: f.JettonWallet, NFTCollection: f.NFTCollection, NFTItem: f.NFTItem,
		NFTSale: f.NFTSale, DNS: f.DNS, Multisig: f.Multisig, MultisigOrder: f.MultisigOrder, Vesting: f.Vesting,
		NominatorPool: f.NominatorPool,
	}
}
