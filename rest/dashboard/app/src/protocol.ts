// Messages of wallets. They come from an untrusted side: each is read into one of these forms, or is none.

export type WalletMessage =
  | { kind: 'connected'; event: number; address: string; network: string; sends: boolean }
  | { kind: 'refused'; event: number; code: number }
  | { kind: 'disconnected'; event: number }
  | { kind: 'sent'; request: string }
  | { kind: 'failed'; request: string; code: number };

export const declined = 300; // code of a user who declined a connection or a transaction

type Fields = Record<string, unknown>;

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function code(value: unknown): number {
  const c = fields(value)?.code;
  return typeof c === 'number' && Number.isSafeInteger(c) ? c : 0; // 0 is the unknown error
}

// read returns the message of a decrypted text, undefined for any other text.
export function read(text: string): WalletMessage | undefined {
  let value: Fields | undefined;
  try {
    value = fields(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (!value) return undefined;
  return 'event' in value ? readEvent(value) : readResponse(value);
}

function readEvent(value: Fields): WalletMessage | undefined {
  const event = value.id;
  if (typeof event !== 'number' || !Number.isSafeInteger(event) || event < 0) return undefined;
  switch (value.event) {
    case 'connect':
      return readConnect(event, fields(value.payload));
    case 'connect_error':
      return { kind: 'refused', event, code: code(value.payload) };
    case 'disconnect':
      return { kind: 'disconnected', event };
    default:
      return undefined;
  }
}

function readConnect(event: number, payload: Fields | undefined): WalletMessage | undefined {
  if (!payload || !Array.isArray(payload.items)) return undefined;
  const item = payload.items.slice(0, 10).map(fields).find((i) => i?.name === 'ton_addr');
  const address = item?.address;
  const network = typeof item?.network === 'number' ? String(item.network) : item?.network;
  if (typeof address !== 'string' || !/^(0|-1):[0-9a-fA-F]{64}$/.test(address)) return undefined;
  if (typeof network !== 'string' || !/^-?[0-9]{1,11}$/.test(network)) return undefined;
  return { kind: 'connected', event, address, network, sends: sends(fields(payload.device)?.features) };
}

// sends reports whether a wallet has the feature SendTransaction. Wallets of earlier versions list names, or nothing.
function sends(features: unknown): boolean {
  if (!Array.isArray(features) || features.length === 0) return true;
  return features.slice(0, 50).some((f) => f === 'SendTransaction' || fields(f)?.name === 'SendTransaction');
}

function readResponse(value: Fields): WalletMessage | undefined {
  if (typeof value.id !== 'string' && typeof value.id !== 'number') return undefined;
  const request = String(value.id);
  if (fields(value.error)) return { kind: 'failed', request, code: code(value.error) };
  return typeof value.result === 'string' ? { kind: 'sent', request } : undefined;
}
