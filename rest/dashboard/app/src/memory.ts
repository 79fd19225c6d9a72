// What the page has to remember when the browser loads it again, as phones do after a visit to the wallet: in sessionStorage, which
// no other page and no server reads. It is removed when the payment has arrived, and with the tab.

export interface Memory {
  secret: string; // key of the session, in hex
  last: Record<string, string>; // id of the newest event by bridge
  chosen: number; // index of the wallet that the user opened, -1 for none
  bridge: string; // of the connected wallet, '' before
  wallet: string; // client id of the wallet
  address: string; // raw
  event: number; // id of the newest event of the wallet, -1 before
  request: number; // id of the newest request
  until: number; // Unix time until which the wallet may respond to it; 0: no request is open
  sent: boolean;
}

export function fresh(secret: string): Memory {
  return { secret, last: {}, chosen: -1, bridge: '', wallet: '', address: '', event: -1, request: 0, until: 0, sent: false };
}

const name = `tonconnect ${location.pathname}`;

export function save(memory: Memory): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(memory));
  } catch { /* without storage the session ends with the page */ }
}

export function forget(): void {
  try {
    sessionStorage.removeItem(name);
  } catch { /* nothing was stored */ }
}

// load returns what was stored for this page, undefined when nothing was.
export function load(): Memory | undefined {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? undefined : { ...fresh(''), ...(JSON.parse(text) as Memory) };
  } catch {
    return undefined;
  }
}
