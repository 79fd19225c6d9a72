// Lets tonweb pay, make a Jetton and an NFT, read them and resolve a domain:
//   node tonweb.mjs BASE_URL ADMIN_URL
// Prints one JSON object with where the transfers went.
import assert from 'node:assert/strict';
import TonWeb from 'tonweb';
import { done, endpoint, eventually, fund, index } from './devnet.mjs';

const { Address, utils, token, HttpProvider, dns } = TonWeb;
const provider = new HttpProvider(endpoint);
const tonweb = new TonWeb(provider);
const keys = utils.keyPairFromSeed(new Uint8Array(32).fill(0x25));
const wallet = new tonweb.wallet.all.v4R2(provider, { publicKey: keys.publicKey, wc: 0 });
const address = await wallet.getAddress();
const text = address.toString(true, true, false);
const facts = { transfers: [] };

const nano = (n) => utils.toNano(n);
const raw = (a) => new Address(a).toString(false);
const seqno = async () => (await wallet.methods.seqno().call()) ?? 0;

await fund(text, nano('20').toString());
await eventually('coins arrive', async () => BigInt(await provider.getBalance(text)) > 0n);

// pay sends one message and waits until the wallet has done so.
async function pay(toAddress, amount, payload, stateInit) {
  const at = await seqno();
  await wallet.methods.transfer({ secretKey: keys.secretKey, toAddress, amount: nano(amount), seqno: at, payload, stateInit, sendMode: 3 }).send();
  await eventually('the wallet pays', async () => (await seqno()) === at + 1);
}

const to = new Address(`0:${'7'.repeat(64)}`);
await pay(to.toString(true, true, false), '1', 'hello from tonweb');
await eventually('the transfer arrives', async () =>
  (await provider.getTransactions(to.toString(true, true, true), 5)).some((t) => t.in_msg.message === 'hello from tonweb'));
facts.transfers.push({ by: 'tonweb', from: raw(address), to: raw(to), nano: nano('1').toString() });

const info = await provider.getWalletInfo(text);
assert.equal(info.wallet, true);
assert.equal(info.wallet_type, 'wallet v4 r2');
assert.equal((await provider.getExtendedAddressInfo(text)).account_state['@type'], 'wallet.v4.accountState');
assert.equal((await provider.getAddressInfo(text)).state, 'active');
const [newest] = await provider.getTransactions(text, 1);
const older = await provider.getTransactions(text, 10, newest.transaction_id.lt, newest.transaction_id.hash);
assert.equal(older[0].transaction_id.hash, newest.transaction_id.hash);

// A Jetton.
const minter = new token.jetton.JettonMinter(provider, {
  adminAddress: address, jettonContentUri: 'https://example.org/jetton.json', jettonWalletCodeHex: token.jetton.JettonWallet.codeHex,
});
const minterAddress = await minter.getAddress();
const deploy = await minter.createStateInit();
await pay(minterAddress.toString(true, true, true), '0.5', undefined, deploy.stateInit);
const mint = await minter.createMintBody({ jettonAmount: nano('100'), destination: address, amount: nano('0.05'), queryId: 1 });
await pay(minterAddress.toString(true, true, true), '0.2', mint);
const data = await eventually('the Jetton is minted', async () => {
  const d = await minter.getJettonData();
  return d.totalSupply.gtn(0) && d;
});
assert.equal(data.jettonContentUri, 'https://example.org/jetton.json');
const own = await minter.getJettonWalletAddress(address);
const jettonWallet = new token.jetton.JettonWallet(provider, { address: own });
const held = await eventually('the Jettons arrive', async () => {
  const d = await jettonWallet.getData();
  return d.balance.gtn(0) && d;
});
assert.equal(held.balance.toString(), nano('100').toString());
const friend = new Address(`0:${'8'.repeat(64)}`);
const send = await jettonWallet.createTransferBody({
  jettonAmount: nano('30'), toAddress: friend, forwardAmount: nano('0.01'), forwardPayload: new Uint8Array(4), responseAddress: address,
});
await pay(own.toString(true, true, true), '0.3', send);
const theirs = new token.jetton.JettonWallet(provider, { address: await minter.getJettonWalletAddress(friend) });
await eventually('the Jettons are passed on', async () => (await theirs.getData()).balance.toString() === nano('30').toString());
const told = await provider.send('getTokenData', { address: own.toString(true, true, true) });
assert.equal(told.contract_type, 'jetton_wallet');
assert.equal(told.balance, nano('70').toString());

// An NFT.
const collection = new token.nft.NftCollection(provider, {
  ownerAddress: address, royalty: 0.05, royaltyAddress: address, collectionContentUri: 'https://example.org/c.json',
  nftItemContentBaseUri: 'https://example.org/items/', nftItemCodeHex: token.nft.NftItem.codeHex,
});
const collectionAddress = await collection.getAddress();
await pay(collectionAddress.toString(true, true, true), '0.5', undefined, (await collection.createStateInit()).stateInit);
const make = await collection.createMintBody({ amount: nano('0.05'), itemIndex: 0, itemOwnerAddress: address, itemContentUri: '0.json' });
await pay(collectionAddress.toString(true, true, true), '0.2', make);
await eventually('the NFT is made', async () => (await collection.getCollectionData()).nextItemIndex === 1);
const itemAddress = await collection.getNftItemAddressByIndex(0);
const item = new token.nft.NftItem(provider, { address: itemAddress });
await eventually('the NFT is there', async () => (await item.getData()).isInitialized);
const itemData = await collection.methods.getNftItemContent(item);
assert.equal(itemData.contentUri, 'https://example.org/items/0.json');
assert.equal((await provider.send('getTokenData', { address: itemAddress.toString(true, true, true) })).contract_type, 'nft_item');

// A domain. The head of v2 may be some milliseconds older than a row of v3.
const wallets = async (domain) => (await tonweb.dns.getWalletAddress(domain))?.toString(false).toUpperCase();
const named = await eventually('a domain that resolves to its wallet', async () => {
  for (const i of (await index('nft/items?limit=1000')).nft_items) {
    const domain = i.content?.domain;
    if (!domain) continue;
    const [record] = (await index(`dns/records?domain=${domain}`)).records;
    if (record?.dns_wallet && (await wallets(domain)) === record.dns_wallet) return record;
  }
});
const root = await tonweb.dns.getRootDnsAddress();
assert.equal(root.wc, -1);
const entries = (await provider.send('dnsResolve', { domain: named.domain })).entries;
assert.equal(raw(entries.find((e) => e.entry.smc_address).entry.smc_address.account_address).toUpperCase(), named.dns_wallet);
assert.ok(dns.DNS_CATEGORY_WALLET);

// The chain.
const master = await provider.getMasterchainInfo();
const { shards } = await provider.getBlockShards(master.last.seqno);
for (const s of shards) {
  const header = await provider.getBlockHeader(s.workchain, s.shard, s.seqno);
  assert.equal(header.id.root_hash, s.root_hash);
  await provider.getBlockTransactions(s.workchain, s.shard, s.seqno);
}
await provider.getMasterchainBlockHeader(master.last.seqno);
const fee = await wallet.methods.transfer({
  secretKey: keys.secretKey, toAddress: to.toString(true, true, false), amount: nano('0.1'), seqno: await seqno(), sendMode: 3,
}).estimateFee();
assert.ok(fee.source_fees.gas_fee > 0);
const unfunded = new tonweb.wallet.all.v3R2(provider, { publicKey: keys.publicKey, wc: 0, walletId: 77 });
const deployment = await unfunded.deploy(keys.secretKey).estimateFee();
assert.ok(deployment.source_fees.gas_fee > 0 && deployment.source_fees.in_fwd_fee > 0);
done(facts);
