package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

func vesting(c *call) (func() error, error) {
	f := chain.VestingFilter{
		Contracts: c.q.Addresses("contract_address"), Wallets: c.q.Addresses("wallet_address"),
		CheckWhitelist: c.q.Bool("check_whitelist", false),
	}
	p := c.cursored(c.byAddress(), chain.VestingList)
	return func() error {
		rows, err := c.svc.Vestings(c.ctx, f, p)
		return listing[chain.Vesting]{key: "vesting_contracts", name: nameVesting, print: appendVesting}.write(c, rows, err)
	}, nil
}

func nameVesting(named *addresses, v *chain.Vesting) {
	named.add(&v.Address)
	named.add(&v.Sender)
	named.add(&v.Owner)
	named.addAll(v.Whitelist)
}

func appendVesting(b []byte, v *chain.Vesting) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &v.Address)
	b = handler.AppendUint(append(b, `,"start_time":`...), v.StartTime)
	b = handler.AppendUint(append(b, `,"total_duration":`...), v.TotalDuration)
	b = handler.AppendUint(append(b, `,"unlock_period":`...), v.UnlockPeriod)
	b = handler.AppendUint(append(b, `,"cliff_duration":`...), v.CliffDuration)
	b = handler.AppendAddress(append(b, `,"sender_address":`...), &v.Sender)
	b = handler.AppendAddress(append(b, `,"owner_address":`...), &v.Owner)
	b = handler.AppendBig(append(b, `,"total_amount":`...), v.TotalAmount)
	return append(appendAddresses(append(b, `,"whitelist":`...), v.Whitelist), '}')
}
