package metadata

import (
	"context"
	"errors"
	"net/url"

	"tonql/internal/outbound"
)

// fetcher gets documents.
type fetcher struct {
	client   *outbound.Client
	gateways []*url.URL
}

func newFetcher(o Options) (*fetcher, error) {
	f := &fetcher{client: outbound.New(o.Outbound)}
	for _, raw := range o.Gateways {
		u, err := gateway(raw)
		if err != nil {
			return nil, err
		}
		f.gateways = append(f.gateways, u)
	}
	return f, nil
}

func (f *fetcher) locate(uri string, start int) (place, *failure) {
	return locate(uri, f.client.Check, f.gateways, start)
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
		response, err := f.client.Get(ctx, address)
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
