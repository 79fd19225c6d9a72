package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// Requests and results of executions, see package emulate.
type (
	// MethodCall is a get-method call.
	MethodCall = emulate.MethodCall
	// MethodResult is the result of a get-method call.
	MethodResult = emulate.MethodResult
	// FeeRequest describes an external message whose fees are estimated.
	FeeRequest = emulate.FeeRequest
	// Fees are the fees of one transaction.
	Fees = emulate.Fees
	// FeeEstimate holds the fees of a message.
	FeeEstimate = emulate.FeeEstimate
	// SimulationRequest describes a message to simulate.
	SimulationRequest = emulate.SimulationRequest
	// NameRequest is a DNS name to resolve.
	NameRequest = emulate.NameRequest
	// Resolution is the result of a NameRequest.
	Resolution = emulate.Resolution
	// ResolverError reports a resolver of names that does not exist or breaks the rules.
	ResolverError = emulate.ResolverError
	// TokenData is the state of a token contract.
	TokenData = emulate.TokenData
	// TokenContent describes a token.
	TokenContent = emulate.TokenContent
	// RefusalError is the error of a contract that does not accept an external message.
	RefusalError = emulate.RefusalError
)

// The kinds of token contracts.
const (
	JettonMaster  = emulate.JettonMaster
	JettonWallet  = emulate.JettonWallet
	NFTCollection = emulate.NFTCollection
	NFTItem       = emulate.NFTItem
)

// RunGetMethod runs a get-method in the local TVM. A method that fails is a result with its exit code, not an error.
func (s *Service) RunGetMethod(ctx context.Context, q MethodCall) (*MethodResult, error) {
	return s.emulator.RunGetMethod(ctx, q)
}

// EstimateFee estimates the fees of an external message, see [emulate.Emulator.EstimateFee].
func (s *Service) EstimateFee(ctx context.Context, q FeeRequest) (*FeeEstimate, error) {
	return s.emulator.EstimateFee(ctx, q)
}

// Simulate executes a message and the messages that it causes, see [emulate.Emulator.Simulate].
func (s *Service) Simulate(ctx context.Context, q SimulationRequest) (*chain.Simulation, error) {
	return s.emulator.Simulate(ctx, q)
}

// ResolveName resolves a DNS name by calling one resolver after the other.
func (s *Service) ResolveName(ctx context.Context, q NameRequest) (*Resolution, error) {
	return s.emulator.ResolveName(ctx, q)
}

// TokenData calls the get-methods of a token contract; nil when the contract is no token.
func (s *Service) TokenData(ctx context.Context, a chain.Address, seqno *uint32) (*TokenData, error) {
	return s.emulator.TokenData(ctx, a, seqno)
}
