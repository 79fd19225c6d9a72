package v3

import "tonql/internal/chain"

func jettonMasters(c *call) (func() error, error) {
	f := chain.JettonMasterFilter{Addresses: c.q.Addresses("address"), Admins: c.q.Addresses("admin_address")}
	p := c.cursored(c.byAddress(), chain.JettonMasterList)
	return func() error {
		rows, err := c.svc.JettonMasters(c.ctx, f, p)
		return listing[chain.JettonMaster]{key: "jetton_masters", name: nameJettonMaster, print: appendJettonMaster, metadata: true}.write(c, rows, err)
	}, nil
}

func nameJettonMaster(named *addresses, m *chain.JettonMaster) {
	named.add(&m.Address)
	named.add(m.Admin)
}

// jettonWallets lists Jetton wallets, ordered by balance only if the request has sort.
func jettonWallets(c *call) (func() error, error) {
	f := chain.JettonWalletFilter{
		Addresses: c.q.Addresses("address"), Owners: c.q.Addresses("owner_address"), Jettons: c.q.Addresses("jetton_address"),
		ExcludeZero: c.q.Bool("exclude_zero_balance", false),
	}
	p := c.cursored(c.byAddress(), chain.JettonWalletList)
	if sort, sent := c.q.SortIf(chain.Descending); sent {
		f.ByBalance, p.Sort = true, sort
	}
	return func() error {
		rows, err := c.svc.JettonWallets(c.ctx, f, p)
		return listing[chain.JettonWallet]{key: "jetton_wallets", name: nameJettonWallet, print: appendJettonWallet, metadata: true}.write(c, rows, err)
	}, nil
}

func nameJettonWallet(named *addresses, w *chain.JettonWallet) {
	named.add(&w.Address)
	named.add(&w.Owner)
	named.add(&w.Jetton)
}

func jettonTransfers(c *call) (func() error, error) {
	f := chain.JettonTransferFilter{
		Owners: c.ownersOr(), JettonWallets: c.q.Addresses("jetton_wallet"), Jetton: c.q.Address("jetton_master"),
		Direction: c.transferDirection(), TransferRange: c.transferRange(),
	}
	p := c.cursored(c.page(), chain.JettonTransferList)
	return func() error {
		rows, err := c.svc.JettonTransfers(c.ctx, f, p)
		return listing[chain.JettonTransfer]{key: "jetton_transfers", name: nameJettonTransfer, print: appendJettonTransfer, metadata: true}.write(c, rows, err)
	}, nil
}

func nameJettonTransfer(named *addresses, t *chain.JettonTransfer) {
	named.add(&t.Source)
	named.add(t.Destination)
	named.add(&t.SourceWallet)
	named.add(&t.Jetton)
	named.add(t.ResponseDestination)
}

// jettonBurns accepts the owner under two names: that of the published document and that of the running service.
func jettonBurns(c *call) (func() error, error) {
	f := chain.JettonBurnFilter{
		Owners:        append(c.q.Addresses("owner_address"), c.q.Addresses("address")...),
		JettonWallets: c.q.Addresses("jetton_wallet"), Jetton: c.q.Address("jetton_master"), TransferRange: c.transferRange(),
	}
	p := c.cursored(c.page(), chain.JettonBurnList)
	return func() error {
		rows, err := c.svc.JettonBurns(c.ctx, f, p)
		return listing[chain.JettonBurn]{key: "jetton_burns", name: nameJettonBurn, print: appendJettonBurn, metadata: true}.write(c, rows, err)
	}, nil
}

func nameJettonBurn(named *addresses, burn *chain.JettonBurn) {
	named.add(&burn.Owner)
	named.add(&burn.JettonWallet)
	named.add(&burn.Jetton)
	named.add(burn.ResponseDestination)
}
