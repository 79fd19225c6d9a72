// Command gogenerated uses clients that oapi-codegen generates from the OpenAPI documents of a running server, and prints
// what it read as one JSON object:
//
//	go run . BASE_URL
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"gogenerated/v2"
	"gogenerated/v3"
)

func main() {
	seen, err := run(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(seen)
}

func run(base string) (map[string]int, error) {
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
	return seen, nil
}
