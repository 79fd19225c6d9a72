// Links that open a wallet.

const version = '2'; // of the protocol

// unified is the link that every wallet registers for, and the text of the QR code.
export const unified = 'tc://';

// connectLink returns the link by which a wallet connects to a session. base is a universal URL, or unified.
export function connectLink(base: string, id: string, manifest: string): string {
  const request = JSON.stringify({ manifestUrl: manifest, items: [{ name: 'ton_addr' }] });
  return link(base, new URLSearchParams({ v: version, id, r: request }));
}

// openLink returns the link that opens a wallet which is connected already.
export function openLink(base: string, id: string): string {
  return link(base, new URLSearchParams({ id, ret: 'back' }));
}

function link(base: string, parameters: URLSearchParams): string {
  if (base === unified) return `${base}?${parameters}`;
  const url = new URL(base);
  if (url.hostname === 't.me') return telegram(url, parameters);
  parameters.forEach((value, name) => url.searchParams.append(name, value));
  return url.toString();
}

// telegram returns a link to a wallet inside Telegram. One parameter has all others, in characters that Telegram lets pass.
function telegram(url: URL, parameters: URLSearchParams): string {
  if (url.searchParams.has('attach')) { // the form of earlier lists
    url.searchParams.delete('attach');
    url.pathname += '/start';
  }
  const text = parameters.toString().replaceAll('.', '%2E').replaceAll('-', '%2D').replaceAll('_', '%5F')
    .replaceAll('&', '-').replaceAll('=', '__').replaceAll('%', '--');
  url.searchParams.append('startapp', `tonconnect-${text}`);
  return url.toString();
}
