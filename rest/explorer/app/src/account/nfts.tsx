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
import { TraitFilter, type Trait } from './traits';
import { Transfers, type Transfer } from './transfers';
import { T, fill, render } from '../text';

type Item = {
  index: string; domain: string; account: Ref & { metadata: { traits: Trait[] } | null }; owner: Ref | null; collection: { account: Ref } | null;
  sale: { kind: string; state: string; fixedPrice: { fullPrice: string | null } | null; auction: { lastBid: string | null; minBid: string | null } | null; telemint: { bid: string | null; minBid: string | null } | null } | null;
};

const priceOf = (s: NonNullable<Item['sale']>) => s.fixedPrice?.fullPrice ?? s.auction?.lastBid ?? s.auction?.minBid ?? s.telemint?.bid ?? s.telemint?.minBid;

const traitsOf = (n: Item): Trait[] => n.account.metadata?.traits ?? [];
const label = (t: Trait) => (t.name ? `${t.name}: ${t.value}` : t.value);
const shownTraits = 3;

/** Lists NFT items as cards: those of an account, or those of a collection with the chosen trait. */
export function Items({ query, address }: { query: 'account_nfts' | 'collection_items'; address: string }) {
  const [trait, choose] = useState<Trait | null>(null);
  const ofCollection = query === 'collection_items';
  type Data = { account?: { nftItems: Page<Item> }; nftItems?: Page<Item> };
  return (
    <>
      {ofCollection && <TraitFilter address={address} chosen={trait} choose={choose} />}
      <Pages query={query} variables={ofCollection ? { address, trait } : { address }} next={T.more.more} live={{ query: 'live_actions', variables: ofCollection ? { asset: address } : { accounts: [address] }, every: 5000, replace: true }} pick={(d: Data) => d.nftItems ?? d.account?.nftItems}>
        {(rows) => rows.length === 0 ? <p class="empty">{trait ? T.nfts.noneOfTrait : T.nfts.none}</p> : (
          <ul class="cards">
            {rows.map((n) => (
              <li key={n.account.address}>
                <Link to={toAccount(n.account.address)} class="item">
                  <Picture of={n.account.address} size="large" />
                  <span class="kind">{who(n.account.address).name || n.domain || fill(T.nfts.number, { n: short(n.index, 4) })}</span>
                </Link>
                <span class="dim">{ofCollection ? <Address of={n.owner?.address} nobody={T.address.nobody} /> : n.collection ? <Address of={n.collection.account.address} /> : T.nfts.noCollection}</span>
                {traitsOf(n).length > 0 && <ul class="chips traits">{traitsOf(n).slice(0, shownTraits).map((t, i) => <li key={i} class="chip">{label(t)}</li>)}</ul>}
                {n.sale?.state === 'ENDED' && <span class="badge">{T.nfts.over}</span>}
                {n.sale?.state === 'OPEN' && <span class="badge">{render(n.sale.kind === 'FIXED_PRICE' ? T.nfts.price : T.nfts.bid, { coins: <Coins of={priceOf(n.sale)} /> })}</span>}
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </>
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
