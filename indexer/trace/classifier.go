package trace

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	_ "tonql/internal/action/all" // registers every kind of action
	"tonql/internal/action/details"
	"tonql/internal/chain"
)

// ActionSet is the version of the classifier. It is stored with every trace. Increase it when a change can classify an
// existing trace differently; a reclassification then selects the traces with an older version.
const ActionSet = 9

// Classifier implements [chain.TraceClassifier]. The zero value is ready; safe for concurrent use.
type Classifier struct {
	// Failed is called with traces that could not be classified; it may be nil.
	Failed func(trace chain.Hash, err error)
}

var _ chain.TraceClassifier = Classifier{}

// Version implements [chain.TraceClassifier].
func (Classifier) Version() int16 { return ActionSet }

// Read implements [chain.TraceClassifier].
func (c Classifier) Read(t *chain.TraceContent) chain.TraceReading {
	r := &reading{failed: c.Failed, trace: &action.Trace{
		ID: t.ID, ExternalHash: t.ExternalHash, ExternalHashNorm: t.ExternalHashNorm,
		McSeqnoEnd: t.McSeqnoEnd, EndLT: t.EndLT, EndUtime: t.EndUtime,
		Transactions: make([]*action.Transaction, len(t.Transactions)),
	}}
	r.huge = isHuge(t)
	messages := make(map[chain.Hash]*action.Message, len(t.Transactions))
	for i := range t.Transactions {
		r.trace.Transactions[i] = r.transaction(&t.Transactions[i], messages)
	}
	return r
}

// reading is one trace being classified.
type reading struct {
	trace  *action.Trace
	failed func(chain.Hash, error)
	err    error // the first message that cannot be read
	huge   bool
	// jvault reports that a message is an order to a JVault stake wallet.
	jvault bool
}

func (r *reading) transaction(t *chain.TraceTransaction, messages map[chain.Hash]*action.Message) *action.Transaction {
	d := &t.Description
	tx := &action.Transaction{
		Hash: t.Hash, Account: t.Account, LT: t.LT, Now: t.Now, McSeqno: t.McSeqno,
		OrigStatus: t.OrigStatus.String(), EndStatus: t.EndStatus.String(),
		Aborted: d.Aborted, TickTock: d.Kind == chain.TickTock,
		Skipped: d.Compute == nil || d.Compute.Skipped,
		NoGas:   d.Compute != nil && d.Compute.Skipped && d.Compute.Reason == chain.SkipNoGas,
		Out:     make([]*action.Message, len(t.Out)),
	}
	if !tx.Skipped {
		tx.ExitCode = d.Compute.ExitCode
	}
	if t.In != nil {
		tx.In = r.message(t.In, messages)
	}
	for i, m := range t.Out {
		tx.Out[i] = r.message(m, messages)
	}
	return tx
}

// message converts a message. The sender and the receiver share the result.
func (r *reading) message(m *chain.Message, messages map[chain.Hash]*action.Message) *action.Message {
	if read := messages[m.Hash]; read != nil {
		return read
	}
	out := &action.Message{
		Hash: m.Hash, Source: m.Source, Destination: m.Destination, CreatedLT: m.CreatedLT, CreatedAt: m.CreatedAt,
		Opcode: m.Opcode, Bounce: m.Bounce != nil && *m.Bounce, Bounced: m.Bounced != nil && *m.Bounced,
		Body: r.content(m, m.Body, (*chain.Message).BodyBOC), Init: r.content(m, m.Init, (*chain.Message).InitBOC),
	}
	if m.Value != nil {
		out.Value = new(big.Int).SetUint64(uint64(*m.Value))
	}
	for id, amount := range m.ValueExtra {
		if out.Extra == nil {
			out.Extra = make(map[string]*big.Int, len(m.ValueExtra))
		}
		out.Extra[strconv.FormatUint(uint64(id), 10)] = amount
	}
	r.jvault = r.jvault || isJVault(m.Opcode)
	messages[m.Hash] = out
	return out
}

const (
	// hugeTrace is the size, in bytes, of all bodies and state-inits of a trace, without the cells that they share, from which large ones
	// are not classified: those of 4000 transactions may have gigabytes, as may the payloads and texts in their actions.
	hugeTrace = 32 << 20
	// largeContent is the size, in bytes, of a body or a state-init that is classified in each trace.
	largeContent = 16 << 10
)

// isHuge reports whether the messages that the transactions of a trace sent have more than [hugeTrace].
func isHuge(t *chain.TraceContent) bool {
	size := 0
	for i := range t.Transactions {
		for _, m := range t.Transactions[i].Out {
			if size += len(m.BodyBOC()) + len(m.InitBOC()); size > hugeTrace {
				return true
			}
		}
	}
	return false
}

// cachedContent is the size, in bytes, up to which the cells of bodies and state-inits stay in memory while a trace is classified. Larger ones are
// parsed by each pattern that reads them: the messages of a trace may have eight billion cells together.
const cachedContent = 512

// content returns the body or the state-init of a message: boc, or what read returns.
func (r *reading) content(m *chain.Message, boc chain.BOC, read func(*chain.Message) chain.BOC) action.Content {
	if m.Large == nil && len(boc) <= cachedContent {
		return action.Parsed(r.cell(boc))
	}
	return action.Deferred(func() *cell.Cell {
		boc := read(m)
		if r.huge && len(boc) > largeContent {
			return nil
		}
		c, err := cell.FromBOC(boc)
		if err != nil {
			return nil
		}
		return c
	})
}

func (r *reading) cell(boc chain.BOC) *cell.Cell {
	if len(boc) == 0 {
		return nil
	}
	c, err := cell.FromBOC(boc)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("a message of trace %s: %w", r.trace.ID, err)
	}
	return c
}

// NeedsData implements [chain.TraceReading].
func (r *reading) NeedsData() bool { return r.jvault }

// Accounts implements [chain.TraceReading]. Without records it returns the accounts of the trace and those that its messages
// name; with them, the items of auctions, the pools of stake wallets, and the wallets for the deposits of these pools.
func (r *reading) Accounts(found chain.TraceRecords) (accounts []chain.Address) {
	if r.err != nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			accounts, r.err = nil, fmt.Errorf("trace %s: panic: %v", r.trace.ID, p)
		}
	}()
	if len(found) > 0 {
		named := action.Auctioned(r.trace, records(found))
		for _, tx := range r.trace.Transactions {
			if pool := records(found).JVaultPool(tx.Account); pool != nil {
				named = append(named, *pool)
				if lock := records(found).JVaultLockWallet(*pool); lock != nil {
					named = append(named, *lock)
				}
			}
		}
		return named
	}
	accounts = action.Named(r.trace)
	for _, tx := range r.trace.Transactions {
		accounts = append(accounts, tx.Account)
	}
	return accounts
}

// Classify implements [chain.TraceReading]. A panic fails this trace, but not the block that completed it.
func (r *reading) Classify(found chain.TraceRecords) (rows []chain.Action, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("trace %s: panic: %v", r.trace.ID, p)
		}
		if err != nil && r.failed != nil {
			r.failed(r.trace.ID, err)
		}
	}()
	return r.classify(found)
}

func (r *reading) classify(found chain.TraceRecords) ([]chain.Action, error) {
	if r.err != nil {
		return nil, r.err
	}
	actions, err := action.Classify(r.trace, records(found))
	if err != nil {
		return nil, fmt.Errorf("trace %s: %w", r.trace.ID, err)
	}
	rows := make([]chain.Action, len(actions))
	for i, a := range actions {
		if err := fill(&rows[i], a); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// fill converts an action to a row.
func fill(row *chain.Action, a *action.Action) error {
	*row = chain.Action{
		TraceID: a.TraceID, Type: a.Type, Success: a.Success, StartLT: a.StartLT, EndLT: a.EndLT,
		StartUtime: a.StartUtc, EndUtime: a.EndUtc, McSeqnoEnd: a.McSeqnoEnd, TxHashes: a.TxHashes, Accounts: a.Accounts,
		Ancestors: a.Ancestors, Opcode: a.Opcode, TraceEndLT: a.TraceEndLT, TraceEndUtime: a.TraceEndUtime,
		TraceMcSeqnoEnd: a.TraceMcSeqnoEnd, TraceExternalHash: a.TraceExternalHash, TraceExternalHashNorm: a.TraceExternalHashNorm,
	}
	var err error
	if row.ID, err = chain.ParseHash(a.ID); err != nil {
		return fmt.Errorf("id of an action of trace %s: %w", a.TraceID, err)
	}
	if a.ParentID != "" {
		parent, err := chain.ParseHash(a.ParentID)
		if err != nil {
			return fmt.Errorf("parent of an action of trace %s: %w", a.TraceID, err)
		}
		row.ParentID = &parent
	}
	d, err := details.Of(a)
	if err != nil {
		return fmt.Errorf("trace %s: %w", a.TraceID, err)
	}
	if row.Details, err = json.Marshal(d); err != nil {
		return fmt.Errorf("trace %s: %w", a.TraceID, err)
	}
	return nil
}
