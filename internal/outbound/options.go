package outbound

import (
	"crypto/x509"
	"net"
	"net/netip"
	"time"
)

// Options bound what a Client does. Zero values take the defaults named with them.
type Options struct {
	// AllowLoopback opens 127.0.0.0/8 and ::1, at any port: for a local network, whose servers live on this machine.
	AllowLoopback bool
	// Allow opens single addresses that would be refused otherwise, such as the operator's IPFS gateway. Untrusted
	// input can make the client connect to them too.
	Allow []netip.AddrPort
	// HTTPSOnly refuses plain http, also after a redirect.
	HTTPSOnly bool
	// Ports are the allowed ports of public addresses: 80 and 443. AnyPort allows all.
	Ports   []uint16
	AnyPort bool

	// Timeout covers everything, from resolving the name to the last byte of the body after all redirects: 15 s.
	Timeout time.Duration
	// MaxBody bounds the body in bytes, as sent and as decompressed: 1 MiB.
	MaxBody int64
	// MaxErrorBody is how many bytes of the body are read when the status is not 2xx: none.
	MaxErrorBody int64
	// MaxHeader bounds the headers of one response in bytes: 64 KiB.
	MaxHeader int64
	// MaxRedirects is how many redirects are followed: none.
	MaxRedirects int
	// ContentTypes are the media types a response may have, such as application/json; a type ending with + and a suffix,
	// as */*+json, allows every type with it. The empty text allows responses without a type. An empty list allows all.
	ContentTypes []string

	// MaxConnsPerHost bounds the connections to one host and port: 8.
	MaxConnsPerHost int
	// MaxIdlePerHost is how many of them stay open for later requests, for a few seconds: 2.
	MaxIdlePerHost int
	UserAgent      string         // tonql
	Resolver       *net.Resolver  // the system's
	RootCAs        *x509.CertPool // the system's
}

func (o Options) withDefaults() Options {
	if len(o.Ports) == 0 {
		o.Ports = []uint16{80, 443}
	}
	if o.Timeout <= 0 {
		o.Timeout = 15 * time.Second
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 1 << 20
	}
	if o.MaxHeader <= 0 {
		o.MaxHeader = 64 << 10
	}
	if o.MaxConnsPerHost <= 0 {
		o.MaxConnsPerHost = 8
	}
	if o.MaxIdlePerHost <= 0 {
		o.MaxIdlePerHost = 2
	}
	if o.UserAgent == "" {
		o.UserAgent = "tonql"
	}
	return o
}
