package dashboard

import (
	"math/big"
	"net/http"
	"strconv"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// test sends a sample and shows its delivery, which tells the answer as soon as there is one.
func (d *door) test(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	id, err := d.Payments.SendTest(r.Context(), e, d.sample(r.PostFormValue("sample"), s))
	if err != nil {
		return err
	}
	return redirect(w, r, "/deliveries/"+strconv.FormatInt(id, 10))
}

// sample is a made-up transfer. No chain has its hashes, nor the Jetton of the kind jetton.
func (d *door) sample(kind string, s *session) *payment.Info {
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
