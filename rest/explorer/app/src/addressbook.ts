// The address book of this visit. All addresses in a result are looked up before the result is shown, so that names do not
// arrive late and move the page.
import { send } from './api';
import { imitated, plain } from './names';
import { friendly, pattern } from './address';
import { T } from './text';

export type Entry = {
  name: string; // empty when it has none
  kind: 'system' | 'domain' | 'token' | '';
  friendly: string; // the form that the service prints everywhere
  bounceable: boolean;
  symbol: string;
  decimals: number | undefined; // of a Jetton master; undefined while its metadata has not been read
  imitates: string; // the asset whose name it has without being it; empty for none
  scam: boolean; verified: boolean; // as the operator states
  image: string; // path of its image on this server; empty when it has none
  nsfw: boolean;
};

/** System accounts of the network. */
const system = new Map([['-1:' + '3'.repeat(64), T.address.elector], ['-1:' + '5'.repeat(64), T.address.config], ['-1:' + '0'.repeat(64), T.address.system], ['0:' + '0'.repeat(64), T.address.zero]]);

const entries = new Map<string, Entry>();

const batchSize = 100; // addresses per request
const maxEntries = 20_000; // the address book is cleared beyond

type Row = {
  address: string; friendly: string; other: string; domain: string | null;
  reputation: string;
  metadata: { valid: boolean; name: string; symbol: string; decimals: number | null; nsfw: boolean | null; imagePath: string | null } | null;
  nftItem: { domain: string; index: string; collection: { account: { metadata: { name: string } | null } } | null } | null;
};

function entryOf(r: Row): Entry {
  const own = system.get(r.address), symbol = plain(r.metadata?.symbol ?? ''), verified = r.reputation === 'VERIFIED';
  const token = plain(r.metadata?.name || r.metadata?.symbol || r.nftItem?.domain || itemName(r.nftItem));
  return {
    name: own || token || r.domain || '', kind: own ? 'system' : token ? 'token' : r.domain ? 'domain' : '',
    friendly: r.friendly, bounceable: r.friendly === r.other,
    symbol, decimals: r.metadata?.valid ? r.metadata.decimals ?? 9 : r.metadata?.decimals ?? undefined,
    imitates: verified || !r.metadata ? '' : imitated(r.address, symbol, token, r.nftItem?.domain ?? ''), scam: r.reputation === 'SCAM', verified,
    image: r.metadata?.imagePath ?? '', nsfw: r.metadata?.nsfw === true,
  };
}

/** The entry of an address that was not looked up. The form is non-bounceable because no code is known at the address. */
function unknownEntry(address: string): Entry {
  const name = system.get(address) ?? '';
  return { name, kind: name ? 'system' : '', friendly: friendly(address, false), bounceable: false, symbol: '', decimals: undefined, imitates: '', scam: false, verified: false, image: '', nsfw: false };
}

/** Names an item without a name by its collection and index. */
function itemName(item: Row['nftItem']): string {
  if (!item || item.index.length > 12) return '';
  return `${item.collection?.account.metadata?.name || 'NFT'} #${item.index}`;
}

/** Reports whether an object of a result has what the address book has of an account. */
const isRow = (value: object): value is Row => 'friendly' in value && 'other' in value && 'reputation' in value;

/** Collects the addresses that the address book lacks. Rows of it that are part of a result need no request. */
function addressesOf(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (pattern.test(value) && !entries.has(value)) found.add(value);
  } else if (value && typeof value === 'object') {
    if (isRow(value)) {
      entries.set(value.address, entryOf(value));
      found.delete(value.address);
    }
    const { '@type': type, workchain_id: workchain, address } = value as Record<string, unknown>;
    if (type === 'addr_std') addressesOf(`${String(workchain)}:${String(address)}`, found); // of a decoded body
    for (const member of Object.values(value)) addressesOf(member, found);
  }
}

/** Looks up the addresses in data that the address book lacks, at most limit of them. Addresses whose lookup fails stay unnamed. */
export async function lookUp(data: unknown, limit = Infinity): Promise<void> {
  const found = new Set<string>();
  addressesOf(data, found);
  const all = [...found].slice(0, limit);
  if (entries.size + all.length > maxEntries) entries.clear();
  const requests: Promise<void>[] = [];
  for (let i = 0; i < all.length; i += batchSize) {
    requests.push(send<{ accounts: Row[] }>('address_book', { addresses: all.slice(i, i + batchSize) }).then(
      ({ accounts }) => accounts.forEach((r) => entries.set(r.address, entryOf(r))), () => {}));
  }
  await Promise.all(requests);
}

/** Reports whether data has addresses that the address book lacks. */
export function hasUnknown(data: unknown): boolean {
  const found = new Set<string>();
  addressesOf(data, found);
  return found.size > 0;
}

export const who = (address: string): Entry => entries.get(address) ?? unknownEntry(address);

export const shown = (address: string): string => who(address).friendly;

export const isSystem = (address: string): boolean => system.has(address);
