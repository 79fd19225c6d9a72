package resolvers

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/big"
	"unicode"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// registries are the contracts that have the records of verified sources, by network.
var registries = map[string]string{
	"mainnet": "EQD-BJSVUJviud_Qv7Ymfd3qzXdrmV525e3YDzWQoHIAiInL",
	"testnet": "EQCsdKYwUaXkgJkz2l0ol6qT_WxeRbE_wBCwnEybmR0u5TO8",
}

// verifiers are the names of those who sign records; the registry identifies them by the SHA-256 of the name.
var verifiers = []string{"verifier.ton.org", "orbs.com"}

const (
	sourceVersion = 1    // of the content of a record
	maxSourceURI  = 1024 // bytes
)

// CodeSources reads the records of verified sources of a code; nil on networks without a registry.
func (s *Service) CodeSources(ctx context.Context, codeHash chain.Hash) ([]*chain.CodeSource, error) {
	address := registries[s.opts.Network]
	if s.opts.SourceRegistry != nil {
		address = s.opts.SourceRegistry.String()
	}
	if address == "" {
		return nil, nil
	}
	registry, err := chain.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	found := []*chain.CodeSource{}
	for _, name := range verifiers {
		source, err := s.codeSource(ctx, registry, name, codeHash)
		if err != nil {
			return nil, err
		}
		if source != nil {
			found = append(found, source)
		}
	}
	return found, nil
}

// codeSource reads the record of one verifier; nil when there is none.
func (s *Service) codeSource(ctx context.Context, registry chain.Address, verifier string, codeHash chain.Hash) (*chain.CodeSource, error) {
	id := sha256.Sum256([]byte(verifier))
	where, err := s.RunGetMethod(ctx, MethodCall{
		Account: registry, Method: "get_source_item_address", Stack: []any{new(big.Int).SetBytes(id[:]), new(big.Int).SetBytes(codeHash[:])},
	})
	if err != nil || !succeeded(where) || len(where.Stack) != 1 {
		return nil, err
	}
	slice, ok := where.Stack[0].(*cell.Slice)
	if !ok {
		return nil, nil
	}
	item, err := contract.LoadAddress(slice.Copy())
	if err != nil || item == nil {
		return nil, nil //nolint:nilerr // the registry returned no address
	}
	record, err := s.RunGetMethod(ctx, MethodCall{Account: *item, Method: "get_source_item_data"})
	if err != nil || !succeeded(record) {
		return nil, err
	}
	uri := sourceURI(record.Stack, id, codeHash, registry)
	if uri == "" {
		return nil, nil
	}
	return &chain.CodeSource{Verifier: verifier, Item: *item, URI: uri}, nil
}

// succeeded reports whether a get-method ended normally: with exit code 0, or 1, the alternative success of the TVM.
func succeeded(run *MethodResult) bool { return run.Exit == 0 || run.Exit == 1 }

// SourceFiles fetches the files that a record names. A failure of the list or the gateways is part of the result, so that
// one record does not lose the others. It is nil when this process fetches none.
func (s *Service) SourceFiles(ctx context.Context, source *chain.CodeSource) (*chain.SourceFiles, error) {
	if s.opts.FetchSources == nil {
		return nil, nil
	}
	files, err := s.opts.FetchSources(ctx, source.URI)
	if e, ok := errors.AsType[*chain.Error](err); ok && (e.Kind == chain.Invalid || e.Kind == chain.Unavailable) {
		return &chain.SourceFiles{Files: []*chain.SourceFile{}, Error: &e.Message}, nil
	}
	return files, err
}

// sourceURI reads a record: verifier, hash of the code, registry, content. It is empty for a record of anything else.
func sourceURI(record []any, verifier [32]byte, codeHash chain.Hash, registry chain.Address) string {
	const fields = 4
	if len(record) != fields {
		return ""
	}
	for i, want := range [][]byte{verifier[:], codeHash[:]} {
		if n, ok := record[i].(*big.Int); !ok || n.Cmp(new(big.Int).SetBytes(want)) != 0 {
			return ""
		}
	}
	slice, ok := record[2].(*cell.Slice)
	if !ok {
		return ""
	}
	if of, err := contract.LoadAddress(slice.Copy()); err != nil || of == nil || *of != registry {
		return ""
	}
	c, ok := record[3].(*cell.Cell)
	if !ok || c.IsSpecial() {
		return ""
	}
	s, err := c.BeginParse()
	if err != nil {
		return ""
	}
	if version, err := s.LoadUInt(8); err != nil || version != sourceVersion {
		return ""
	}
	uri := content.SliceText(s)
	for _, r := range uri {
		if !unicode.IsPrint(r) {
			return ""
		}
	}
	if len(uri) > maxSourceURI {
		return ""
	}
	return uri
}
