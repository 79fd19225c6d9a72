// How numbers, names and times are shown. Amounts are decimal strings of any size and never pass through a float.

/** 1234567890 with 9 decimals is 1.23456789. */
export function amount(raw: string | null | undefined, decimals = 9): string {
  if (raw == null) return '';
  const minus = raw.startsWith('-') ? '−' : '';
  const digits = raw.replace('-', '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ' ');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return minus + whole + (rest ? '.' + rest : '');
}

export const coins = (raw: string | null | undefined): string => (raw == null ? '' : amount(raw) + ' TON');

/** The ends of an address or a hash, enough to recognise it. */
export function short(text: string): string {
  return text.length > 20 ? text.slice(0, 8) + '…' + text.slice(-6) : text;
}

export function hex(base64: string): string {
  return Array.from(atob(base64), (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

export function ago(time: string, now = Date.now()): string {
  const s = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ago`;
  return time.slice(0, 16).replace('T', ' ');
}

/** jetton_transfer is Jetton transfer. */
export function words(type: string): string {
  const names: Record<string, string> = { ton: 'TON', nft: 'NFT', dns: 'DNS', jetton: 'Jetton', evaa: 'EVAA', tgbtc: 'tgBTC', jvault: 'JVault' };
  return type.split('_').map((w, i) => names[w] ?? (i === 0 ? w.slice(0, 1).toUpperCase() + w.slice(1) : w)).join(' ');
}
