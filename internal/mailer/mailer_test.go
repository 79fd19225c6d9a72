package mailer_test

import (
	"bufio"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/chain"
	"tonql/internal/mailer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inbox is a mail server without TLS that stores the lines of each message and the recipients.
type inbox struct {
	address string

	mu         sync.Mutex
	messages   [][]string
	recipients []string
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	b := &inbox{address: l.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { b.serve(c) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return b
}

func (b *inbox) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	write := func(line string) { _, _ = c.Write([]byte(line + "\r\n")) }
	write("220 test")
	var message []string
	inData := false
	for in := bufio.NewScanner(c); in.Scan(); {
		line := in.Text()
		switch {
		case inData && line == ".":
			b.mu.Lock()
			b.messages = append(b.messages, message)
			b.mu.Unlock()
			message, inData = nil, false
			write("250 stored")
		case inData:
			message = append(message, line)
		case strings.HasPrefix(line, "EHLO"), strings.HasPrefix(line, "HELO"):
			write("250 test")
		case strings.HasPrefix(line, "RCPT"):
			b.mu.Lock()
			b.recipients = append(b.recipients, line)
			b.mu.Unlock()
			write("250 ok")
		case line == "DATA":
			inData = true
			write("354 go")
		case line == "QUIT":
			write("221 bye")
			return
		default:
			write("250 ok")
		}
	}
}

func (b *inbox) mailer(t *testing.T) *mailer.Mailer {
	t.Helper()
	m, err := mailer.New("smtp://"+b.address+"?tls=none", "tonql <alerts@pay.example>")
	require.NoError(t, err)
	return m
}

// A subject or a body with line ends adds no header and no recipient, and an address with them is refused.
func TestSend_NothingAddsAHeaderOrARecipient(t *testing.T) {
	t.Parallel()
	b := newInbox(t)
	m := b.mailer(t)
	require.NoError(t, m.Send(t.Context(), "shop@example.org", "Fails\r\nBcc: victim@example.org\r\n\r\nbody", "one\r\n.\r\nRCPT TO:<victim@example.org>\r\ntwo"))
	require.NoError(t, m.Send(t.Context(), "shop@example.org", strings.Repeat("ü", 500), strings.Repeat("x", 1<<20)))
	for _, to := range []string{"a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "a@b.example\nRCPT TO:<c@d.example>", "", "nobody"} {
		require.Equal(t, chain.Invalid, chain.KindOf(m.Send(t.Context(), to, "s", "b")), to)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(t, b.messages, 2)
	require.Equal(t, []string{"RCPT TO:<shop@example.org>", "RCPT TO:<shop@example.org>"}, b.recipients)
	for _, message := range b.messages {
		require.Less(t, len(strings.Join(message, "\n")), 20<<10)
		for _, line := range message {
			require.False(t, strings.HasPrefix(strings.ToLower(line), "bcc:"), line)
			if line == "" {
				break // the end of the headers
			}
		}
	}
}

func TestSend_NumberPerTimeIsBounded(t *testing.T) {
	t.Parallel()
	b := newInbox(t)
	m := b.mailer(t)
	limited := 0
	for range 40 {
		if err := m.Send(t.Context(), "shop@example.org", "s", "b"); err != nil {
			require.ErrorIs(t, err, mailer.ErrLimited)
			limited++
		}
	}
	require.GreaterOrEqual(t, limited, 10)
}

func TestCheck_MailServersNeedTLSForAPassword(t *testing.T) {
	t.Parallel()
	for raw, ok := range map[string]bool{
		"smtp://mail.example": true, "smtps://user:p%40ss@mail.example:465": true, "smtp://user:pass@mail.example:587": true, "smtp://127.0.0.1:25?tls=none": true,
		"smtp://user:pass@mail.example?tls=none": false, "smtps://mail.example?tls=none": false, "http://mail.example": false, "smtp://": false,
		"mail.example:25": false, "smtp://mail.example:0": false, "smtp://mail.example:99999": false, "smtp://mail.example/path": false, "smtp://mail.example?x=1": false,
	} {
		require.Equal(t, ok, mailer.Check(raw) == nil, raw)
	}
	require.Error(t, mailer.CheckFrom("a@b.example\r\nBcc: c@d.example"))
	require.Error(t, mailer.CheckFrom("nobody"))
	require.NoError(t, mailer.CheckFrom("tonql <alerts@pay.example>"))
}

// A server that offers no TLS gets neither the password nor the message.
func TestSend_WithoutTLSIsRefused(t *testing.T) {
	t.Parallel()
	b := newInbox(t)
	m, err := mailer.New("smtp://user:secret@"+b.address, "alerts@pay.example")
	require.NoError(t, err)
	require.Error(t, m.Send(t.Context(), "shop@example.org", "s", "b"))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(t, b.messages)
	require.Empty(t, b.recipients)
}
