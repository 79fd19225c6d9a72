package v3_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
)

// Errors about invalid requests have the published text, route by route. Where
// the status differs, docs/compatibility.md states why.
func TestErrors_HaveThePublishedTexts(t *testing.T) {
	t.Parallel()
	d := serve(t)
	many := strings.Repeat("&address=0:"+strings.Repeat("1", 64), 1001)
	for query, want := range map[string]struct {
		status int
		text   string
	}{
		"/masterchainBlockShardState":                                    {404, "blocks not found"},
		"/masterchainBlockShardState?seqno=9999":                         {404, "blocks not found"},
		"/masterchainBlockShards?seqno=9999":                             {404, "blocks not found"},
		"/transactions?mc_seqno=9999":                                    {404, "masterchain block 9999 not found"},
		"/transactionsByMasterchainBlock?seqno=9999":                     {404, "masterchain block 9999 not found"},
		"/transactionsByMasterchainBlock":                                {404, "masterchain block 0 not found"},
		"/actions?mc_seqno=9999":                                         {404, "masterchain block 9999 not found"},
		"/traces?mc_seqno=9999":                                          {404, "masterchain block 9999 not found"},
		"/adjacentTransactions":                                          {404, "adjacent transactions not found"},
		"/adjacentTransactions?hash=" + strings.Repeat("e", 64):          {404, "adjacent transactions not found"},
		"/balanceChanges":                                                {400, "trace_id or action_id is required"},
		"/balanceChanges?action_id=" + strings.Repeat("e", 64):           {404, "action_id not found"},
		"/transactionsByMessage":                                         {422, "at least one of msg_hash, body_hash, opcode should be specified"},
		"/transactionsByMessage?opcode=1&direction=up":                   {422, "direction should be one of: in, out"},
		"/messages?direction=up":                                         {422, "direction should be one of: in, out"},
		"/messages?hash=HASH&msg_hash=HASH":                              {422, "cannot use both legacy and new message hashes"},
		"/accountStates":                                                 {422, "address of account is required"},
		"/walletStates":                                                  {422, "address of account is required"},
		"/addressBook":                                                   {422, "at least 1 address required"},
		"/metadata":                                                      {422, "at least 1 address required"},
		"/traces?trace_id=HASH&tx_hash=HASH":                             {422, "only one of account, trace_id, tx_hash, msg_hash should be specified"},
		"/events?account=ADDRESS&msg_hash=HASH":                          {422, "only one of account, trace_id, tx_hash, msg_hash should be specified"},
		"/pendingTransactions":                                           {422, "at least 1 account address required"},
		"/pendingTransactions?trace_id=HASH":                             {422, "at least 1 account address required"},
		"/pendingTraces":                                                 {422, "account or ext_msg_hash should be specified"},
		"/pendingActions":                                                {422, "account or ext_msg_hash should be specified"},
		"/actions?action_type=a-b":                                       {422, "action_type contains invalid characters"},
		"/actions?exclude_action_type=a%20b":                             {422, "exclude_action_type contains invalid characters"},
		"/jetton/wallets?jetton_address=ADDRESS&jetton_address=OTHER":    {422, "exact one owner_address required for multiple jetton_address"},
		"/nft/items?collection_address=ADDRESS&collection_address=OTHER": {422, "exact one owner_address required for multiple collection_address"},
		"/nft/items?index=1":                                             {422, "index parameter is not allowed without the collection_address"},
		"/nft/items?collection_address=ADDRESS&index=-1":                 {422, "index should contain digits only"},
		"/nft/sales":                                                     {422, "at least 1 address required"},
		"/nft/sales?" + many[1:]:                                         {422, "maximum 1000 addresses allowed"},
		"/dns/records":                                                   {422, "either wallet address or domain is required"},
		"/dns/activeAuctions":                                            {422, "bidder address is required"},
		"/dns/activeAuctions?bidder=ADDRESS&state=lost":                  {422, "state must be one of: all, won, bidding"},
		"/dns/activeAuctions?bidder=ADDRESS&after=x":                     {422, "invalid after cursor"},
		"/dns/activeAuctions?bidder=ADDRESS&after=x&offset=1":            {422, "use either after or offset, not both"},
		"/dns/records?wallet=ADDRESS&domain=a.ton":                       {422, "provide either wallet address or domain, not both"},
		"/multisig/wallets":                                              {422, "At least one of address or wallet_address should be specified"},
		"/multisig/orders":                                               {422, "At least one of address or multisig_address should be specified"},
		"/vesting":                                                       {422, "at least one of contract_address or wallet_address is required"},
		"/vesting?contract_address=ADDRESS&wallet_address=OTHER":         {422, "only one of contract_address or wallet_address should be specified"},
		"/decode?opcodes=xyz":                                            {422, "invalid opcode format at index 0: xyz"},
		"/decode?" + strings.Repeat("opcodes=1&", 1001):                  {422, "opcodes list exceeds maximum length of 1000"},
		"/decode?" + strings.Repeat("bodies=1&", 1001):                   {422, "bodies list exceeds maximum length of 1000"},
		"/addressInformation":                                            {401, "address of account is required"},
		"/account":                                                       {401, "address of account is required"},
		"/walletInformation":                                             {401, "address of account is required"},
		"/wallet":                                                        {401, "address of account is required"},
		"/addressInformation?address=":                                   {422, `failed to decode: schema: error converting value for "address"`},
		"/walletInformation?address=JETTON":                              {409, "not a wallet"},
		"/staking/nominatorPools/pool":                                   {422, "pool parameter is required"},
		"/staking/nominatorPools/nominator":                              {422, "nominator parameter is required"},
		"/staking/nominatorPools/nominatorEvents?nominator=ADDRESS":      {422, "pool parameter is required"},
		"/staking/nominatorPools/nominatorRewards?nominator=ADDRESS":     {422, "nominator and pool parameters are required"},
		"/staking/nominatorPools/nominatorRewards?pool=ADDRESS":          {422, "nominator and pool parameters are required"},
		"/staking/nominatorPools/validatorEvents":                        {422, "validator or pool parameter is required"},
		"/staking/nominatorPools/validatorRewards?pool=ADDRESS":          {422, "validator and pool parameters are required"},
		"/staking/nominatorPools/validatorRewards?validator=ADDRESS":     {422, "validator and pool parameters are required"},
		"/staking/nominatorPools/nominatorEvents?pool=ADDRESS&start_utime=2&end_utime=1": {422, "start_utime must be less than or equal to end_utime"},
		"/blocks?limit=1001":                          {422, "limit is not allowed: 1001 > 1000"},
		"/multisig/orders?address=ADDRESS&limit=1025": {422, "limit is not allowed: 1025 > 1024"},
		"/blocks?sort=up":                             {422, "wrong value for sort parameter"},
		"/blocks?seqno[=1":                            {422, "unmatched brackets"},
		"/blocks?seqno=1.5&shard=z":                   {422, `failed to decode: schema: error converting value for "shard" (and 1 other error)`},
		"/transactions?account=x&hash=y&lt=z":         {422, `failed to decode: schema: error converting value for index 0 of "account" (and 2 other errors)`},
		"/transactions?account=ADDRESS&account=x":     {422, `failed to decode: schema: error converting value for index 1 of "account"`},
	} {
		path := strings.NewReplacer("ADDRESS", escape(chaintest.Wallet), "OTHER", escape(chaintest.Ticker), "JETTON", escape(chaintest.JettonWallet),
			"HASH", strings.Repeat("e", 64)).Replace(query)
		text := d.refuse(path, want.status)
		require.Equal(t, want.text, text, query)
	}
	for query, want := range map[string]struct {
		body   string
		status int
		text   string
	}{
		"/message":            {`{}`, 401, "boc is required"},
		"/runGetMethod":       {`{"method":"seqno"}`, 401, "address is required"},
		"/runGetMethod?":      {`{"address":"ADDRESS"}`, 401, "method is required"},
		"/runGetMethod?stack": {`{"address":"ADDRESS","method":"seqno","stack":[{"type":"x"}]}`, 422, "unsupported stack parameter type: x"},
		"/runGetMethod?name":  {`{"address":"ADDRESS","method":5}`, 422, "method: expected a string, not a number"},
		"/decode":             {`{`, 422, "unexpected end of JSON input"},
		"/decode?opcodes":     {`{"opcodes":["xyz"]}`, 422, "invalid opcode format at index 0: xyz"},
	} {
		w := d.post(query, "application/json", strings.ReplaceAll(want.body, "ADDRESS", chaintest.Wallet.String()))
		var failure struct{ Error string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &failure))
		require.Equal(t, want.status, w.Code, "%s: %s", query, w.Body)
		require.Equal(t, want.text, failure.Error, query)
	}
	w := d.post("/decode", "text/plain", `{}`)
	require.Equal(t, http.StatusUnprocessableEntity, w.Code)
	require.Contains(t, w.Body.String(), "Unprocessable Entity")
}
