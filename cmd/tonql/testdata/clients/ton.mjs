// Calls every method that TonClient of @ton/ton has, and lets wallets v4 and v5 pay:
//   node ton.mjs BASE_URL ADMIN_URL
// Prints one JSON object with where the transfers went.
import assert from 'node:assert/strict';
import { Address, Cell, beginCell, external, internal, storeMessage, toNano, SendMode } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { done, endpoint, eventually, fund, index } from './devnet.mjs';

const client = new TonClient({ endpoint });
const keys = keyPairFromSeed(Buffer.alloc(32, 0x42));
const workchain = 0;
const v4 = client.open(WalletContractV4.create({ workchain, publicKey: keys.publicKey }));
const v5 = client.open(WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -777 } }));
const facts = { transfers: [] };

// Wallets are deployed by their first transfer.
for (const [name, wallet, byte] of [['v4', v4, 1], ['v5', v5, 2]]) {
  assert.equal(await client.isContractDeployed(wallet.address), false);
  assert.equal((await client.getContractState(wallet.address)).state, 'uninitialized');
  await fund(wallet.address.toString(), toNano(5).toString());
  await eventually(`${name} has coins`, async () => (await wallet.getBalance()) > 0n);
  for (const [i, amount] of ['0.5', '0.25'].entries()) {
    const to = new Address(0, Buffer.alloc(32, byte));
    assert.equal(await wallet.getSeqno(), i);
    await wallet.sendTransfer({
      seqno: i, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to, value: amount, bounce: false, body: `${name} ${i}` })],
    });
    await eventually(`${name} paid`, async () => (await wallet.getSeqno()) === i + 1);
    await eventually(`${name} transfer arrives`, async () =>
      (await client.getTransactions(to, { limit: 5 })).some((t) => t.inMessage?.info.value?.coins === toNano(amount)));
    facts.transfers.push({ by: name, from: wallet.address.toRawString(), to: to.toRawString(), nano: toNano(amount).toString() });
  }
  assert.equal(await client.isContractDeployed(wallet.address), true);
}

// State and balance.
const state = await client.getContractState(v4.address);
assert.equal(state.state, 'active');
assert.equal(state.balance, await client.getBalance(v4.address));
assert.ok(Cell.fromBoc(state.code)[0].equals(v4.init.code));
assert.ok(state.timestampt > 1_600_000_000);
assert.ok(state.blockId.seqno > 0);

// Transactions: parsed, paged, found again one by one and by their messages.
const all = await client.getTransactions(v4.address, { limit: 100, archival: true });
assert.equal(all.length, 3);
assert.equal(all[0].hash().toString('base64'), state.lastTransaction.hash);
let page = await client.getTransactions(v4.address, { limit: 1 });
const paged = [...page];
while (page.length > 0) {
  const last = page[page.length - 1];
  page = await client.getTransactions(v4.address, { limit: 1, lt: last.lt.toString(), hash: last.hash().toString('base64') });
  paged.push(...page);
}
assert.deepEqual(paged.map((t) => t.lt), all.map((t) => t.lt));
assert.equal((await client.getTransactions(v4.address, { limit: 10, to_lt: all[1].lt.toString() })).length, 1);
assert.equal((await client.getTransactions(v4.address, { limit: 2, lt: all[0].lt.toString(), hash: all[0].hash().toString('base64'), inclusive: true })).length, 2);
const one = await client.getTransaction(v4.address, all[1].lt.toString(), all[1].hash().toString('base64'));
assert.equal(one.lt, all[1].lt);
const sent = all[0].outMessages.get(0).info;
const result = await client.tryLocateResultTx(sent.src, sent.dest, sent.createdLt.toString());
assert.equal(result.inMessage.info.createdLt, sent.createdLt);
const source = await client.tryLocateSourceTx(sent.src, sent.dest, sent.createdLt.toString());
assert.equal(source.lt, all[0].lt);

// Get-methods in all four spellings.
assert.equal((await client.runMethod(v4.address, 'seqno')).stack.readNumber(), 2);
assert.ok((await client.callGetMethod(v4.address, 'get_public_key')).gas_used > 0);
assert.equal((await client.runMethodWithError(v4.address, 'no_such_method')).exit_code, 11);
assert.equal((await client.callGetMethodWithError(v4.address, 'seqno')).exit_code, 0);
await assert.rejects(client.runMethod(v4.address, 'no_such_method'));

// Jettons and NFTs by the client's own contracts.
const jettons = await eventually('a Jetton wallet', async () => {
  const w = (await index('jetton/wallets?limit=50&exclude_zero_balance=true')).jetton_wallets;
  return w.length > 0 && w;
});
for (const row of jettons.slice(0, 5)) {
  const master = client.open(JettonMaster.create(Address.parse(row.jetton)));
  const data = await master.getJettonData();
  assert.equal(typeof data.totalSupply, 'bigint');
  const address = await master.getWalletAddress(Address.parse(row.owner));
  assert.equal(address.toRawString().toUpperCase(), row.address);
  assert.ok((await client.open(JettonWallet.create(address)).getBalance()) >= 0n);
}
const items = await eventually('an NFT', async () => {
  const list = (await index('nft/items?limit=50')).nft_items.filter((i) => i.collection_address && i.init);
  return list.length > 0 && list;
});
for (const row of items.slice(0, 5)) {
  const { stack } = await client.runMethod(Address.parse(row.address), 'get_nft_data');
  assert.equal(stack.readNumber(), -1);
  const number = stack.readBigNumber();
  assert.equal(number.toString(), row.index);
  const collection = stack.readAddress();
  const by = await client.runMethod(collection, 'get_nft_address_by_index', [{ type: 'int', value: number }]);
  assert.equal(by.stack.readAddress().toRawString().toUpperCase(), row.address);
  await client.runMethod(collection, 'get_collection_data');
}

// The chain.
const info = await client.getMasterchainInfo();
assert.equal(info.workchain, -1);
const shards = await client.getWorkchainShards(info.latestSeqno);
assert.ok(shards.length > 0);
for (const s of shards) {
  for (const t of await client.getShardTransactions(s.workchain, s.seqno, s.shard)) {
    const found = await client.getTransaction(t.account, t.lt, Buffer.from(t.hash, 'base64').toString('base64'));
    assert.equal(found.hash().toString('base64'), t.hash);
  }
}

// Fees of a wallet that is neither deployed nor funded: as if it were funded.
const later = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId: 77 }));
const deployment = await client.estimateExternalMessageFee(later.address, {
  body: later.createTransfer({
    seqno: 0, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: new Address(0, Buffer.alloc(32, 3)), value: '0.1', bounce: false })],
  }),
  initCode: later.init.code, initData: later.init.data, ignoreSignature: true,
});
assert.ok(deployment.source_fees.gas_fee > 0 && deployment.source_fees.in_fwd_fee > 0 && deployment.source_fees.fwd_fee > 0);

// Fees: what was asked before is what is taken afterwards, but for the rent.
const seqno = await v4.getSeqno();
const to = new Address(0, Buffer.alloc(32, 3));
const body = v4.createTransfer({
  seqno, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages: [internal({ to, value: '0.1', bounce: false })],
});
const fees = await client.estimateExternalMessageFee(v4.address, { body, initCode: null, initData: null, ignoreSignature: true });
assert.equal(fees['@type'], 'query.fees');
await client.sendExternalMessage(v4, body);
await eventually('the estimated transfer', async () => (await v4.getSeqno()) === seqno + 1);
const [paid] = await client.getTransactions(v4.address, { limit: 1 });
const out = paid.outMessages.get(0).info.forwardFee;
assert.equal(BigInt(fees.source_fees.in_fwd_fee + fees.source_fees.gas_fee),
  paid.totalFees.coins - paid.description.storagePhase.storageFeesCollected - (BigInt(fees.source_fees.fwd_fee) - out));
facts.transfers.push({ by: 'sendExternalMessage', from: v4.address.toRawString(), to: to.toRawString(), nano: toNano('0.1').toString() });

// Messages as they are, by the other two ways to send.
for (const [i, send] of [
  (m) => client.sendMessage(m),
  (m) => client.sendFile(beginCell().store(storeMessage(m)).endCell().toBoc()),
].entries()) {
  const next = await v5.getSeqno();
  const where = new Address(0, Buffer.alloc(32, 4 + i));
  const message = external({
    to: v5.address,
    body: v5.createTransfer({
      seqno: next, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages: [internal({ to: where, value: '0.1', bounce: false })],
    }),
  });
  await send(message);
  await eventually('a raw message', async () => (await v5.getSeqno()) === next + 1);
  facts.transfers.push({ by: `raw ${i}`, from: v5.address.toRawString(), to: where.toRawString(), nano: toNano('0.1').toString() });
}
// A message that was executed already is refused with a sentence.
await assert.rejects(v4.sendTransfer({ seqno: 0, secretKey: keys.secretKey, sendMode: 1, messages: [] }), (e) => {
  assert.equal(e.response.status, 500);
  assert.match(e.response.data.error, /LITE_SERVER_UNKNOWN: cannot apply external message to current state/);
  return true;
});

// Everything the class has was called above.
facts.methods = Object.getOwnPropertyNames(TonClient.prototype).filter((n) => n !== 'constructor').sort();
done(facts);
