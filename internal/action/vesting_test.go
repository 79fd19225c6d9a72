package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

func TestVestingSend_HasItsMessage(t *testing.T) {
	t.Parallel()
	const owner, vesting = 1, 2
	message := cell.BeginCell().MustStoreUInt(0b0110, 4).MustStoreUInt(0, 2).MustStoreAddr(std(3)).MustStoreCoins(700).
		MustStoreUInt(0, 107).EndCell()
	b, root := external(owner)
	tx := b.send(root, vesting, 1000, op(0xa7733acd).MustStoreUInt(5, 64).MustStoreUInt(3, 8).MustStoreRef(message).EndCell())
	b.send(tx, 3, 700, textBody("hi"))
	b.send(tx, owner, 200, op(0xf7733acd).MustStoreUInt(5, 64).EndCell())
	requireRows(t, b, records{}, []string{"vesting_send_message", "ton_transfer"}, want{
		"source": raw(owner), "destination": raw(vesting), "destination_secondary": raw(3), "amount": 700,
		"vesting_send_message_data": want{"query_id": 5},
	})
}
