// A wallet that connects by TON Connect, with the session of the official library, and a contract on a local chain.
import assert from 'node:assert/strict';
import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import { Address, Cell, SendMode, internal } from '@ton/core';

// parseLink returns the session and the request of a link that a wallet opens.
export function parseLink(link) {
  const query = new URLSearchParams(link.slice(link.indexOf('?') + 1));
  assert.equal(query.get('v'), '2');
  assert.match(query.get('id'), /^[0-9a-f]{64}$/);
  const request = JSON.parse(query.get('r'));
  assert.deepEqual(request.items, [{ name: 'ton_addr' }]);
  return { id: query.get('id'), manifest: request.manifestUrl };
}

export class ConnectWallet {
  session = new SessionCrypto();
  event = 0;
  requests = []; // decrypted
  abort = new AbortController();

  // signer is a wallet contract with its keys, bridge the URL of the wallet's bridge.
  constructor(signer, bridge, network) {
    Object.assign(this, { signer, bridge, network });
  }

  // open opens a link: it reads the manifest, as wallets do, and begins to listen.
  async open(link) {
    const { id, manifest } = parseLink(link);
    this.app = id;
    const response = await fetch(manifest);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    this.manifest = await response.json();
    for (const name of ['url', 'name', 'iconUrl']) assert.equal(typeof this.manifest[name], 'string', name);
    this.listening = this.listen().catch((e) => { if (!this.abort.signal.aborted) throw e; });
  }

  async post(message, topic = '') {
    const sealed = Base64.encode(this.session.encrypt(JSON.stringify(message), hexToByteArray(this.app)));
    const query = new URLSearchParams({ client_id: this.session.sessionId, to: this.app, ttl: '300', ...(topic && { topic }) });
    const response = await fetch(`${this.bridge}/message?${query}`, { method: 'POST', body: sealed });
    assert.equal(response.status, 200, await response.text());
    return sealed;
  }

  approve(changes = {}) {
    const item = { name: 'ton_addr', address: this.signer.address.toRawString(), network: this.network, publicKey: this.signer.keys.publicKey.toString('hex'), walletStateInit: '', ...changes };
    const device = { platform: 'linux', appName: 'Test', appVersion: '1', maxProtocolVersion: 2, features: ['SendTransaction', { name: 'SendTransaction', maxMessages: 4 }] };
    return this.post({ event: 'connect', id: ++this.event, payload: { items: [item], device } });
  }

  refuse(code = 300) {
    return this.post({ event: 'connect_error', id: ++this.event, payload: { code, message: 'User declined <b>the</b> connection' } });
  }

  respond(id, result) {
    return this.post({ id, ...result });
  }

  // listen receives the events of the bridge until the wallet closes.
  async listen() {
    const response = await fetch(`${this.bridge}/events?client_id=${this.session.sessionId}`, { signal: this.abort.signal, headers: { Accept: 'text/event-stream' } });
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
        const data = text.slice(0, end).split('\n').find((l) => l.startsWith('data: '))?.slice(6);
        if (data && data !== 'heartbeat') this.receive(JSON.parse(data));
      }
    }
  }

  receive({ from, message }) {
    assert.equal(from, this.app);
    this.requests.push(JSON.parse(this.session.decrypt(Base64.decode(message).toUint8Array(), hexToByteArray(from))));
  }

  // request waits for the n-th request of a method.
  async request(method, n = 1) {
    for (let i = 0; i < 600; i++) {
      const list = this.requests.filter((r) => r.method === method);
      if (list.length >= n) return list[n - 1];
      await new Promise((r) => setTimeout(r, 50));
    }
    throw new Error(`${method} ${n} was not requested: ${JSON.stringify(this.requests)}`);
  }

  // sign checks a request as wallets do and returns the order to sign.
  check(request) {
    assert.equal(typeof request.id, 'string');
    const order = JSON.parse(request.params[0]);
    assert.equal(order.network, this.network);
    assert.ok(Address.parse(order.from).equals(this.signer.address));
    assert.ok(order.valid_until > Date.now() / 1000 && order.valid_until <= Date.now() / 1000 + 301);
    assert.equal(order.messages.length, 1);
    assert.ok(Address.isFriendly(order.messages[0].address), 'raw addresses are refused');
    return order;
  }

  // send signs and sends what was requested, and returns the result for the page.
  async send(request) {
    const order = this.check(request);
    const { address, amount, payload } = order.messages[0];
    const to = Address.parseFriendly(address);
    const seqno = await this.signer.contract.getSeqno();
    await this.signer.contract.sendTransfer({
      seqno, secretKey: this.signer.keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: order.valid_until,
      messages: [internal({ to: to.address, value: BigInt(amount), bounce: to.isBounceable, body: Cell.fromBase64(payload) })],
    });
    return { result: 'te6cckEBAQEAAgAAAEysuc0=' };
  }

  close() {
    this.abort.abort();
  }
}
