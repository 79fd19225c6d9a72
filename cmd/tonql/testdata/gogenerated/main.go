// Command gogenerated uses clients that oapi-codegen generates from the OpenAPI documents of a running server, and prints
// what it read as one JSON object:
//
//	go run . BASE_URL KEY PAYER
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"gogenerated/merchant"
	"gogenerated/v2"
	"gogenerated/v3"
)

func main() {
	seen, err := run(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(seen)
}

func run(base, key, payer string) (map[string]int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	seen := map[string]int{}
	index, err := v3.NewClientWithResponses(base)
	if err != nil {
		return nil, err
	}
	info, err := index.MasterchainInfoWithResponse(ctx, &v3.MasterchainInfoParams{})
	if err != nil {
		return nil, err
	}
	seen["last"] = int(info.JSON200.Last.Seqno)
	limit := 5
	transactions, err := index.TransactionsWithResponse(ctx, &v3.TransactionsParams{Limit: &limit})
	if err != nil {
		return nil, err
	}
	seen["transactions"] = len(transactions.JSON200.Transactions)
	account := transactions.JSON200.Transactions[0].Account
	states, err := index.AccountStatesWithResponse(ctx, &v3.AccountStatesParams{Address: &[]string{account}})
	if err != nil {
		return nil, err
	}
	seen["states"] = len(states.JSON200.Accounts)
	none := "zz"
	refused, err := index.BlocksWithResponse(ctx, &v3.BlocksParams{RootHash: &none})
	if err != nil {
		return nil, err
	}
	seen["refused"] = refused.StatusCode()

	node, err := v2.NewClientWithResponses(base)
	if err != nil {
		return nil, err
	}
	head, err := node.GetMasterchainInfoGetWithResponse(ctx)
	if err != nil {
		return nil, err
	}
	seen["head"] = int(head.JSON200.Result.Last.Seqno)
	balance, err := node.GetAddressBalanceGetWithResponse(ctx, &v2.GetAddressBalanceGetParams{Address: account})
	if err != nil {
		return nil, err
	}
	if balance.StatusCode() == http.StatusOK && balance.JSON200.Result != "" {
		seen["balance"] = 1
	}

	shop, err := merchant.NewClientWithResponses(base, merchant.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("X-Api-Key", key)
		return nil
	}))
	if err != nil {
		return nil, err
	}
	order := merchant.TransferRequest{Asset: "TON", SenderAddr: payer}
	if err := order.Amount.FromTransferRequestAmount1("1.25"); err != nil {
		return nil, err
	}
	made, err := shop.CreateTransferWithResponse(ctx, order)
	if err != nil {
		return nil, err
	}
	if made.JSON200 == nil {
		return nil, fmt.Errorf("create-transfer: %s", made.Body)
	}
	registered, err := shop.TransferWithResponse(ctx, &merchant.TransferParams{Reference: &made.JSON200.Reference})
	if err != nil {
		return nil, err
	}
	if registered.JSON200 != nil && registered.JSON200.Status == merchant.Pending {
		seen["pending"] = 1
	}
	return seen, nil
}
