// The steps of a payment by TON Connect: connect, request, sent. The page's own update shows when the payment has arrived.
import { Bridge, post } from './bridge';
import { connectLink, openLink, unified } from './links';
import { forget, fresh, load, save, type Memory } from './memory';
import { declined, read, type WalletMessage } from './protocol';
import { Session } from './session';
import { texts } from './texts';
import { View, type Button, type Link } from './view';

export interface Wallet { name: string; url: string; bridge: string }

export interface Settings {
  network: string; // global id
  manifest: string; // URL
  message: string; // path of the message to send
  wallets: Wallet[];
}

const timeout = 15_000; // milliseconds of a request

interface Prepared { payer: string; request: { valid_until: number; network: string } }

export class Flow {
  private session?: Session;
  private memory: Memory = fresh('');
  private bridges: Bridge[] = [];
  private payer = ''; // address in the form of users
  private timer?: number;
  private unreachable = false; // as shown

  constructor(private readonly view: View, private readonly settings: Settings) {
    const memory = load();
    this.session = memory && Session.restore(memory.secret);
    if (memory && this.session) {
      this.memory = memory;
      this.resume();
    } else {
      this.idle();
    }
  }

  // resume continues the session of a page that was loaded again.
  private resume(): void {
    const { bridge, sent, until } = this.memory;
    if (!bridge) {
      this.listen(this.settings.wallets.map((w) => w.bridge));
      this.choose();
      return;
    }
    this.listen([bridge]);
    if (sent) this.sent();
    else if (until > 0) this.wait();
    else this.ready(texts.ready);
  }

  // idle shows the button that begins a session. Before it is pressed, no bridge is contacted.
  private idle(text?: string): void {
    this.close();
    forget();
    const name = text ? texts.again : texts.connect;
    this.view.draw({ text, bad: Boolean(text), buttons: [{ name, quiet: true, press: () => this.begin() }], active: false });
  }

  private begin(): void {
    this.session = Session.create();
    this.memory = fresh(this.session.secret);
    save(this.memory);
    this.listen(this.settings.wallets.map((w) => w.bridge));
    this.choose();
  }

  private listen(urls: string[]): void {
    const events = {
      message: (from: string, sealed: string, bridge: Bridge) => this.receive(from, sealed, bridge),
      changed: () => { if (!this.memory.bridge && this.unreachable !== this.lost()) this.choose(); },
    };
    this.bridges = [...new Set(urls)].map((url) => new Bridge(url, this.session!.id, this.memory.last[url] ?? '', events));
  }

  // choose shows the QR code and the wallets.
  private choose(): void {
    const { wallets, manifest } = this.settings;
    const { id } = this.session!;
    const links: Link[] = wallets.map((w, i) => ({
      name: w.name, url: connectLink(w.url, id, manifest), press: () => { this.memory.chosen = i; save(this.memory); },
    }));
    const code = connectLink(unified, id, manifest);
    links.push({ name: texts.other, url: code });
    const bad = this.unreachable = this.lost();
    this.view.draw({ text: bad ? texts.unreachable : texts.scan, bad, code, links, buttons: [this.leave(texts.back)], active: true });
  }

  private lost(): boolean {
    return this.bridges.length > 0 && this.bridges.every((b) => b.failed);
  }

  private leave(name: string): Button {
    return { name, quiet: true, press: () => { this.disconnect(); this.idle(); } };
  }

  // receive takes a message of a bridge. Messages of others than the connected wallet, repeated events and responses to no request
  // are ignored.
  private receive(from: string, sealed: string, bridge: Bridge): void {
    const { memory, session } = this;
    if (!session || memory.bridge && (bridge.url !== memory.bridge || from !== memory.wallet)) return;
    const text = session.open(sealed, from);
    const message = text === undefined ? undefined : read(text);
    if (!message) return;
    memory.last[bridge.url] = bridge.last;
    if ('event' in message) {
      if (message.event <= memory.event) return;
      this.event(message, from, bridge);
    } else if (memory.until > 0 && message.request === String(memory.request)) {
      this.respond(message);
    }
  }

  private event(message: Extract<WalletMessage, { event: number }>, from: string, bridge: Bridge): void {
    if (this.memory.bridge) {
      this.memory.event = message.event;
      save(this.memory);
      if (message.kind === 'disconnected') this.idle(texts.disconnected);
      return;
    }
    switch (message.kind) {
      case 'refused':
        this.idle(message.code === declined ? texts.declinedConnection : texts.refused(message.code));
        return;
      case 'connected':
        Object.assign(this.memory, { bridge: bridge.url, wallet: from, address: message.address, event: message.event });
        for (const other of this.bridges) if (other !== bridge) other.close();
        this.bridges = [bridge];
        if (!message.sends || message.network !== this.settings.network) {
          this.disconnect();
          this.idle(message.sends ? texts.network(message.network, this.settings.network) : texts.unable);
          return;
        }
        save(this.memory);
        void this.pay();
    }
  }

  private respond(message: Extract<WalletMessage, { request: string }>): void {
    this.memory.until = 0;
    this.memory.sent = message.kind === 'sent';
    save(this.memory);
    if (message.kind === 'sent') this.sent();
    else this.ready(message.code === declined ? texts.declinedPayment : texts.failed(message.code), true);
  }

  // pay requests the payment from the connected wallet.
  private async pay(): Promise<void> {
    const { memory, session } = this;
    this.show(texts.preparing, false, []);
    let prepared: Prepared;
    try {
      prepared = await this.prepare();
    } catch (e) {
      if (session === this.session) this.ready(e instanceof Refusal ? e.message : texts.noMessage, true);
      return;
    }
    if (session !== this.session || !session) return; // the user left
    this.payer = prepared.payer;
    memory.request++;
    memory.until = prepared.request.valid_until;
    save(memory);
    const request = { method: 'sendTransaction', params: [JSON.stringify(prepared.request)], id: String(memory.request) };
    this.wait();
    try {
      await post(memory.bridge, session.id, memory.wallet, request.method, session.seal(JSON.stringify(request), memory.wallet));
    } catch {
      if (session !== this.session || memory.until === 0) return;
      memory.until = 0;
      save(memory);
      this.ready(texts.noBridge, true);
    }
  }

  // prepare returns the request for the address of the wallet.
  private async prepare(): Promise<Prepared> {
    const query = new URLSearchParams({ address: this.memory.address });
    const response = await fetch(`${this.settings.message}?${query}`, { headers: { Accept: 'application/json' }, redirect: 'error', signal: AbortSignal.timeout(timeout) });
    const body = (await response.json()) as Partial<Prepared> & { error?: string };
    if (!response.ok) throw new Refusal(body.error || texts.noMessage);
    const { payer, request } = body;
    if (!payer || !request || request.network !== this.settings.network || !Number.isSafeInteger(request.valid_until)) throw new Refusal(texts.noMessage);
    return { payer, request };
  }

  private wait(): void {
    this.show(texts.confirm, false, [this.leave(texts.back)]);
    const left = Math.max(0, 1000 * this.memory.until - Date.now());
    this.timer = window.setTimeout(() => this.ready(texts.late, true), left);
  }

  private ready(text: string, bad = false): void {
    this.show(text, bad, [{ name: texts.pay, press: () => void this.pay() }, this.leave(texts.back)]);
  }

  private sent(): void {
    this.show(texts.sent, false, [this.leave(texts.restart)]);
  }

  // show draws a step of a connected wallet.
  private show(text: string, bad: boolean, buttons: Button[]): void {
    window.clearTimeout(this.timer);
    const wallet = this.settings.wallets[this.memory.chosen];
    const links = wallet && this.memory.until > 0 ? [{ name: texts.open(wallet.name), url: openLink(wallet.url, this.session!.id) }] : [];
    this.view.draw({ text, bad, links, detail: this.payer && texts.wallet(this.payer), buttons, active: true });
  }

  // disconnect reports the end of the session to the wallet. Nobody waits for it.
  private disconnect(): void {
    const { memory, session } = this;
    if (!session || !memory.bridge) return;
    const request = { method: 'disconnect', params: [], id: String(memory.request + 1) };
    post(memory.bridge, session.id, memory.wallet, request.method, session.seal(JSON.stringify(request), memory.wallet)).catch(() => undefined);
  }

  private close(): void {
    window.clearTimeout(this.timer);
    for (const b of this.bridges) b.close();
    this.bridges = [];
    this.session = undefined;
    this.payer = '';
    this.memory = fresh('');
  }

  // end closes the session of a payment that takes no message any more.
  end(): void {
    this.disconnect();
    this.close();
    forget();
  }
}

// Refusal is a reason that the server gave.
class Refusal extends Error {}
