package v2

import (
	"errors"
	"net/http"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func (c *call) send() (*chain.SentMessage, error) {
	boc := c.p.bytes("boc")
	c.p.required("boc", len(boc) > 0)
	if err := c.p.end(); err != nil {
		return nil, err
	}
	sent, err := c.svc.SendMessage(c.ctx, boc)
	if chain.KindOf(err) == chain.Invalid && err != nil {
		var r *resolvers.RefusalError
		if !errors.As(err, &r) { // the message is invalid, not its base64 encoding
			err = &statusError{status: http.StatusInternalServerError, text: chain.PublicMessage(err), cause: err}
		}
	}
	return sent, err
}

func sendBOC(c *call) error {
	_, err := c.send()
	c.b = append(c.b, `{"@type":"ok"}`...)
	return err
}

func sendBOCReturnHash(c *call) error {
	sent, err := c.send()
	if err != nil {
		return err
	}
	b := handler.AppendHash(append(c.b, `{"@type":"raw.extMessageInfo","hash":`...), &sent.Hash)
	c.b = append(handler.AppendHash(append(b, `,"hash_norm":`...), &sent.HashNorm), '}')
	return nil
}

// sendBOCNoError is sendBOCReturnHash with status 400 for all errors after parameter validation.
func sendBOCNoError(c *call) error {
	err := sendBOCReturnHash(c)
	if err == nil || c.p.err != nil {
		return err
	}
	text := "the message was not sent"
	var own *statusError
	var r *resolvers.RefusalError
	switch {
	case errors.As(err, &own):
		text = own.text
	case errors.As(err, &r):
		text = "LITE_SERVER_UNKNOWN: " + r.Text
	case chain.KindOf(err) != chain.Internal:
		text = chain.PublicMessage(err)
	}
	return &statusError{status: http.StatusBadRequest, text: text, cause: err}
}

func estimateFee(c *call) error {
	q := resolvers.FeeRequest{Account: c.p.address("address"), IgnoreSignature: true, SourceOnly: true}
	q.Body = c.p.cell("body")
	c.p.required("body", q.Body != nil)
	q.InitCode, q.InitData = c.p.cell("init_code"), c.p.cell("init_data")
	if ignore := c.p.flag("ignore_chksig"); ignore != nil {
		q.IgnoreSignature = *ignore
	}
	if err := c.p.end(); err != nil {
		return err
	}
	fees, err := c.svc.EstimateFee(c.ctx, q)
	if err != nil {
		return err
	}
	f := fees.Source
	b := handler.AppendUint(append(c.b, `{"@type":"query.fees","source_fees":{"@type":"fees","in_fwd_fee":`...), f.InFwd)
	b = handler.AppendUint(append(b, `,"storage_fee":`...), f.Storage)
	b = handler.AppendUint(append(b, `,"gas_fee":`...), f.Gas)
	b = handler.AppendUint(append(b, `,"fwd_fee":`...), f.Fwd)
	c.b = append(b, `},"destination_fees":[]}`...) // as in nodes, which do not emulate the outgoing messages
	return nil
}
