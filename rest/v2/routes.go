package v2

import "strings"

// Route is a method of the API. Its name is the path below [Prefix] and the method in JSON-RPC.
type Route struct {
	Name string
	Get  bool // whether GET is allowed besides POST

	// serve reads the parameters and appends the result to call.b.
	serve func(*call) error
}

// sends reports whether the method sends a message, which must not be repeated.
func (r Route) sends() bool { return strings.HasPrefix(r.Name, "send") }

// Routes returns all methods except jsonRPC, in the order of the published OpenAPI document, followed by methods that
// clients use although the document lacks them.
func Routes() []Route {
	return []Route{
		{"getAddressInformation", true, addressInformation},
		{"getExtendedAddressInformation", true, extendedInformation},
		{"getWalletInformation", true, walletInformation},
		{"getAddressBalance", true, addressBalance},
		{"getAddressState", true, addressState},
		{"getTokenData", true, tokenData},
		{"getBlockTransactions", true, blockTransactions},
		{"getBlockTransactionsExt", true, blockTransactionsExt},
		{"getTransactions", true, transactions},
		{"getTransactionsStd", true, transactionsStd},
		{"tryLocateTx", true, locateReceiver},
		{"tryLocateResultTx", true, locateReceiver},
		{"tryLocateSourceTx", true, locateSender},
		{"getMasterchainInfo", true, masterchainInfo},
		{"getMasterchainBlockSignatures", true, blockSignatures},
		{"getShardBlockProof", true, shardBlockProof},
		{"getConsensusBlock", true, consensusBlock},
		{"lookupBlock", true, lookupBlock},
		{"getShards", true, shards},
		{"getBlockHeader", true, blockHeader},
		{"getOutMsgQueueSize", true, queueSizes},
		{"runGetMethod", false, runGetMethod},
		{"runGetMethodStd", false, runGetMethodStd},
		{"sendBoc", false, sendBOC},
		{"sendBocReturnHash", false, sendBOCReturnHash},
		{"estimateFee", false, estimateFee},
		{"detectAddress", true, detectAddress},
		{"detectHash", true, detectHash},
		{"packAddress", true, packAddress},
		{"unpackAddress", true, unpackAddress},
		{"getConfigParam", true, configParam},
		{"getConfigAll", true, configAll},
		{"getLibraries", true, libraries},

		{"shards", true, shards},
		{"getOutMsgQueueSizes", true, queueSizes},
		{"sendBocReturnHashNoError", false, sendBOCNoError},
		{"getBlock", true, blockData},
		{"getShardAccountCell", true, shardAccountCell},
		{"dnsResolve", true, resolveName},
	}
}
