// Buyers pay by TON Connect, in a real browser, on a running devnet:
//   node tonconnect.mjs BASE ADMIN LINK BRIDGE_PORT HOSTILE_PORT JETTON_MASTER JETTON_INIT JETTON_MINT SCREENSHOT_FOLDER
// Prints one JSON object with what it saw.
import assert from 'node:assert/strict';
import jsQR from 'jsqr';
import { Address, Cell, SendMode, internal, loadStateInit } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { decodeTelegramUrlParameters } from '@tonconnect/sdk';
import { SessionCrypto, Base64, hexToByteArray } from '@tonconnect/protocol';
import { Bridge } from './bridge.mjs';
import { ConnectWallet, parseLink } from './connectwallet.mjs';
import { inspect, launch } from './browser.mjs';

const [base, admin, link, port, hostilePort, jetton, jettonInit, jettonMint, shots] = process.argv.slice(2);
const network = '-777';
const seen = { axe: [], outside: [], console: [], violations: [] };
const client = new TonClient({ endpoint: `${base}/api/v2/jsonRPC` });
const bridge = await new Bridge().start(Number(port));
const hostile = await new Bridge().start(Number(hostilePort));
const urls = { honest: `http://127.0.0.1:${port}/bridge`, hostile: `http://127.0.0.1:${hostilePort}/bridge` };

async function until(what, fn, seconds = 60) {
  let last;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((r) => setTimeout(r, 150))) {
    try { const found = await fn(); if (found) return found; } catch (e) { last = e; }
  }
  throw new Error(`${what}: not within ${seconds} s (${last})`);
}

function signer(n) {
  const keys = keyPairFromSeed(Buffer.alloc(32, n));
  const contract = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
  return { keys, contract, address: contract.address };
}

async function fund(address, nano) {
  const r = await fetch(`${admin}/faucet`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ to: address.toString(), amount: nano }) });
  assert.equal(r.status, 200, await r.text());
  await until('coins arrive', async () => (await client.getBalance(address)) > 0n);
}

const browser = await launch();
try {
  const home = new URL(base).host;
  // The policy of the page applies in these pages.
  async function person(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(90000);
    const page = await context.newPage();
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`)));
    page.foreign = [];
    page.on('request', (r) => {
      const u = new URL(r.url());
      if (!/^http/.test(u.protocol) || u.host === home) return;
      page.foreign.push(u.origin);
      if (!Object.values(urls).some((b) => u.href.startsWith(`${b}/`))) seen.outside.push(r.url());
    });
    page.on('console', (m) => { if (m.type() === 'error') seen.console.push(`${m.text()} ${m.location().url}`); });
    page.on('pageerror', (e) => seen.console.push(String(e)));
    return page;
  }
  const look = async (page, name) => seen.axe.push(...await inspect(page, name, shots));
  const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
  const status = (page, text) => page.locator('#connect [role=status]', { hasText: text }).waitFor();
  // start opens a new payment of a link.
  async function start(url, options) {
    const page = await person(options);
    await page.goto(url);
    await press(page, 'Pay');
    await page.getByText('Waiting for your payment').waitFor();
    await page.waitForLoadState(); // the text is shown before the rest of the page has arrived
    return page;
  }
  const linkOf = (page, name) => page.locator('#connect a', { hasText: name }).getAttribute('href');
  const connected = async (page, wallet, name) => {
    await wallet.open(await linkOf(page, name));
    await wallet.approve();
  };

  // A buyer with coins and a Jetton, and a shop with a link for each.
  const buyer = signer(21);
  await fund(buyer.address, '50000000000');
  await buyer.contract.sendTransfer({
    seqno: 0, secretKey: buyer.keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: Address.parse(jetton), value: 1000000000n, bounce: true, init: loadStateInit(Cell.fromBase64(jettonInit).beginParse()), body: Cell.fromBase64(jettonMint) })],
  });
  const jettons = async (owner) => {
    const r = await (await fetch(`${base}/api/v3/jetton/wallets?owner_address=${owner}&jetton_address=${jetton}`)).json();
    return BigInt(r.jetton_wallets[0]?.balance ?? 0);
  };
  await until('the Jetton is indexed', async () => (await jettons(buyer.address.toRawString())) > 0n);
  const owner = await person();
  await owner.goto(link);
  await press(owner, 'Sign in');
  await owner.getByLabel(/New password/).fill('correct horse battery');
  await owner.locator('form[action$="password"] button').click();
  await owner.getByRole('heading', { name: 'Overview' }).waitFor();
  const shop = `0:${'ab'.repeat(32)}`;
  await owner.getByRole('link', { name: 'shop' }).click();
  await owner.getByLabel(/Default wallet/).fill(shop);
  await owner.locator('form[action$="receiving"] button').click();
  const created = async (title, amount, asset) => {
    await owner.goto(`${base}/dashboard/links`);
    await owner.getByLabel('What is paid for').fill(title);
    await owner.getByLabel('Amount').fill(amount);
    await owner.getByLabel(/^Asset/).fill(asset);
    await press(owner, 'Create');
    return owner.locator('tbody tr', { hasText: title }).locator('a').first().getAttribute('href');
  };
  const coffee = await created('A coffee', '1.5', 'TON');
  const tea = await created('Tea', '1.25', jetton);

  // Without JavaScript the page has no TON Connect, and the links as before.
  const plain = await start(coffee, { javaScriptEnabled: false });
  assert.equal(await plain.locator('#connect').isVisible(), false);
  assert.equal(await plain.locator('a[href^="ton://transfer/"]').count(), 1);
  await plain.context().close();

  // Coins, by the QR code.
  {
    const page = await start(coffee);
    assert.equal(bridge.opened.length + hostile.opened.length, 0);
    assert.deepEqual(page.foreign, [], 'no bridge is contacted before the button is pressed');
    await press(page, 'Connect a wallet');
    await until('the page listens', () => bridge.opened.length === 1 && hostile.opened.length === 1);
    await look(page, 'pay-connect');
    const shown = await page.locator('#connect svg.qr').evaluate(async (svg) => {
      const image = new Image();
      image.src = `data:image/svg+xml;utf8,${encodeURIComponent(svg.outerHTML.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"'))}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 900 });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 900, 900);
      return Array.from(context.getImageData(0, 0, 900, 900).data);
    });
    const code = jsQR(Uint8ClampedArray.from(shown), 900, 900)?.data;
    assert.ok(code?.startsWith('tc://?v=2&id='), code);
    assert.equal(code, await linkOf(page, 'Another wallet'));
    const { id, manifest } = parseLink(code);
    assert.equal(manifest, `${base}/tonconnect-manifest.json`);
    assert.deepEqual(parseLink(await linkOf(page, 'Honest')), { id, manifest });
    const telegram = new URL(await linkOf(page, 'Chat'));
    assert.equal(telegram.origin + telegram.pathname, 'https://t.me/chat/start');
    assert.deepEqual(parseLink(`?${decodeTelegramUrlParameters(telegram.searchParams.get('startapp').replace(/^tonconnect-/, ''))}`), { id, manifest });

    const wallet = new ConnectWallet(buyer, urls.honest, network);
    await wallet.open(code);
    await wallet.approve();
    await status(page, 'Confirm the payment in your wallet');
    await page.getByText(`Wallet ${buyer.address.toString({ bounceable: false, testOnly: true })}`).waitFor();
    await look(page, 'pay-confirm');
    const request = await wallet.request('sendTransaction');
    assert.equal(bridge.posted.at(-1).topic, 'sendTransaction');
    const order = wallet.check(request);
    assert.equal(order.messages[0].amount, '1500000000');
    assert.equal(Address.parse(order.messages[0].address).toRawString(), shop);
    await wallet.respond(request.id, await wallet.send(request));
    await status(page, 'Your wallet has sent the payment');
    await page.getByText('Paid. Thank you.').waitFor();
    await wallet.request('disconnect');
    seen.coins = await page.locator('main').innerText();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0, 'the key is removed');
    await until('the page stops listening', () => bridge.streams.size === 1); // the wallet's
    wallet.close();
    await page.context().close();
  }

  // A Jetton, by the link of a wallet; the browser loads the page again while the user is in the wallet.
  {
    const page = await start(tea);
    await press(page, 'Connect a wallet');
    await page.locator('#connect a', { hasText: 'Honest' }).evaluate((a) => { a.addEventListener('click', (e) => e.preventDefault()); a.click(); });
    const wallet = new ConnectWallet(buyer, urls.honest, network);
    await connected(page, wallet, 'Honest');
    const request = await wallet.request('sendTransaction');
    assert.equal(new URL(await linkOf(page, 'Open Honest')).searchParams.get('ret'), 'back');
    await page.reload();
    await status(page, 'Confirm the payment in your wallet');
    await wallet.respond(request.id, await wallet.send(request));
    await status(page, 'Your wallet has sent the payment');
    assert.equal(wallet.requests.filter((r) => r.method === 'sendTransaction').length, 1, 'a page that is loaded again requests nothing twice');
    await page.getByText('Paid. Thank you.').waitFor();
    seen.jettons = await page.locator('main').innerText();
    await until('the shop has the Jetton', async () => (await jettons(shop)) === 1250000n);
    wallet.close();
    await page.context().close();
  }

  // Wallets that decline, that are on another network, that cannot send.
  {
    const page = await start(coffee);
    await press(page, 'Connect a wallet');
    const first = new ConnectWallet(buyer, urls.honest, network);
    await first.open(await linkOf(page, 'Honest'));
    await first.refuse();
    await status(page, 'You declined the connection in the wallet.');
    await press(page, 'Connect again');
    const other = new ConnectWallet(buyer, urls.honest, '-239');
    await connected(page, other, 'Honest');
    await status(page, 'The wallet is on mainnet. Switch it to the local chain and connect again.');
    await other.request('disconnect');
    assert.equal(other.requests.length, 1, 'nothing else was requested');
    await press(page, 'Connect again');
    const wallet = new ConnectWallet(buyer, urls.honest, network);
    await connected(page, wallet, 'Honest');
    const declined = await wallet.request('sendTransaction');
    await wallet.respond(declined.id, { error: { code: 300, message: '<b>no</b>' } });
    await status(page, 'You declined the payment in the wallet.');
    await look(page, 'pay-declined');
    await press(page, 'Pay');
    const second = await wallet.request('sendTransaction', 2);
    assert.ok(BigInt(second.id) > BigInt(declined.id), 'ids of requests increase');
    await wallet.respond(second.id, { error: { code: 1, message: 'Bad request' } });
    await status(page, 'The wallet could not send the payment (code 1).');
    await page.locator('#connect a').first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('svg.qr').first().isVisible(), false);
    await press(page, 'Other ways to pay');
    assert.equal(await page.locator('svg.qr').first().isVisible(), true, 'the code of the transfer is shown again');
    await wallet.request('disconnect');
    for (const w of [first, other, wallet]) w.close();
    await page.context().close();
  }

  // A hostile bridge: what it makes up, repeats or sends too much is ignored; the wallet behind it pays all the same.
  {
    const page = await start(coffee);
    const attacker = new SessionCrypto();
    const forged = (to, message, key = attacker) => JSON.stringify({ from: key.sessionId, message: Base64.encode(key.encrypt(typeof message === 'string' ? message : JSON.stringify(message), hexToByteArray(to))) });
    const item = { name: 'ton_addr', address: `0:${'66'.repeat(32)}`, network };
    hostile.onConnect = (id) => {
      if (hostile.opened.at(-1).client_id !== id || id === wallet.session.sessionId) return;
      for (const data of [
        'garbage', '{', '[]', 'null', '7', '{"from":1,"message":2}', `{"from":"${'0'.repeat(64)}","message":"!"}`, `{"from":"x","message":"AAAA"}`,
        JSON.stringify({ from: attacker.sessionId, message: Base64.encode(new Uint8Array(200)) }),
        forged(id, 'no JSON'), forged(id, 'null'), forged(id, '[]'), forged(id, { event: 'connect' }), forged(id, { event: 'connect', id: '1', payload: {} }),
        forged(id, { event: 'connect', id: 1, payload: { items: 7 } }), forged(id, { event: 'connect', id: 1, payload: { items: [{ ...item, address: 'UQ' }] } }),
        forged(id, { event: 'connect', id: 1, payload: { items: [{ ...item, network: {} }] } }), forged(id, { event: 'connect', id: -1, payload: { items: [item] } }),
        forged(id, { event: '__proto__', id: 1 }), forged(id, { id: '1', result: 'te6' }), forged(id, { id: '0', result: 'te6' }),
        forged(id, { event: 'connect', id: 9, payload: { items: [item], padding: 'x'.repeat(100000) } }), // larger than an event may be
      ]) hostile.send(id, data);
    };
    const wallet = new ConnectWallet(buyer, urls.hostile, network);
    await press(page, 'Connect a wallet');
    await until('the hostile bridge has sent its events', () => hostile.next > 22);
    await page.waitForTimeout(500);
    await status(page, 'Scan the code with your wallet');
    await connected(page, wallet, 'Crooked');
    const connect = hostile.queues.get(wallet.app).at(-1).data;
    const request = await wallet.request('sendTransaction');
    // Repeated and forged events do not change the session.
    for (const data of [connect, connect, forged(wallet.app, { event: 'disconnect', id: 99, payload: {} }), forged(wallet.app, { id: request.id, result: 'te6' }), forged(wallet.app, { event: 'connect', id: 99, payload: { items: [item] } })]) hostile.send(wallet.app, data);
    await wallet.respond(String(Number(request.id) + 1), { result: 'te6' }); // of no request
    await page.waitForTimeout(500);
    await status(page, 'Confirm the payment in your wallet');
    const sealed = await wallet.respond(request.id, { error: { code: 300, message: 'no' } });
    await status(page, 'You declined the payment in the wallet.');
    await press(page, 'Pay');
    const second = await wallet.request('sendTransaction', 2);
    hostile.send(wallet.app, JSON.stringify({ from: wallet.session.sessionId, message: sealed })); // the response to the first request, again
    await page.waitForTimeout(500);
    await status(page, 'Confirm the payment in your wallet');
    // The connection is lost: the page continues after the newest event.
    for (const s of [...hostile.streams]) if (s.ids.includes(wallet.app)) s.response.destroy();
    const before = hostile.opened.filter((q) => q.client_id === wallet.app).length;
    const again = await until('the page connects again', () => hostile.opened.filter((q) => q.client_id === wallet.app)[before]);
    assert.ok(Number(again.last_event_id) > 22, `last_event_id ${again.last_event_id}`);
    await wallet.respond(second.id, await wallet.send(second));
    await page.getByText('Paid. Thank you.').waitFor();
    assert.equal(wallet.requests.filter((r) => r.method === 'sendTransaction').length, 2);
    wallet.close();
    await page.context().close();
  }

  // A bridge that sends without end is disconnected; the other one still connects a wallet.
  {
    const page = await start(coffee);
    let flooded;
    hostile.onConnect = (id) => {
      flooded ??= id;
      for (let i = 0; i < 1000; i++) hostile.send(id, 'x');
    };
    await press(page, 'Connect a wallet');
    await until('the page leaves the hostile bridge', () => flooded && ![...hostile.streams].some((s) => s.ids.includes(flooded)));
    await page.waitForTimeout(2500); // longer than the pause before a connection is opened again
    assert.equal(hostile.opened.filter((q) => q.client_id === flooded).length, 1, 'for good');
    hostile.onConnect = () => {};
    await status(page, 'Scan the code with your wallet');
    const wallet = new ConnectWallet(buyer, urls.honest, network);
    await connected(page, wallet, 'Honest');
    await wallet.request('sendTransaction');
    // The buyer leaves: the wallet is disconnected, and what it sends afterwards is ignored.
    await press(page, 'Other ways to pay');
    await wallet.request('disconnect');
    wallet.close();
    // No bridge is there.
    bridge.stop();
    hostile.stop();
    await press(page, 'Connect a wallet');
    await status(page, 'The wallets cannot be reached at this moment.');
    await look(page, 'pay-unreachable');
    await page.context().close();
  }
  // The closed connections are the only errors the console may have.
  seen.console = seen.console.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(text));
} finally {
  await browser.close();
  bridge.stop();
  hostile.stop();
}
console.log(JSON.stringify(seen));
process.exit(0);
