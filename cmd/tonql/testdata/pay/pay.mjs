// Pays through the official SDK on a devnet and verifies what arrives with libraries of others:
//   TONPAY_BASE_URL=BASE node pay.mjs BASE ADMIN KEY SECRET LISTEN_PORT JETTON_MASTER JETTON_INIT JETTON_MINT
// Prints one JSON object with what happened to each payment.
import assert from 'node:assert/strict';
import http from 'node:http';
import { createTonPayTransfer, getTonPayTransferByBodyHash, getTonPayTransferByReference, verifySignature } from '@ton-pay/api';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { Address, Cell, SendMode, internal, loadStateInit } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';

const [base, admin, key, secret, port, jetton, jettonInit, jettonMint] = process.argv.slice(2);
const options = { chain: 'testnet', apiKey: key };
const client = new TonClient({ endpoint: `${base}/api/v2/jsonRPC` });

async function eventually(what, ask, seconds = 60) {
  let last;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((r) => setTimeout(r, 200))) {
    try { const answer = await ask(); if (answer) return answer; } catch (e) { last = e; }
  }
  throw new Error(`${what}: not within ${seconds} s (${last})`);
}

// The receiver keeps what arrives, by reference.
const arrived = new Map();
const receiver = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (d) => parts.push(d));
  request.on('end', () => {
    const raw = Buffer.concat(parts).toString('utf8');
    const { data } = JSON.parse(raw);
    arrived.set(data.reference, [...(arrived.get(data.reference) ?? []), { raw, headers: request.headers, at: Date.now() }]);
    response.end('thanks');
  });
});
await new Promise((r) => receiver.listen(Number(port), '127.0.0.1', r));

async function check({ raw, headers }) {
  const signature = headers['x-tonpay-signature'];
  assert.equal(headers['x-pay-signature'], signature);
  assert.equal(verifySignature(raw, signature, secret), true, 'the SDK, raw');
  assert.equal(verifySignature(JSON.parse(raw), signature, secret), true, 'the SDK, parsed');
  assert.equal(verifySignature(raw + ' ', signature, secret), false);
  assert.equal(await verifyGithub(secret, raw, signature), true, '@octokit/webhooks-methods');
  new Webhook(secret).verify(raw, headers);
  assert.equal(JSON.stringify(JSON.parse(raw)), raw);
}

async function wallet(seed) {
  const keys = keyPairFromSeed(seed);
  const contract = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
  return { keys, contract, address: contract.address };
}

async function send(from, message, value, bounce = false) {
  const seqno = await from.contract.getSeqno();
  await from.contract.sendTransfer({
    seqno, secretKey: from.keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: Address.parse(message.address), value, bounce, body: Cell.fromBase64(message.payload) })],
  });
  return eventually('the wallet sends', async () => (await from.contract.getSeqno()) > seqno);
}

async function fund(address, nano) {
  const r = await fetch(`${admin}/faucet`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ to: address.toString(), amount: nano }) });
  assert.equal(r.status, 200, await r.text());
  await eventually('coins arrive', async () => (await client.getBalance(address)) > 0n);
}

// pay registers a transfer, lets send do with the message what it likes, and waits for the webhook.
async function pay(params, how) {
  const t = await createTonPayTransfer(params, options);
  assert.match(t.reference, /^[A-Za-z0-9_-]+$/);
  assert.equal(Buffer.from(t.bodyBase64Hash, 'base64').equals(Cell.fromBase64(t.message.payload).hash()), true, 'body hash');
  assert.equal((await getTonPayTransferByReference(t.reference, options)).status, 'pending');
  await how(t.message);
  const [notice] = await eventually('the webhook', async () => arrived.get(t.reference));
  await check(notice);
  const { event, data } = JSON.parse(notice.raw);
  assert.equal(event, 'transfer.completed');
  const byReference = await getTonPayTransferByReference(t.reference, options);
  const byBody = await getTonPayTransferByBodyHash(t.bodyBase64Hash, { chain: 'testnet' });
  assert.deepEqual(byReference, data);
  assert.deepEqual(byBody, data);
  return data;
}

const result = {};
try {
  const payer = await wallet(Buffer.alloc(32, 7));
  const shop = (await wallet(Buffer.alloc(32, 8))).address;
  await fund(payer.address, '20000000000');
  const sender = payer.address.toString({ bounceable: false });
  const recipient = shop.toString({ bounceable: false });
  const ton = { amount: 0.5, asset: 'TON', recipientAddr: recipient, senderAddr: sender, commentToRecipient: 'Заказ <7> & ☕' };
  result.ton = await pay(ton, (m) => send(payer, m, BigInt(m.amount)));
  result.little = await pay(ton, (m) => send(payer, m, BigInt(m.amount) - 1n));
  const nobody = Address.parse(`0:${'ab'.repeat(32)}`).toString();
  result.bounced = await pay({ ...ton, recipientAddr: nobody }, (m) => send(payer, m, BigInt(m.amount), true));
  result.skipped = await pay({ ...ton, amount: 10000 }, (m) => send(payer, m, BigInt(m.amount)).catch(() => undefined));
  // A Jetton of the payer's own, of which he gets some.
  const deployed = await payer.contract.getSeqno();
  await payer.contract.sendTransfer({
    seqno: deployed, secretKey: payer.keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: Address.parse(jetton), value: 1000000000n, bounce: true, init: loadStateInit(Cell.fromBase64(jettonInit).beginParse()), body: Cell.fromBase64(jettonMint) })],
  });
  await eventually('the Jetton is indexed', async () => {
    const r = await (await fetch(`${base}/api/v3/jetton/wallets?owner_address=${sender}&jetton_address=${jetton}`)).json();
    return r.jetton_wallets.length === 1 && r.jetton_wallets[0].balance !== '0';
  });
  const tokens = { ...ton, amount: 1.25, asset: jetton, senderAddr: payer.address.toRawString(), commentToRecipient: 'tokens' };
  result.jetton = await pay(tokens, (m) => send(payer, m, BigInt(m.amount), true));
  result.jettonAborts = await pay({ ...tokens, amount: 1000000000 }, (m) => send(payer, m, BigInt(m.amount), true));
  result.jettonLess = await pay({ ...tokens, amount: 2 }, (m) => send(payer, { address: m.address, payload: m.payload }, 10000000n, true));
  await assert.rejects(createTonPayTransfer({ ...ton, asset: 'EUR' }, options), /Failed to create TON Pay transfer/);
  await assert.rejects(createTonPayTransfer({ ...ton, amount: 1e-10 }, options));
  await assert.rejects(createTonPayTransfer(ton, { ...options, apiKey: 'no key' }));
  const anonymous = await createTonPayTransfer({ ...ton, amount: 1e-9 }, { chain: 'testnet' });
  assert.equal(anonymous.message.amount, '1');
  result.repeats = [...arrived.values()].map((list) => list.length);
} finally {
  receiver.close();
  receiver.closeAllConnections();
}
console.log(JSON.stringify(result));
