// Converts raw addresses to user-friendly ones (TEP-2) without a request: a flag byte, the workchain, the account id, and
// a checksum over them (CRC-16, polynomial 0x1021), in base64url.

/** Whether addresses carry the test-only flag: on every network but mainnet. The server sets it in the page. */
const testOnly = document.documentElement.dataset['testOnly'] === 'true';

/** The network that the service indexes; the server sets it in the page. */
export const network = document.documentElement.dataset['network'] ?? '';

/** Whether the operator of the service has a list of recognised tokens; the server sets it in the page. */
export const rated = document.documentElement.dataset['rated'] === 'true';

export const pattern = /^-?\d+:[0-9A-F]{64}$/;

function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const b of bytes) {
    crc ^= b << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** Formats a user-friendly address; the raw form when the workchain does not fit one byte. */
export function friendly(raw: string, bounceable: boolean): string {
  const [workchain = '', id = ''] = raw.split(':');
  if (!pattern.test(raw) || Math.abs(Number(workchain)) > 127) return raw;
  const bytes = new Uint8Array(36);
  bytes[0] = (bounceable ? 0x11 : 0x51) | (testOnly ? 0x80 : 0);
  bytes[1] = Number(workchain) & 0xff;
  for (let i = 0; i < 32; i++) bytes[i + 2] = parseInt(id.slice(i * 2, i * 2 + 2), 16);
  const crc = checksum(bytes.subarray(0, 34));
  bytes[34] = crc >> 8;
  bytes[35] = crc & 0xff;
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
}

const friendlyForm = /^[\w+/-]{48}$/;

/** The bytes of a text in the form of a user-friendly address. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** Reports whether a user-friendly address carries the test-only flag; undefined for other texts. */
export function testOnlyOf(text: string): boolean | undefined {
  return friendlyForm.test(text) ? (bytesOf(text)[0]! & 0x80) !== 0 : undefined;
}

/** Reports whether a text is an address of an account, in any form. */
export const isAddress = (text: string): boolean => /^-?\d+:[0-9a-f]{64}$/i.test(text) || (friendlyForm.test(text) && !wrongChecksum(text));

/** Reports whether a text is a hash, in hex or base64. */
export const isHash = (text: string): boolean => /^(0x)?[0-9a-f]{64}$/i.test(text) || /^[\w+/-]{43}=$/.test(text);

/** Reports whether a text has the form of a user-friendly address, but not its checksum. */
export function wrongChecksum(text: string): boolean {
  if (!friendlyForm.test(text)) return false;
  const bytes = bytesOf(text);
  return checksum(bytes.subarray(0, 34)) !== ((bytes[34]! << 8) | bytes[35]!);
}
