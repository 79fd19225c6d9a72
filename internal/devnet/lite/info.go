package lite

import (
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// Version 1.1 of the protocol, with the capabilities block proof chains (1),
// masterchainInfoExt (2), runSmcMethod (4).
const (
	protocolVersion = 0x101
	capabilities    = 7
)

func (a *api) getTime() tl.Serializable {
	return ton.CurrentTime{Now: a.chain.Now()}
}

func (a *api) getVersion() tl.Serializable {
	return ton.Version{Version: protocolVersion, Capabilities: capabilities, Now: a.chain.Now()}
}

func (a *api) getMasterchainInfo() (tl.Serializable, error) {
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	hash, err := stateHash(head.Root)
	if err != nil {
		return nil, err
	}
	zero := a.chain.Zerostate()
	return ton.MasterchainInfo{Last: head.ID.Copy(), StateRootHash: hash, Init: &zero}, nil
}

func (a *api) getMasterchainInfoExt(q ton.GetMasterchainInfoExt) (tl.Serializable, error) {
	if q.Mode&0x7fffffff != 0 {
		return nil, fail(codeBadRequest, "unsupported getMasterchainInfo mode")
	}
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	hash, err := stateHash(head.Root)
	if err != nil {
		return nil, err
	}
	zero := a.chain.Zerostate()
	return ton.MasterchainInfoExt{
		Version:       protocolVersion,
		Capabilities:  capabilities,
		Last:          head.ID.Copy(),
		LastUTime:     head.GenUtime,
		Now:           a.chain.Now(),
		StateRootHash: hash,
		Init:          &zero,
	}, nil
}
