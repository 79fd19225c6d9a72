package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The wallet confirms every request. It skips a message that it cannot send.
func TestVestingSend_SucceedsIfTheMessageWasSent(t *testing.T) {
	t.Parallel()
	const owner, vesting, other = 1, 2, 4
	empty := cell.BeginCell().EndCell()
	trailing := message(3, 700, textBody("hi")).ToBuilder().MustStoreUInt(1, 1).EndCell() // its body cannot be read
	for name, tc := range map[string]struct {
		message *cell.Cell
		send    func(b *builder, wallet *action.Transaction)
		sent    bool
	}{
		"sent":                    {message(3, 700, textBody("hi")), func(b *builder, w *action.Transaction) { b.send(w, 3, 700, textBody("hi")) }, true},
		"sent with all coins":     {message(3, 700, textBody("hi")), func(b *builder, w *action.Transaction) { b.send(w, 3, 5, textBody("hi")) }, true},
		"sent without a body":     {message(3, 700, empty), func(b *builder, w *action.Transaction) { b.send(w, 3, 700, empty).In.Body = action.Content{} }, true},
		"skipped":                 {message(3, 700, textBody("hi")), func(*builder, *action.Transaction) {}, false},
		"another body":            {message(3, 700, textBody("hi")), func(b *builder, w *action.Transaction) { b.send(w, 3, 700, textBody("no")) }, false},
		"another account":         {message(3, 700, textBody("hi")), func(b *builder, w *action.Transaction) { b.send(w, other, 700, textBody("hi")) }, false},
		"unreadable, the value":   {trailing, func(b *builder, w *action.Transaction) { b.send(w, 3, 700, textBody("no")) }, true},
		"unreadable, other value": {trailing, func(b *builder, w *action.Transaction) { b.send(w, 3, 5, textBody("hi")) }, false},
	} {
		b, root := external(owner)
		tx := b.send(root, vesting, 1000, op(0xa7733acd).MustStoreUInt(5, 64).MustStoreUInt(3, 8).MustStoreRef(tc.message).EndCell())
		tc.send(b, tx)
		kinds := []string{"vesting_send_message"}
		if len(tx.Out) > 0 {
			kinds = append(kinds, "ton_transfer")
		}
		b.send(tx, owner, 200, op(0xf7733acd).MustStoreUInt(5, 64).EndCell())
		t.Log(name)
		requireRows(t, b, records{}, kinds, want{
			"source": raw(owner), "destination": raw(vesting), "destination_secondary": raw(3), "amount": 700, "success": tc.sent,
			"vesting_send_message_data": want{"query_id": 5},
		})
	}
}
