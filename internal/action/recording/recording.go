// Package recording reads recorded traces from files, with the records of their contracts.
package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// maxSize is the maximum size of a file after decompression.
const maxSize = 64 << 20

type file struct {
	TraceID      chain.Hash         `json:"trace_id"`
	ExternalHash *chain.Hash        `json:"external_hash"`
	McSeqnoEnd   uint32             `json:"mc_seqno_end"`
	EndLT        uint64             `json:"end_lt,string"`
	EndUtime     uint32             `json:"end_utime"`
	Transactions []transaction      `json:"transactions"`
	Interfaces   map[string]account `json:"interfaces"`
}

type transaction struct {
	Hash       chain.Hash    `json:"hash"`
	Account    chain.Address `json:"account"`
	LT         uint64        `json:"lt,string"`
	Now        uint32        `json:"now"`
	McSeqno    uint32        `json:"mc_block_seqno"`
	OrigStatus string        `json:"orig_status"`
	EndStatus  string        `json:"end_status"`
	Descr      struct {
		Type     string `json:"type"`
		Aborted  bool   `json:"aborted"`
		ExitCode *int32 `json:"compute_exit_code"`
	} `json:"descr"`
	In  *message  `json:"in_msg"`
	Out []message `json:"out_msgs"`
}

type message struct {
	Hash        chain.Hash        `json:"hash"`
	Source      *chain.Address    `json:"source"`
	Destination *chain.Address    `json:"destination"`
	Value       *string           `json:"value"`
	Extra       map[string]string `json:"value_extra_currencies"`
	CreatedLT   *string           `json:"created_lt"`
	CreatedAt   *uint32           `json:"created_at"`
	Opcode      *string           `json:"opcode"`
	Bounce      *bool             `json:"bounce"`
	Bounced     *bool             `json:"bounced"`
	Body        *string           `json:"body"`
	Init        *string           `json:"init_state"`
}

// Read reads one trace, plain or gzip.
func Read(r io.Reader) (*action.Trace, *Records, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxSize))
	if err != nil {
		return nil, nil, fmt.Errorf("recorded trace: %w", err)
	}
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, nil, chain.Invalidf("recorded trace: %v", err)
		}
		if raw, err = io.ReadAll(io.LimitReader(z, maxSize)); err != nil {
			return nil, nil, chain.Invalidf("recorded trace: %v", err)
		}
	}
	var f file
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, nil, chain.Invalidf("recorded trace: %v", err)
	}
	t := &action.Trace{
		ID: f.TraceID, ExternalHash: f.ExternalHash, McSeqnoEnd: f.McSeqnoEnd, EndLT: f.EndLT, EndUtime: f.EndUtime,
	}
	for i := range f.Transactions {
		tx, err := f.Transactions[i].read()
		if err != nil {
			return nil, nil, fmt.Errorf("transaction %s: %w", f.Transactions[i].Hash, err)
		}
		t.Transactions = append(t.Transactions, tx)
	}
	return t, newRecords(f.Interfaces), nil
}

func (t *transaction) read() (*action.Transaction, error) {
	tx := &action.Transaction{
		Hash: t.Hash, Account: t.Account, LT: t.LT, Now: t.Now, McSeqno: t.McSeqno, OrigStatus: t.OrigStatus,
		EndStatus: t.EndStatus, Aborted: t.Descr.Aborted, Skipped: t.Descr.ExitCode == nil, TickTock: t.Descr.Type != "ord",
	}
	if t.Descr.ExitCode != nil {
		tx.ExitCode = *t.Descr.ExitCode
	}
	if t.In != nil {
		m, err := t.In.read()
		if err != nil {
			return nil, err
		}
		tx.In = m
	}
	for i := range t.Out {
		m, err := t.Out[i].read()
		if err != nil {
			return nil, err
		}
		tx.Out = append(tx.Out, m)
	}
	return tx, nil
}

func (m *message) read() (*action.Message, error) {
	out := &action.Message{
		Hash: m.Hash, Source: m.Source, Destination: m.Destination, CreatedAt: m.CreatedAt,
		Bounce: m.Bounce != nil && *m.Bounce, Bounced: m.Bounced != nil && *m.Bounced,
	}
	if m.Value != nil {
		out.Value = number(*m.Value)
	}
	for id, n := range m.Extra {
		if out.Extra == nil {
			out.Extra = map[string]*big.Int{}
		}
		out.Extra[id] = number(n)
	}
	if m.CreatedLT != nil {
		lt, err := strconv.ParseUint(*m.CreatedLT, 10, 64)
		if err != nil {
			return nil, chain.Invalidf("message %s: created_lt: %v", m.Hash, err)
		}
		out.CreatedLT = &lt
	}
	if m.Opcode != nil {
		op, err := strconv.ParseUint(*m.Opcode, 0, 32)
		if err != nil {
			return nil, chain.Invalidf("message %s: opcode: %v", m.Hash, err)
		}
		op32 := uint32(op)
		out.Opcode = &op32
	}
	body, err := parse(m.Body)
	if err != nil {
		return nil, err
	}
	init, err := parse(m.Init)
	out.Body, out.Init = action.Parsed(body), action.Parsed(init)
	return out, err
}

func parse(s *string) (*cell.Cell, error) {
	if s == nil {
		return nil, nil
	}
	raw, err := base64.StdEncoding.DecodeString(*s)
	if err != nil {
		return nil, chain.Invalidf("a BoC: %v", err)
	}
	c, err := cell.FromBOC(raw)
	if err != nil {
		return nil, chain.Invalidf("a BoC: %v", err)
	}
	return c, nil
}

// number parses decimal digits; nil for other text.
func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return new(big.Int)
	}
	return n
}
