package v3

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/docs"
	"tonql/rest/handler"
)

const (
	// EmulationPrefix is the path of the emulation API, whose transactions, actions, address book and metadata are those of [Prefix].
	EmulationPrefix = "/api/emulate"
	// emulationPrice is what a request costs above its first token, as GraphQL's simulate does.
	emulationPrice = 5
	// emulationTimeout bounds a request: execution, classification, and reading the accounts' states.
	emulationTimeout = 10 * time.Second
)

// NewEmulation returns the handler of all paths below [EmulationPrefix]. svc must outlive it.
func NewEmulation(svc *resolvers.Service, opts Options) http.Handler {
	opts.fill()
	opts.Timeout = max(opts.Timeout, emulationTimeout)
	site := docs.NewSite(docs.Options{
		Prefix: EmulationPrefix, Network: handler.NetworkTitle(svc.Network()), Examples: svc.Examples,
		Document: func() ([]byte, error) { return emulationOpenAPI(opts) },
	})
	return &api{prefix: EmulationPrefix, svc: svc, opts: opts, version: []string{opts.Version}, routes: index(EmulationPrefix, EmulationRoutes()), site: &site}
}

// EmulationRoutes returns the routes of the emulation API, below [EmulationPrefix].
func EmulationRoutes() []Route {
	post := func(path string, serve func(*call) (func() error, error)) Route {
		return Route{Method: http.MethodPost, Path: path, Params: []string{"supported_action_types"}, serve: serve}
	}
	return []Route{post("/v1/emulateTrace", emulateTrace), post("/v1/emulateTonConnect", emulateTonConnect)}
}

// emulationOpenAPI returns the OpenAPI document of the emulation API.
func emulationOpenAPI(opts Options) ([]byte, error) {
	const about = "Executes messages without sending them. Transactions, actions, address book and metadata have the form of /api/v3."
	return apiDocument{prefix: EmulationPrefix, title: "tonql /api/emulate", introduction: about, groups: []string{"emulation"}}.openAPI(EmulationRoutes(), opts, 0)
}

// emulation is the body of an emulateTrace request.
type emulation struct {
	emulationOptions

	BOC             string `json:"boc"` // of a message, base64
	IgnoreSignature bool   `json:"ignore_chksig"`
}

// emulationOptions are the members that all requests have.
type emulationOptions struct {
	Actions     bool   `json:"with_actions"`
	Cells       bool   `json:"include_code_data"`
	AddressBook bool   `json:"include_address_book"`
	Metadata    bool   `json:"include_metadata"`
	Seqno       *int64 `json:"mc_block_seqno"` // null: the newest block
}

// emulateTrace executes a message and the messages that it causes. Nothing is sent.
func emulateTrace(c *call) (func() error, error) {
	supported := c.supported()
	return func() error {
		var e emulation
		if err := c.readJSON(&e); err != nil {
			return err
		}
		if e.BOC == "" {
			return chain.Invalidf("boc is required")
		}
		bag, err := resolvers.DecodeBase64(e.BOC)
		if err != nil {
			return chain.Invalidf("boc: not base64: %v", err)
		}
		q := resolvers.SimulationRequest{Message: chain.SimulatedMessage{BOC: bag}, IgnoreSignature: e.IgnoreSignature, Cells: e.Cells, Tokens: e.Metadata}
		if q.Seqno, err = parseSeqno("mc_block_seqno", e.Seqno); err != nil {
			return err
		}
		c.chargeEmulation()
		return c.emulate(q, &e.emulationOptions, supported)
	}, nil
}

func (c *call) chargeEmulation() {
	if c.opts.Charge != nil {
		c.opts.Charge(c.ctx, emulationPrice)
	}
}

func (c *call) emulate(q resolvers.SimulationRequest, e *emulationOptions, supported []string) error {
	sim, err := c.svc.Simulate(c.ctx, q)
	if err != nil {
		return err
	}
	if !sim.Accepted {
		return chain.Invalidf("%s", *sim.Refusal)
	}
	return c.streamEmulation(sim, e, supported)
}

func (c *call) streamEmulation(sim *chain.Simulation, e *emulationOptions, supported []string) error {
	t := sim.Trace
	switch {
	case !e.Actions:
		t.Actions = nil
	case supported != nil:
		t.Actions = slices.DeleteFunc(t.Actions, func(a chain.Action) bool { return !a.Shows(supported) })
	}
	c.addressBook, c.meta = e.AddressBook, e.Metadata
	var named addresses
	nameTrace(&named, t)
	addressBook, tokens, err := c.readNames(&named, true)
	if err != nil {
		return err
	}
	c.out.Retain() // it may be refused for its size
	c.out.B = handler.AppendUint(append(c.out.B, `{"mc_block_seqno":`...), sim.McSeqno)
	c.out.B = appendTraceNode(append(c.out.B, `,"trace":`...), t.Tree)
	c.out.B = append(c.out.B, `,"transactions":`...)
	if err := c.streamTransactionsByHash(t.Transactions); err != nil {
		return err
	}
	c.out.B = appendPendingActions(append(c.out.B, `,"actions":`...), latestFirst(t.Actions))
	if e.Cells {
		code, data := statesOf(t.Transactions)
		c.out.B = appendCells(append(c.out.B, `,"code_cells":`...), code, sim.Cells)
		c.out.B = appendCells(append(c.out.B, `,"data_cells":`...), data, sim.Cells)
	}
	if e.AddressBook {
		c.out.B = c.appendAddressBook(append(c.out.B, `,"address_book":`...), addressBook)
	}
	if e.Metadata {
		c.out.B = appendMetadata(append(c.out.B, `,"metadata":`...), withDeployed(tokens, sim.Tokens))
	}
	c.out.B = handler.AppendHash(append(c.out.B, `,"rand_seed":`...), &sim.Seed)
	c.out.B = append(handler.AppendBool(append(c.out.B, `,"is_incomplete":`...), sim.Stopped != nil), '}')
	return c.out.Spill()
}

// withDeployed adds the tokens that a trace deploys to those of the index, which has other addresses. Both are by address, and so is the result.
func withDeployed(indexed, deployed []chain.Metadata) []chain.Metadata {
	if len(deployed) == 0 {
		return indexed
	}
	indexed = slices.Clone(indexed) // others may share it
	for i := range deployed {
		if !slices.ContainsFunc(indexed, func(m chain.Metadata) bool { return m.Address == deployed[i].Address && m.Indexed }) {
			indexed = slices.DeleteFunc(indexed, func(m chain.Metadata) bool { return m.Address == deployed[i].Address && m.Kind == deployed[i].Kind })
			indexed = append(indexed, deployed[i])
		}
	}
	slices.SortStableFunc(indexed, func(x, y chain.Metadata) int { return x.Address.Compare(y.Address) })
	return indexed
}

// statesOf returns the hashes of the code and of the data before and after transactions, each once, ascending.
func statesOf(txs []chain.FullTransaction) (code, data []chain.Hash) {
	for i := range txs {
		for _, s := range []*chain.AccountState{&txs[i].StateBefore, &txs[i].StateAfter} {
			if s.CodeHash != nil {
				code = append(code, *s.CodeHash)
			}
			if s.DataHash != nil {
				data = append(data, *s.DataHash)
			}
		}
	}
	return distinct(code), distinct(data)
}

func distinct(hashes []chain.Hash) []chain.Hash {
	slices.SortFunc(hashes, func(a, b chain.Hash) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(hashes)
}

// appendCells appends an object, hash to bag of cells, of those that cells has.
func appendCells(b []byte, hashes []chain.Hash, cells map[chain.Hash]chain.BOC) []byte {
	hashes = slices.DeleteFunc(hashes, func(h chain.Hash) bool { return cells[h] == nil })
	b = append(b, '{')
	for i := range hashes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendHash(b, &hashes[i]), ':')
		b = appendBOC(b, cells[hashes[i]], false)
	}
	return append(b, '}')
}
