// Names that anyone can give to a token: what they must not do to the text around them, and which of them imitate an asset.
import { T } from './text';
import { network } from './address';

/** Removes control characters and marks that reverse or hide text: a name changes nothing but its own place in a line. */
export const plain = (name: string): string => name.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '').trim();

const links = /https?:\/\/|\bwww\.|\bt\.me\/|[\w-]\.(app|bond|cc|click|club|com|fun|icu|info|io|life|link|live|me|net|online|org|pro|shop|site|space|store|top|vip|win|xyz)\b/i;

/** Reports whether a text that anyone may write, such as a comment or the name of a token, contains a link. */
export const hasLink = (text: string): boolean => links.test(skipped(text));

/** Domains of TON are names here and no links. */
const skipped = (text: string): string => text.replace(/[\w-]+\.t\.me\b/gi, '');

/** Letters of other scripts, digits and signs that look like a Latin letter. */
const alike: Record<string, string> = {
  '0': 'o', 'о': 'o', 'ο': 'o', 'օ': 'o', 'т': 't', 'τ': 't', '₮': 't', 'ŧ': 't', 'н': 'n', 'п': 'n', 'ո': 'n', 'ν': 'n', 'η': 'n',
  'с': 'c', 'ϲ': 'c', 'і': 'i', 'ι': 'i', 'ı': 'i', '1': 'i', 'l': 'i', '|': 'i', 'ѕ': 's', 'ꜱ': 's', '$': 's', '5': 's', 'υ': 'u', 'ս': 'u', 'ц': 'u', 'µ': 'u', 'ԁ': 'd',
  'е': 'e', 'ε': 'e', 'һ': 'h', 'г': 'r', 'ᴛ': 't', 'ᴏ': 'o', 'ɴ': 'n', 'ᴜ': 'u', 'ᴅ': 'd',
};

/** The capitals of other scripts look like other Latin letters than their small ones: the Greek Ν like N, the Cyrillic Н like H. */
const capitals: Record<string, string> = { 'Ν': 'n', 'Н': 'h', 'И': 'n', 'П': 'n', 'Т': 't', 'Τ': 't', 'О': 'o', 'Ο': 'o', 'С': 'c', 'І': 'i', 'Ι': 'i', 'Ѕ': 's' };

/** What a name looks like, in small Latin letters, without marks, spaces and signs. */
export function skeleton(name: string): string {
  const letters = [...plain(name).normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Z}\p{P}\s]/gu, '')];
  return letters.map((c) => capitals[c] ?? alike[c.toLowerCase()] ?? c.toLowerCase()).join('');
}

/** The assets that others are named after most, and the addresses that the names belong to. Toncoin is no token and has none. */
const assets = [
  { name: T.money.ton, alike: ['ton', 'toncoin'], own: '' },
  { name: T.money.usdt, alike: ['usdt', 'tetherusd', 'usdttether', 'tetherusdt'], own: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE' },
].map((a) => ({ ...a, alike: new Set(a.alike.map(skeleton)) }));

/** The names of domains. A token that is no domain has none of them. */
const domain = /\.(ton|t\.me)$/i;

const systemNames = [T.address.elector, T.address.config, T.address.system].map((name) => ({ name, alike: skeleton(name) }));

/**
 * Returns what a token looks like by its symbol or its name without being it: an asset, a domain (ownDomain is that of an item that is one),
 * or an account of the network; empty for nothing.
 */
export function imitated(address: string, symbol: string, name: string, ownDomain: string): string {
  if (domain.test(name) && name !== ownDomain) return T.badge.domain;
  const account = systemNames.find((s) => s.alike === skeleton(name));
  if (account) return account.name;
  const found = assets.find((a) => a.alike.has(skeleton(symbol)) || a.alike.has(skeleton(name)));
  return found && !(network === 'mainnet' && found.own === address) ? found.name : '';
}
