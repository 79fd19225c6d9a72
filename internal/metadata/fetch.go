package metadata

import (
	"context"
	"errors"
	"net/url"
	"time"

	"tonql/internal/outbound"
)

// fetcher gets documents.
type fetcher struct {
	client   *outbound.Client
	gateways []*url.URL
	brief    time.Duration // of a request to a gateway for a document that is requested for the first time
}

// briefPart is the part of the time of a request, 1 of so many, that a gateway has for a document that is requested for the first time. Most have
// those that exist at once; the others are requested again, with all the time.
const briefPart = 3

func newFetcher(o Options) (*fetcher, error) {
	f := &fetcher{client: outbound.New(o.Outbound), brief: o.Outbound.Timeout / briefPart}
	for _, raw := range o.Gateways {
		u, err := gateway(raw)
		if err != nil {
			return nil, err
		}
		f.gateways = append(f.gateways, u)
	}
	return f, nil
}

// locate finds the place of a document that was requested in vain so many times before.
func (f *fetcher) locate(uri string, tries int) (place, *failure) {
	p, fault := locate(uri, f.client.Check, f.gateways, tries)
	if p.host == ipfsHost || p.immutable && len(p.addresses) > 0 {
		if p.brief = tries == 0; !p.brief {
			p.host = ipfsAgain
		}
	}
	return p, fault
}

// get requests an address of a place.
func (f *fetcher) get(ctx context.Context, p place, address string) (outbound.Response, error) {
	if p.brief {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.brief)
		defer cancel()
	}
	return f.client.Get(ctx, address)
}

// maxPlaces bounds the addresses requested in one attempt.
const maxPlaces = 4

// document fetches and parses the document at a place. It tries the addresses in order while the failure may be the server's;
// it returns the first failure, which is about the address in the token's content. A failure together with a document names a
// member that was left out.
func (f *fetcher) document(ctx context.Context, p place) (map[string]any, *failure) {
	if p.addresses == nil {
		document, fault := read(p.data)
		if fault != nil {
			fault = fault.finally()
		}
		return document, fault
	}
	var reported *failure
	for _, address := range p.addresses[:min(len(p.addresses), maxPlaces)] {
		response, err := f.get(ctx, p, address)
		if err == nil {
			document, fault := read(response.Body)
			if document != nil {
				return document, fault
			}
			// A gateway may return an error page with status 200 for a missing document.
			if fault.final = p.immutable && len(p.addresses) == 1; reported == nil {
				reported = fault
			}
		} else if reported == nil {
			reported = requestFailure(err)
		}
		if ctx.Err() != nil || (err != nil && !elsewhere(err)) {
			break
		}
	}
	return nil, reported
}

// read is [parse]; a panic in it costs this document only.
func read(body []byte) (document map[string]any, f *failure) {
	f = contained("the document", func() (g *failure) {
		document, g = parse(body)
		return g
	})
	return document, f
}

// elsewhere reports whether another server may do better.
func elsewhere(err error) bool {
	e, ok := errors.AsType[*outbound.Error](err)
	return ok && e.Kind != outbound.TooLarge
}
