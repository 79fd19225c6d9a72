package contracttest

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Party is [Address] in the library's form.
func Party(name string) *address.Address { return Library(Address(name)) }

// Library is an address in the library's form.
func Library(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID[:])
}

// Deployed is an account as it is right after its deployment.
func Deployed(a *address.Address, init *tlb.StateInit) contract.State {
	return contract.State{
		Address: chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())},
		Code:    init.Code, Data: init.Data, LastTxLT: 5,
	}
}
