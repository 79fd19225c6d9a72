package v3

import (
	"tonql/resolvers"
	"tonql/rest/handler"
)

func estimateFee(c *call) (func() error, error) {
	return func() error {
		q, err := c.feeRequest()
		if err != nil {
			return err
		}
		fees, err := c.svc.EstimateFee(c.ctx, q)
		if err != nil {
			return err
		}
		b := appendFees(append(c.out.B, `{"source_fees":`...), &fees.Source)
		b = append(b, `,"destination_fees":[`...)
		for i := range fees.Destinations {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendFees(b, &fees.Destinations[i])
		}
		b = append(b, "]}"...)
		c.out.B = b
		return nil
	}, nil
}

func (c *call) feeRequest() (resolvers.FeeRequest, error) {
	var q resolvers.FeeRequest
	var request struct {
		Address         *string `json:"address"`
		Body            string  `json:"body"`
		InitCode        string  `json:"init_code"`
		InitData        string  `json:"init_data"`
		IgnoreSignature *bool   `json:"ignore_chksig"`
		Seqno           *int64  `json:"seqno"`
	}
	if err := c.readJSON(&request); err != nil {
		return q, err
	}
	if request.Address == nil || *request.Address == "" {
		return q, missing("address is required")
	}
	var err error
	if q.Account, err = handler.ParseAddress(*request.Address); err != nil {
		return q, err
	}
	if q.Seqno, err = parseSeqno("seqno", request.Seqno); err != nil {
		return q, err
	}
	if q.Body, err = resolvers.ParseCell("body", request.Body); err != nil {
		return q, err
	}
	if q.InitCode, err = resolvers.ParseCell("init_code", request.InitCode); err != nil {
		return q, err
	}
	if q.InitData, err = resolvers.ParseCell("init_data", request.InitData); err != nil {
		return q, err
	}
	q.IgnoreSignature = request.IgnoreSignature == nil || *request.IgnoreSignature
	return q, nil
}

func appendFees(b []byte, f *resolvers.Fees) []byte {
	b = handler.AppendUint(append(b, `{"in_fwd_fee":`...), f.InFwd)
	b = handler.AppendUint(append(b, `,"storage_fee":`...), f.Storage)
	b = handler.AppendUint(append(b, `,"gas_fee":`...), f.Gas)
	return append(handler.AppendUint(append(b, `,"fwd_fee":`...), f.Fwd), '}')
}
