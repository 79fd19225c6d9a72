// Package mailer sends short messages in plain text through a mail server. Their number per time is bounded, and no text that is passed
// to it can add a header or a recipient.
package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/time/rate"

	"tonql/internal/chain"
)

const (
	// timeout bounds one message, with the connection.
	timeout = 15 * time.Second
	// maxSubject and maxBody bound a message, in bytes.
	maxSubject = 200
	maxBody    = 8 << 10
	// pause is the mean time between two messages, burst the number that may be sent at once.
	pause = 2 * time.Second
	burst = 20
)

// ErrLimited is the error of a message above the number that may be sent now.
var ErrLimited = errors.New("too many messages at this moment")

// Mailer sends messages. Safe for concurrent use.
type Mailer struct {
	host    string
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	options []gomail.Option
	from    string
	limit   *rate.Limiter
}

// server is a parsed URL of a mail server.
type server struct {
	host           string
	port           int
	user, password string
	implicit       bool // TLS from the first byte
	plain          bool // no TLS
}

// Check returns an error for a URL that [New] does not accept.
func Check(raw string) error { _, err := parse(raw); return err }

// parse reads smtp://user:password@host:587 or smtps://user:password@host:465. With ?tls=none a connection is not encrypted.
func parse(raw string) (server, error) {
	wrong := func(why string) (server, error) {
		return server{}, chain.Invalidf("a mail server is smtp://user:password@host:587 or smtps://user:password@host:465: %s", why)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return wrong("this is not such a URL")
	}
	s := server{host: u.Hostname(), user: u.User.Username()}
	s.password, _ = u.User.Password()
	switch u.Scheme {
	case "smtp":
		s.port = 587
	case "smtps":
		s.port, s.implicit = 465, true
	default:
		return wrong("the scheme is " + chain.Quote(u.Scheme))
	}
	if text := u.Port(); text != "" {
		if s.port, err = strconv.Atoi(text); err != nil || s.port < 1 || s.port > 65535 {
			return wrong("the port is wrong")
		}
	}
	switch query := u.Query(); {
	case len(query) == 0:
	case len(query) == 1 && query.Get("tls") == "none" && !s.implicit:
		s.plain = true
	default:
		return wrong("the only option is tls=none")
	}
	if s.plain && s.user != "" {
		return wrong("a password is not sent without TLS")
	}
	return s, nil
}

// CheckFrom returns an error for a text that is not one address of a sender, with or without a name.
func CheckFrom(from string) error {
	if _, err := mail.ParseAddress(from); err != nil || strings.ContainsAny(from, "\r\n") {
		return chain.Invalidf("%s is not the address of a sender", chain.Quote(from))
	}
	return nil
}

// New returns a mailer for the URL of a server and the address of the sender. It connects for each message.
func New(raw, from string) (*Mailer, error) {
	s, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if err := CheckFrom(from); err != nil {
		return nil, err
	}
	o := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(timeout)}
	dial := (&net.Dialer{}).DialContext
	switch {
	case s.implicit:
		dial = (&tls.Dialer{Config: &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}}).DialContext
		o = append(o, gomail.WithSSL())
	case s.plain:
		o = append(o, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		o = append(o, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.user != "" {
		o = append(o, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	return &Mailer{host: s.host, dial: dial, options: o, from: from, limit: rate.NewLimiter(rate.Every(pause), burst)}, nil
}

// Send sends a message to one address. Subject and body are cut at their bounds. The error is [ErrLimited] above the rate.
func (m *Mailer) Send(ctx context.Context, to, subject, body string) error {
	if strings.ContainsAny(to, "\r\n,;") {
		return chain.Invalidf("a message has one recipient")
	}
	message := gomail.NewMsg()
	if err := message.From(m.from); err != nil {
		return fmt.Errorf("sender: %w", err)
	}
	if err := message.To(to); err != nil {
		return chain.Invalidf("%s is not an e-mail address", chain.Quote(to))
	}
	if !m.limit.Allow() {
		return ErrLimited
	}
	message.Subject(cut(strings.Join(strings.FieldsFunc(subject, func(r rune) bool { return r < ' ' || r == 0x7f }), " "), maxSubject))
	message.SetDate()
	message.SetMessageID()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, cut(strings.ReplaceAll(body, "\x00", ""), maxBody))
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	// The library leaves a connection open when it refuses the server, and waits without end for a server that sends nothing.
	var opened []net.Conn
	var stops []func() bool
	defer func() {
		for i, c := range opened {
			stops[i]()
			_ = c.Close() // a second time, after a message that was sent
		}
	}()
	ended := ctx
	dial := gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := m.dial(ctx, network, address)
		if err == nil {
			opened = append(opened, c)
			stops = append(stops, context.AfterFunc(ended, func() { _ = c.Close() }))
		}
		return c, err
	})
	client, err := gomail.NewClient(m.host, append(slices.Clone(m.options), dial)...)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	// A message that the server has accepted is sent, also when the connection ends badly.
	if err := client.DialAndSendWithContext(ctx, message); err != nil && !message.IsDelivered() {
		return fmt.Errorf("mail server: %w", err)
	}
	return nil
}

// cut returns the beginning of a text as valid UTF-8.
func cut(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}
