// Sets the collection's variables from the objects that the query found. Values without an object stay as they are.
const index = pm.response.json().data;
const first = (list, accept = () => true) => list?.nodes.find(accept);
// Base64 as it may stand in a query, where + means a space.
const hash = (text) => text?.replaceAll('+', '-').replaceAll('/', '_');

const message = first(index.messages, (m) => m.sourceTransaction && m.destinationTransaction);
const external = first(index.externals, (m) => m.destination.wallet?.seqno);
const transfer = first(index.jettonTransfers);
const item = first(index.nftItems, (i) => i.collection);
const found = {
  mcSeqno: index.masterchain?.last.seqno,
  account: message?.destination.address,
  transactionHash: hash(message?.destinationTransaction.hash),
  transactionLt: message?.destinationTransaction.lt,
  messageHash: hash(message?.hash),
  messageLt: message?.createdLt,
  externalHash: hash(external?.hash),
  wallet: external?.destination.address,
  messageSource: message?.source.address,
  traceId: hash(first(index.traces)?.hash),
  jettonMaster: transfer?.jettonAccount.address,
  jettonWallet: transfer?.sourceWallet.address,
  jettonOwner: transfer?.source.address,
  nftItem: item?.account.address,
  nftCollection: item?.collection.account.address,
  nftSale: first(index.nftItems, (i) => i.sale)?.sale.account.address ?? item?.account.address, // without a sale an empty list
  domain: first(index.nftItems, (i) => i.domain)?.domain,
  multisig: first(index.orders)?.accounts.find((a) => a.multisig)?.address,
  pool: index.stakes?.nodes.flatMap((n) => n.accounts).find((a) => a.nominatorPool)?.address,
  vesting: first(index.vestings)?.accounts.find((a) => a.vesting)?.address,
};
for (const [name, value] of Object.entries(found)) {
  if (value !== undefined) pm.collectionVariables.set(name, String(value));
}
pm.test('the index has blocks and transactions', () => {
  pm.expect(found.mcSeqno).to.be.a('number');
  pm.expect(message).to.be.an('object');
});
