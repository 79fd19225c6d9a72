package contract

import "tonql/internal/chain"

// Size returns the approximate size of the facts in bytes, as they are stored. Facts of the same size for every contract of a kind
// are not counted: numbers, single addresses, interfaces and methods.
func (f *Facts) Size() int {
	const perEntry = 32 // of a list of texts
	n := 0
	if m := f.JettonMaster; m != nil {
		n += m.Content.Size()
		for _, api := range m.MintlessAPIs {
			n += len(api) + perEntry
		}
	}
	if c := f.NFTCollection; c != nil {
		n += c.Content.Size()
	}
	if i := f.NFTItem; i != nil {
		n += i.Content.Size() + len(i.Domain)
	}
	if s := f.NFTSale; s != nil && s.Telemint != nil {
		n += chain.JSONSize(s.Telemint.TokenName)
	}
	if d := f.DNS; d != nil {
		n += len(d.Domain)
		if d.Text != nil {
			n += len(*d.Text)
		}
	}
	members := 0 // in the record and in a table of their own
	if m := f.Multisig; m != nil {
		members += len(m.Signers) + len(m.Proposers)
	}
	if o := f.MultisigOrder; o != nil {
		n += len(o.Order)
		members += len(o.Signers)
	}
	if v := f.Vesting; v != nil {
		members += len(v.Whitelist)
	}
	if p := f.NominatorPool; p != nil {
		members += len(p.Nominators)
	}
	return n + members*3*chain.AddressSize
}
