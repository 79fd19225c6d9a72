// HTTP bridges of TON Connect. A bridge is untrusted: what it sends is bounded, and read only after it was decrypted.
const maxEvent = 64 * 1024; // characters of an event
const maxEvents = 200; // of one bridge while the page is open, besides heartbeats
const firstPause = 1000; // milliseconds until the connection is opened again, twice as long after each failure
const maxPause = 15_000;
const lives = 300; // seconds for which a bridge stores a message
const timeout = 15_000; // milliseconds of a request

export interface Events {
  // message receives a sealed message and who sent it, as the bridge says.
  message(from: string, sealed: string, bridge: Bridge): void;
  // changed is called when the connection is established or lost.
  changed(): void;
}

export class Bridge {
  up = false;
  failed = false; // the connection was lost, or ended because the bridge sent too much
  last: string; // id of the newest event, from which a bridge continues
  private source?: EventSource;
  private timer?: number;
  private pause = firstPause;
  private received = 0;

  constructor(readonly url: string, private readonly client: string, last: string, private readonly events: Events) {
    this.last = last;
    this.open();
  }

  private open(): void {
    const query = new URLSearchParams({ client_id: this.client });
    if (this.last) query.set('last_event_id', this.last);
    const source = new EventSource(`${this.url}/events?${query}`);
    this.source = source;
    source.onopen = () => {
      this.up = true;
      this.failed = false;
      this.events.changed();
    };
    // The browser would reconnect to the same URL; a new one has the id of the newest event.
    source.onerror = () => {
      this.lose();
      this.timer = window.setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, maxPause);
    };
    source.onmessage = (event: MessageEvent) => this.read(event);
  }

  private read(event: MessageEvent): void {
    if (event.data === 'heartbeat') return;
    if (++this.received > maxEvents) {
      this.lose();
      return;
    }
    if (typeof event.data !== 'string' || event.data.length > maxEvent) return;
    this.pause = firstPause;
    if (/^[0-9A-Za-z_-]{1,64}$/.test(event.lastEventId)) this.last = event.lastEventId;
    let envelope: unknown;
    try {
      envelope = JSON.parse(event.data);
    } catch {
      return;
    }
    const { from, message } = (envelope ?? {}) as Record<string, unknown>;
    if (typeof from === 'string' && typeof message === 'string') this.events.message(from, message, this);
  }

  private lose(): void {
    this.close();
    this.failed = true;
    this.events.changed();
  }

  close(): void {
    this.up = false;
    window.clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }
}

// post sends a sealed message to a client id through a bridge.
export async function post(bridge: string, from: string, to: string, topic: string, sealed: string): Promise<void> {
  const query = new URLSearchParams({ client_id: from, to, ttl: String(lives), topic });
  const response = await fetch(`${bridge}/message?${query}`, {
    method: 'POST', body: sealed, credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
}
