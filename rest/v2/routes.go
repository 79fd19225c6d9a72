package v2

// Route is one method of the interface, by its name below [Prefix] and in JSON-RPC.
type Route struct {
	Name string
	Get  bool // may be asked with GET; POST always may

	// serve reads the parameters and prints the result at the end of call.b.
	serve func(*call) error
}

// Routes is the whole interface but JSON-RPC itself, in the order of the published description; then the names that
// clients use and the description lacks.
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
		{"getShardAccountCell", true, shardAccountCell},
		{"dnsResolve", true, resolveName},
	}
}
