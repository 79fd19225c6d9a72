package dashboard

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/rest/handler"
)

// ManifestPath is the path of the description of this service that wallets show, as TON Connect recommends it.
const ManifestPath = "/tonconnect-manifest.json"

const (
	// messageLives is the time in which a wallet may send a message that a page requested.
	messageLives = 5 * time.Minute
	// maxMessages is the number of messages that one address requests for one payment before it has to wait.
	maxMessages = 30
)

// connection is what the script of a page needs for TON Connect.
type connection struct {
	Network  int32  // global id
	Manifest string // URL
	Message  string // path of the message to send
	Wallets  string // JSON
}

// connects reports whether pages of buyers offer TON Connect.
func (d *dashboard) connects() bool { return len(d.Wallets) > 0 }

// connection returns the data of the page of a payment, nil when there are no wallets.
func (d *dashboard) connection(r *http.Request) (*connection, error) {
	if !d.connects() {
		return nil, nil //nolint:nilnil // TON Connect is optional
	}
	wallets, err := json.Marshal(d.Wallets)
	return &connection{
		Network: d.GlobalID, Manifest: d.origin(r) + ManifestPath, Message: PayPrefix + "/" + r.PathValue("page") + "/message", Wallets: string(wallets),
	}, err
}

// connectPolicy is the policy of a page that offers TON Connect: its script connects to the bridges of the wallets and to nothing else.
func connectPolicy(wallets []Wallet) string {
	return strings.Replace(policy, "connect-src 'self'", "connect-src 'self' "+strings.Join(bridgeOrigins(wallets), " "), 1)
}

// manifest writes the description of this service for wallets. Any page and any wallet may read it.
func (d *dashboard) manifest(w http.ResponseWriter, r *http.Request) error {
	if !d.connects() {
		return chain.NotFoundf("page not found")
	}
	origin := d.origin(r)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cache-Control", "public, max-age=300")
	return writeJSON(w, http.StatusOK, struct {
		URL  string `json:"url"`
		Name string `json:"name"`
		Icon string `json:"iconUrl"`
	}{origin, "tonql payments", origin + PayPrefix + "/icon.png"})
}

// icon writes the icon of the manifest, which wallets show.
func (d *dashboard) icon(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	return d.asset("icon.png")(w, r)
}

// walletMessage and walletRequest are the parameter of sendTransaction in TON Connect.
type walletMessage struct {
	Address string `json:"address"` // user-friendly; its flag says whether the message bounces
	Amount  string `json:"amount"`  // nanotons
	Payload string `json:"payload"` // BoC in base64
}

type messageError struct {
	Error string `json:"error"`
}

// preparedRequest is a response of the page's own endpoint.
type preparedRequest struct {
	Payer   string        `json:"payer"` // user-friendly, for the page
	Request walletRequest `json:"request"`
}

type walletRequest struct {
	ValidUntil int64           `json:"valid_until"` // Unix time in seconds
	Network    string          `json:"network"`     // global id
	From       string          `json:"from"`
	Messages   []walletMessage `json:"messages"`
}

// payMessage writes the request that a payer's wallet has to sign for an open payment. It stores nothing. Errors are JSON objects.
func (d *dashboard) payMessage(w http.ResponseWriter, r *http.Request) error {
	request, err := d.requestFrom(r)
	if err == nil {
		return writeJSON(w, http.StatusOK, request)
	}
	if refused, ok := errors.AsType[*limited](err); ok {
		setRetryAfter(w, refused.wait)
		return writeJSON(w, http.StatusTooManyRequests, messageError{refused.Error()})
	}
	handler.RecordOf(r.Context()).Err = err
	return writeJSON(w, handler.TextStatus(err, statusOf(err)), messageError{chain.PublicMessage(err)})
}

func writeJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has disconnected needs no response
	return nil
}

// requestFrom returns the request for the payer in the query: the recipient's address and a comment, or the payer's Jetton wallet and a
// transfer of Jettons.
func (d *dashboard) requestFrom(r *http.Request) (*preparedRequest, error) {
	if err := d.admitPay(r); err != nil {
		return nil, err
	}
	if !d.connects() {
		return nil, errNoPage
	}
	payer, err := payment.ParseWallet(r.URL.Query().Get("address"))
	if err != nil {
		return nil, err
	}
	p, err := d.Payments.PaymentOfPage(r.Context(), r.PathValue("page"))
	if err != nil {
		return nil, err
	}
	if _, err := d.merchantOf(r, p.Merchant); err != nil {
		return nil, err
	}
	switch {
	case p.Status == payment.Success:
		return nil, chain.Invalidf("this payment is paid")
	case p.Expired(d.Now()):
		return nil, chain.Invalidf("the time for this payment is over")
	}
	if _, wait := d.starts.begin(maxMessages, "message", d.site(r).String()+" "+p.Reference); wait > 0 {
		return nil, &limited{wait}
	}
	m, err := d.messageFrom(r, p, payer)
	if err != nil {
		return nil, err
	}
	return &preparedRequest{payer.Friendly(false, d.TestOnly), walletRequest{
		ValidUntil: d.Now().Add(messageLives).Unix(), Network: strconv.Itoa(int(d.GlobalID)), From: payer.String(), Messages: []walletMessage{{
			Address: m.Address.Friendly(p.Wallets != nil, d.TestOnly), Amount: m.Amount.String(), Payload: base64.StdEncoding.EncodeToString(m.Body.ToBOC()),
		}},
	}}, nil
}

// messageFrom returns the message of a payer, who for a Jetton sends it to the wallet that the Jetton master computes.
func (d *dashboard) messageFrom(r *http.Request, p *payment.Record, payer chain.Address) (*payment.Message, error) {
	if p.Asset.Master == nil {
		return p.MessageFrom(payer, nil)
	}
	if d.Jettons == nil {
		return nil, chain.Unavailablef(nil, "this service does not look up Jettons")
	}
	wallet, err := d.Jettons.Wallet(r.Context(), *p.Asset.Master, payer)
	if err != nil {
		return nil, err
	}
	return p.MessageFrom(payer, &wallet)
}
