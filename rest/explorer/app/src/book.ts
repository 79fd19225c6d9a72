// The address book of this visit: who an address is. Before an answer is shown, every address in it is looked up, so that
// names do not come in late and move the page.
import { send } from './api';
import { friendly, pattern } from './address';

export type Entry = {
  name: string; // empty when it has none
  kind: 'system' | 'domain' | 'token' | '';
  wallet: boolean; // shown in the form that asks for no bounce
  symbol: string; decimals: number; // of a Jetton master
  scam: boolean;
};

const stranger: Entry = { name: '', kind: '', wallet: false, symbol: '', decimals: 9, scam: false };

const known = new Map<string, Entry>([
  ['-1:' + '3'.repeat(64), 'Elector'], ['-1:' + '5'.repeat(64), 'Config'], ['-1:' + '0'.repeat(64), 'System'], ['0:' + '0'.repeat(64), 'Nobody'],
].map(([address, name]) => [address!, { ...stranger, name: name!, kind: 'system' }]));

const atOnce = 100; // what one question may name
const most = 20_000; // then the book is begun anew

type Row = {
  address: string; domain: string | null; interfaces: string[];
  metadata: { name: string; symbol: string; decimals: number | null; scam: boolean | null } | null;
  nftItem: { domain: string; index: string; collection: { account: { metadata: { name: string } | null } } | null } | null;
};

function entryOf(r: Row): Entry {
  const token = r.metadata?.name || r.metadata?.symbol || r.nftItem?.domain || itemName(r.nftItem);
  return {
    name: token || r.domain || '', kind: token ? 'token' : r.domain ? 'domain' : '',
    wallet: r.interfaces.some((i) => i.startsWith('wallet_')),
    symbol: r.metadata?.symbol ?? '', decimals: r.metadata?.decimals ?? 9, scam: r.metadata?.scam === true,
  };
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

/** Looks up the addresses in an answer that are not in the book yet. Where that fails they stay strangers. */
export async function learn(answer: unknown): Promise<void> {
  const found = new Set<string>();
  addressesOf(answer, found);
  const all = [...found];
  if (known.size + all.length > most) for (const [a, e] of known) if (e.kind !== 'system') known.delete(a);
  const questions: Promise<void>[] = [];
  for (let i = 0; i < all.length; i += atOnce) {
    questions.push(send<{ accounts: Row[] }>('book', { addresses: all.slice(i, i + atOnce) }).then(
      ({ accounts }) => accounts.forEach((r) => known.set(r.address, entryOf(r))), () => {}));
  }
  await Promise.all(questions);
}

export const who = (address: string): Entry => known.get(address) ?? stranger;

export const shown = (address: string): string => friendly(address, !who(address).wallet);

/** The accounts that run the network itself. */
export const isSystem = (address: string): boolean => who(address).kind === 'system';
