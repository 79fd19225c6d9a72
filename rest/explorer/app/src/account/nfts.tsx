import { useState } from 'preact/hooks';
import type { Page, Ref } from '../types';
import { who } from '../addressbook';
import { grouped, short } from '../format';
import { Link, toAccount, toTx } from '../router';
import { Address } from '../parts/address';
import { Coins } from '../parts/money';
import { Pages } from '../parts/pages';
import { Picture } from '../parts/picture';
import { When } from '../parts/when';
import { Transfers, type Transfer } from './transfers';
import { T, fill, render } from '../text';

type Trait = { name: string; value: string };

type Item = {
  index: string; domain: string; account: Ref & { metadata: { traits: Trait[] } | null }; owner: Ref | null; collection: { account: Ref } | null;
  sale: { kind: string; state: string; fixedPrice: { fullPrice: string | null } | null; auction: { lastBid: string | null; minBid: string | null } | null; telemint: { bid: string | null; minBid: string | null } | null } | null;
};

const priceOf = (s: NonNullable<Item['sale']>) => s.fixedPrice?.fullPrice ?? s.auction?.lastBid ?? s.auction?.minBid ?? s.telemint?.bid ?? s.telemint?.minBid;

const traitsOf = (n: Item): Trait[] => n.account.metadata?.traits ?? [];
const label = (t: Trait) => (t.name ? `${t.name}: ${t.value}` : t.value);
const shownTraits = 3;

/** Chooses one of the traits of the items that are loaded; the others are hidden. */
function TraitFilter({ of, chosen, choose }: { of: Item[]; chosen: string; choose: (trait: string) => void }) {
  const counts = new Map<string, number>();
  for (const n of of) for (const t of traitsOf(n)) counts.set(label(t), (counts.get(label(t)) ?? 0) + 1);
  if (counts.size === 0) return null;
  const list = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <form class="filters" onSubmit={(e) => e.preventDefault()}>
      <label class="field"><span>{T.nfts.trait}</span>
        <select value={chosen} onChange={(e) => choose(e.currentTarget.value)}><option value="">{T.nfts.allTraits}</option>{list.map(([name, n]) => <option key={name} value={name}>{`${name} (${n})`}</option>)}</select>
      </label>
    </form>
  );
}

/** Lists NFT items as cards. */
export function Items({ query, address }: { query: 'account_nfts' | 'collection_items'; address: string }) {
  const [trait, choose] = useState('');
  type Data = { account?: { nftItems: Page<Item> }; nftItems?: Page<Item> };
  return (
    <Pages query={query} variables={{ address }} next={T.more.more} live={{ query: 'live_actions', variables: query === 'account_nfts' ? { accounts: [address] } : { asset: address }, every: 5000, replace: true }} pick={(d: Data) => d.nftItems ?? d.account?.nftItems}>
      {(rows) => rows.length === 0 ? <p class="empty">{T.nfts.none}</p> : (
        <>
        <TraitFilter of={rows} chosen={trait} choose={choose} />
        {trait !== '' && !rows.some((n) => traitsOf(n).some((t) => label(t) === trait)) && <p class="empty">{T.nfts.noneOfTraits}</p>}
        <ul class="cards">
          {rows.filter((n) => trait === '' || traitsOf(n).some((t) => label(t) === trait)).map((n) => (
            <li key={n.account.address}>
              <Link to={toAccount(n.account.address)} class="item">
                <Picture of={n.account.address} size="large" />
                <span class="kind">{who(n.account.address).name || n.domain || fill(T.nfts.number, { n: short(n.index, 4) })}</span>
              </Link>
              <span class="dim">{query === 'collection_items' ? <Address of={n.owner?.address} nobody={T.address.nobody} /> : n.collection ? <Address of={n.collection.account.address} /> : T.nfts.noCollection}</span>
              {traitsOf(n).length > 0 && <ul class="chips traits">{traitsOf(n).slice(0, shownTraits).map((t, i) => <li key={i} class="chip">{label(t)}</li>)}</ul>}
              {n.sale?.state === 'ENDED' && <span class="badge">{T.nfts.over}</span>}
              {n.sale?.state === 'OPEN' && <span class="badge">{render(n.sale.kind === 'FIXED_PRICE' ? T.nfts.price : T.nfts.bid, { coins: <Coins of={priceOf(n.sale)} /> })}</span>}
            </li>
          ))}
        </ul>
        </>
      )}
    </Pages>
  );
}

type Moved = { transactionHash: string; traceHash: string | null; now: string; aborted: boolean; itemAccount: Ref; oldOwner: Ref; newOwner: Ref | null };

export function NFTTransfers({ query, address }: { query: 'item_transfers' | 'collection_transfers'; address: string }) {
  return (
    <Pages query={query} variables={{ address }} live={{ query: 'live_actions', variables: { asset: address } }} pick={(d: { nftTransfers: Page<Moved> }) => d.nftTransfers}>
      {(rows) => <Transfers rows={rows.map((t): Transfer => ({ ...t, from: t.oldOwner.address, to: t.newOwner?.address, what: query === 'collection_transfers' && <Address of={t.itemAccount.address} /> }))} />}
    </Pages>
  );
}

type Owned = { lt: string; mcSeqno: number; owner: Ref | null; transaction: { hash: string; now: string } | null };

/** Lists who owned an item, newest first: also owners that no transfer names, such as the winner of an auction. */
export function Owners({ address }: { address: string }) {
  return (
    <Pages query="item_owners" variables={{ address }} live={{ query: 'live_actions', variables: { asset: address } }} pick={(d: { nftItem: { ownerHistory: Page<Owned> } | null }) => d.nftItem?.ownerHistory}>
      {(rows) => (
        <ol class="rows">
          {rows.map((o, i) => (
            <li key={o.lt} class="line">
              <span class="grow"><Address of={o.owner?.address} nobody={T.address.nobody} /> <span class="dim">{fill(i === 0 ? T.nfts.ownedSince : T.nfts.formerOwner, { seqno: grouped(o.mcSeqno) })}</span></span>
              {o.transaction && <Link to={toTx(o.transaction.hash)}><When at={o.transaction.now} /></Link>}
            </li>
          ))}
        </ol>
      )}
    </Pages>
  );
}
