// The address book of this visit: who an address is. Before an answer is shown, every address in it is looked up, so that
// names do not come in late and move the page.
import { send } from './api';
import { friendly, pattern } from './address';

export type Entry = {
  name: string; // empty when it has none
  kind: 'system' | 'domain' | 'token' | '';
  friendly: string; // the form that the service prints everywhere
  bounceable: boolean;
  symbol: string; decimals: number; // of a Jetton master
  scam: boolean;
};

/** The accounts that run the network itself. */
const system = new Map([['-1:' + '3'.repeat(64), 'Elector'], ['-1:' + '5'.repeat(64), 'Config'], ['-1:' + '0'.repeat(64), 'System'], ['0:' + '0'.repeat(64), 'Nobody']]);

const known = new Map<string, Entry>();

const atOnce = 100; // addresses of one request
const most = 20_000; // then the book is begun anew

type Row = {
  address: string; friendly: string; other: string; domain: string | null;
  metadata: { name: string; symbol: string; decimals: number | null; scam: boolean | null } | null;
  nftItem: { domain: string; index: string; collection: { account: { metadata: { name: string } | null } } | null } | null;
};

function entryOf(r: Row): Entry {
  const token = r.metadata?.name || r.metadata?.symbol || r.nftItem?.domain || itemName(r.nftItem);
  const own = system.get(r.address);
  return {
    name: own || token || r.domain || '', kind: own ? 'system' : token ? 'token' : r.domain ? 'domain' : '',
    friendly: r.friendly, bounceable: r.friendly === r.other,
    symbol: r.metadata?.symbol ?? '', decimals: r.metadata?.decimals ?? 9, scam: r.metadata?.scam === true,
  };
}

/** An address that is not in the book: without known code, so senders are not asked to have coins returned. */
function stranger(address: string): Entry {
  const name = system.get(address) ?? '';
  return { name, kind: name ? 'system' : '', friendly: friendly(address, false), bounceable: false, symbol: '', decimals: 9, scam: false };
}

/** An item without a name of its own goes by its number in its collection. */
function itemName(item: Row['nftItem']): string {
  if (!item || item.index.length > 12) return '';
  return `${item.collection?.account.metadata?.name || 'NFT'} #${item.index}`;
}

function addressesOf(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (pattern.test(value) && !known.has(value)) found.add(value);
  } else if (value && typeof value === 'object') {
    const { '@type': type, workchain_id: workchain, address } = value as Record<string, unknown>;
    if (type === 'addr_std') addressesOf(`${String(workchain)}:${String(address)}`, found); // of a decoded body
    for (const member of Object.values(value)) addressesOf(member, found);
  }
}

/** Looks up the addresses in an answer that are not in the book yet, at most some of them. Where that fails they stay strangers. */
export async function learn(answer: unknown, limit = Infinity): Promise<void> {
  const found = new Set<string>();
  addressesOf(answer, found);
  const all = [...found].slice(0, limit);
  if (known.size + all.length > most) known.clear();
  const requests: Promise<void>[] = [];
  for (let i = 0; i < all.length; i += atOnce) {
    requests.push(send<{ accounts: Row[] }>('book', { addresses: all.slice(i, i + atOnce) }).then(
      ({ accounts }) => accounts.forEach((r) => known.set(r.address, entryOf(r))), () => {}));
  }
  await Promise.all(requests);
}

/** Whether an answer has addresses that are not in the book. */
export function hasStrangers(answer: unknown): boolean {
  const found = new Set<string>();
  addressesOf(answer, found);
  return found.size > 0;
}

export const who = (address: string): Entry => known.get(address) ?? stranger(address);

export const shown = (address: string): string => who(address).friendly;

export const isSystem = (address: string): boolean => system.has(address);
