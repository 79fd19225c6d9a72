package resolvers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/disassembly"
	"tonql/internal/contract/getmethod"
	"tonql/internal/emulate"
)

const (
	maxTuple         = 255  // entries of a tuple
	maxArgumentDepth = 8    // levels of tuples and lists
	maxArgumentItems = 1000 // values of all arguments
)

// runPrinted is [Service.RunGetMethod] with arguments and results as text.
func (s *Service) runPrinted(ctx context.Context, q MethodCall, stack []*chain.StackInput) (*chain.MethodRun, error) {
	left := maxArgumentItems
	arguments, err := parseInputs(stack, &left, 0)
	if err != nil {
		return nil, err
	}
	q.Stack = arguments
	result, err := s.RunGetMethod(ctx, q)
	if err != nil {
		return nil, err
	}
	printed, err := appendStack(nil, result.Stack, true)
	if err != nil {
		return nil, err
	}
	values, err := json.Marshal(getmethod.Print(getmethod.ByID(emulate.MethodID(q.Method)), result.Stack))
	if err != nil {
		return nil, fmt.Errorf("stack: %w", err)
	}
	return &chain.MethodRun{
		ExitCode: result.Exit, GasUsed: uint64(max(result.Gas, 0)), Stack: printed, Values: values, McSeqno: result.McSeqno,
	}, nil
}

// parseInputs reads arguments; left counts the values that may still be read.
func parseInputs(inputs []*chain.StackInput, left *int, depth int) ([]any, error) {
	if *left -= len(inputs); *left < 0 {
		return nil, chain.Invalidf("stack: at most %d values are allowed", maxArgumentItems)
	}
	values := make([]any, len(inputs))
	for i, in := range inputs {
		var err error
		if values[i], err = parseInput(in, left, depth); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func parseInput(in *chain.StackInput, left *int, depth int) (any, error) {
	tuple := in.Type == "tuple" || in.Type == "list"
	switch {
	case tuple && in.Value != nil:
		return nil, chain.Invalidf("stack: a %s has items, not a value", in.Type)
	case !tuple && in.Items != nil:
		return nil, chain.Invalidf("stack: only a tuple or list has items")
	case in.Type == "null":
		if in.Value != nil {
			return nil, chain.Invalidf("stack: null has no value")
		}
		return nil, nil
	case tuple:
		return parseItems(in, left, depth+1)
	case in.Value == nil:
		return nil, chain.Invalidf("stack: %s needs a value", chain.Quote(in.Type))
	case in.Type == "address":
		return parseAddressArgument(*in.Value)
	case !IsStackType(in.Type):
		return nil, chain.Invalidf("stack: an argument is a num, cell, slice, address, tuple, list or null, not %s", chain.Quote(in.Type))
	default:
		return ParseStackValue(in.Type, *in.Value)
	}
}

func parseItems(in *chain.StackInput, left *int, depth int) (any, error) {
	if depth > maxArgumentDepth {
		return nil, chain.Invalidf("stack: at most %d levels of tuples and lists are allowed", maxArgumentDepth)
	}
	items, err := parseInputs(in.Items, left, depth)
	if err != nil || in.Type == "list" {
		return asList(items), err
	}
	if len(items) > maxTuple {
		return nil, chain.Invalidf("stack: a tuple has at most %d entries", maxTuple)
	}
	return items, nil
}

// asList returns a list as contracts read it: pairs of a value and the rest, null at the end.
func asList(items []any) any {
	var rest any
	for _, item := range slices.Backward(items) {
		rest = []any{item, rest}
	}
	return rest
}

// parseAddressArgument returns an address as contracts take it, in a slice; addr_none for an empty text.
func parseAddressArgument(text string) (any, error) {
	if text == "" {
		return cell.BeginCell().MustStoreAddr(nil).ToSlice(), nil
	}
	a, err := chain.ParseAddress(text)
	if err != nil {
		return nil, err
	}
	return contract.AddressSlice(a), nil
}

// Disassembly writes the code of a contract as text; nil when the account has no code.
func (s *Service) Disassembly(ctx context.Context, a chain.Address, at *chain.AtBlock) (*chain.Disassembly, error) {
	seqno, err := s.SeqnoAt(ctx, at)
	if err != nil {
		return nil, err
	}
	code, err := s.emulator.Code(ctx, a, seqno)
	if err != nil || code == nil {
		return nil, err
	}
	if code.Root == nil {
		return nil, chain.NotFoundf("the library that has the code of the account is not public")
	}
	d := disassembly.Disassemble(code.Root, getmethod.NameOf, disassembly.DefaultLimits)
	return &chain.Disassembly{
		CodeHash: code.Hash, LibraryHash: code.Library, Text: d.Text, InstructionCount: int32(d.Instructions), Complete: d.Complete, McSeqno: code.McSeqno,
	}, nil
}

// getMethods describes the get-methods of a code by their ids.
func getMethods(ids []int32) []*chain.GetMethod {
	list := make([]*chain.GetMethod, len(ids))
	for i, id := range ids {
		list[i] = &chain.GetMethod{ID: id}
		m := getmethod.ByID(id)
		if m == nil {
			continue
		}
		list[i].Name = &m.Name
		if m.Arguments == nil {
			continue
		}
		list[i].Arguments = make([]*chain.MethodArgument, len(m.Arguments))
		for j, arg := range m.Arguments {
			list[i].Arguments[j] = &chain.MethodArgument{Name: arg.Name, Type: string(arg.Kind)}
		}
	}
	return list
}

// sameCode lists the accounts that have a code, by address.
func (s *Service) sameCode(ctx context.Context, codeHash chain.Hash, p chain.Page) ([]chain.Account, error) {
	rows, err := s.index.AccountStates(ctx, chain.AccountFilter{CodeHashes: []chain.Hash{codeHash}}, p)
	accounts := make([]chain.Account, len(rows))
	for i := range rows {
		accounts[i] = chain.Account{Address: rows[i].Account}
	}
	return accounts, err
}
