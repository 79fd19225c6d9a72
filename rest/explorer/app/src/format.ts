// Formats of numbers, names and times. Amounts are decimal strings of any size and never pass through a float.
import texts from './texts.json';
import { T, entry, fill } from './text';

const thin = '\u202f'; // a space that does not break

/** Formats an amount with its decimals: 1234567890 with 9 is 1.23456789. */
export function amount(raw: string | null | undefined, decimals = 9): string {
  if (raw == null) return '';
  const minus = raw.startsWith('-') ? '−' : '';
  const digits = raw.replace('-', '').padStart(decimals + 1, '0');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return minus + grouped(digits.slice(0, digits.length - decimals)) + (decimals > 0 && rest ? '.' + rest : '');
}

/** Reads an amount with decimals, 1.5 or 1,5, into the smallest unit; null for a text that is none. */
export function units(text: string, decimals = 9): string | null {
  const parts = /^(\d*)(?:[.,](\d*))?$/.exec(text.trim());
  if (!parts || !/\d/.test(text)) return null;
  const rest = (parts[2] ?? '').slice(0, decimals).padEnd(decimals, '0');
  return ((parts[1] ?? '') + rest).replace(/^0+(?=\d)/, '') || '0';
}

/** Formats like amount with at most four decimals, or the first four that are not 0. For lists. */
export function brief(raw: string | null | undefined, decimals = 9): string {
  const [integer = '', rest = ''] = amount(raw, decimals).split('.');
  const zeros = /^[−]?0$/.test(integer) ? (/^0*/.exec(rest)?.[0].length ?? 0) : 0;
  const decimalsShown = rest.slice(0, zeros + 4).replace(/0+$/, '');
  return decimalsShown ? `${integer}.${decimalsShown}` : integer;
}

/** Groups digits by thousands: 1234567 becomes 1 234 567. */
export function grouped(integer: string | number): string {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, thin);
}

export const coins = (raw: string | null | undefined): string => (raw == null ? '' : `${amount(raw)}${thin}${T.money.ton}`);

/** Shortens an address or a hash to its first and last characters. */
export function short(text: string, ends = 6): string {
  return text.length > 2 * ends + 3 ? `${text.slice(0, ends)}…${text.slice(-ends)}` : text;
}

export function hex(base64: string): string {
  return Array.from(atob(base64), (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

export function ago(time: string, now: number): string {
  const s = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (s < 60) return fill(T.time.s, { n: s });
  if (s < 3600) return fill(T.time.min, { n: Math.floor(s / 60) });
  if (s < 86400) return fill(T.time.h, { n: Math.floor(s / 3600) });
  return time.slice(0, 10);
}

/** Formats the time since a moment in one unit, however long it is. */
export function elapsed(time: string, now: number): string {
  const days = Math.floor((now - Date.parse(time)) / 86400_000);
  return days < 1 ? ago(time, now) : fill(T.time.days, { n: grouped(days) });
}

/** Formats a time in the zone of the browser, with the zone. */
export function local(time: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset' });
  return parts.format(new Date(time));
}

/** Formats a time in UTC. */
export function moment(time: string): string {
  return time.replace('T', ' ').replace('Z', ' UTC');
}

/** Formats Unix seconds; empty for 0 and for no value. */
export function unix(seconds: string | number | null | undefined): string {
  const n = Number(seconds ?? 0);
  return n > 0 ? moment(new Date(n * 1000).toISOString().slice(0, 19) + 'Z') : '';
}

/** Formats a duration in its two largest units. */
export function span(seconds: number): string {
  const units = [86400, 3600, 60, 1].map((size, i) => [size, T.time.units[i]] as const);
  const parts: string[] = [];
  for (const [size, name] of units) {
    if (seconds >= size && parts.length < 2) {
      parts.push(`${Math.floor(seconds / size)} ${name}`);
      seconds %= size;
    }
  }
  return parts.join(' ') || `0 ${T.time.units[3]}`;
}

/** Formats a snake_case name: jetton_transfer becomes Jetton transfer. */
export function words(type: string): string {
  return type.toLowerCase().split('_').map((w, i) => entry<string>(texts.names, w) ?? (i === 0 ? w.slice(0, 1).toUpperCase() + w.slice(1) : w)).join(' ');
}
