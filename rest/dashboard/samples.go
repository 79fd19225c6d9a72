package dashboard

import (
	"math/big"
	"net/http"
	"strconv"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// test sends a sample event and shows its delivery, which updates when the receiver responds.
func (d *dashboard) test(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	if err := d.admit(s, "send", maxSends); err != nil {
		return err
	}
	id, err := d.Payments.SendTest(r.Context(), e, d.sample(r.PostFormValue("sample"), s))
	if err != nil {
		return err
	}
	return redirect(w, r, "/deliveries/"+strconv.FormatInt(id, 10))
}

// sample returns a transfer with random hashes; kind is success, failed or jetton.
func (d *dashboard) sample(kind string, s *session) *payment.Info {
	someone := chain.Address{ID: payment.HashOf("somebody")}.Friendly(false, d.TestOnly)
	to := s.merchant.Wallet
	if to == "" {
		to = someone
	}
	i := &payment.Info{
		Amount: "10.5", RawAmount: big.NewInt(10_500_000_000), SenderAddr: someone, RecipientAddr: to, Asset: payment.Native,
		AssetTicker: payment.Native, Status: payment.Success, Reference: "test_" + payment.NewReference(), Date: d.Now().UTC().Truncate(time.Second),
		CommentToRecipient: "A sample",
	}
	i.BodyBase64Hash = payment.HashOf(i.Reference)
	i.TxHash, i.TraceID = new(payment.HashOf(i.Reference+" tx")), new(payment.HashOf(i.Reference+" trace"))
	switch kind {
	case "failed":
		i.Status, i.ErrorCode, i.ErrorMessage = payment.Failed, 37, "Not enough TON"
	case "jetton":
		i.Asset, i.AssetTicker = chain.Address{ID: payment.HashOf("a Jetton")}.Friendly(true, d.TestOnly), "SMPL"
		i.RawAmount = big.NewInt(10_500_000)
	}
	return i
}
