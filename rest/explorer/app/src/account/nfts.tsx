import type { Page, Ref } from '../types';
import { who } from '../addressbook';
import { short } from '../format';
import { Link, toAccount } from '../router';
import { Address } from '../parts/address';
import { Coins } from '../parts/money';
import { Pages } from '../parts/pages';
import { Picture } from '../parts/picture';
import { Transfers, type Transfer } from './transfers';
import { T, fill, render } from '../text';

type Item = {
  index: string; domain: string; account: Ref; owner: Ref | null; collection: { account: Ref } | null;
  sale: { kind: string; state: string; fixedPrice: { fullPrice: string | null } | null; auction: { lastBid: string | null; minBid: string | null } | null; telemint: { bid: string | null; minBid: string | null } | null } | null;
};

const priceOf = (s: NonNullable<Item['sale']>) => s.fixedPrice?.fullPrice ?? s.auction?.lastBid ?? s.auction?.minBid ?? s.telemint?.bid ?? s.telemint?.minBid;

/** Lists NFT items as cards. */
export function Items({ query, address }: { query: 'account_nfts' | 'collection_items'; address: string }) {
  type Data = { account?: { nftItems: Page<Item> }; nftItems?: Page<Item> };
  return (
    <Pages query={query} variables={{ address }} next={T.more.more} pick={(d: Data) => d.nftItems ?? d.account?.nftItems}>
      {(rows) => rows.length === 0 ? <p class="empty">{T.nfts.none}</p> : (
        <ul class="cards">
          {rows.map((n) => (
            <li key={n.account.address}>
              <Link to={toAccount(n.account.address)} class="item">
                <Picture of={n.account.address} size="large" />
                <span class="kind">{who(n.account.address).name || n.domain || fill(T.nfts.number, { n: short(n.index, 4) })}</span>
              </Link>
              <span class="dim">{query === 'collection_items' ? <Address of={n.owner?.address} nobody={T.address.nobody} /> : n.collection ? <Address of={n.collection.account.address} /> : T.nfts.noCollection}</span>
              {n.sale?.state === 'ENDED' && <span class="badge">{T.nfts.over}</span>}
              {n.sale?.state === 'OPEN' && <span class="badge">{render(n.sale.kind === 'FIXED_PRICE' ? T.nfts.price : T.nfts.bid, { coins: <Coins of={priceOf(n.sale)} /> })}</span>}
            </li>
          ))}
        </ul>
      )}
    </Pages>
  );
}

type Moved = { transactionHash: string; traceHash: string | null; now: string; aborted: boolean; itemAccount: Ref; oldOwner: Ref; newOwner: Ref | null };

export function NFTTransfers({ query, address }: { query: 'item_transfers' | 'collection_transfers'; address: string }) {
  return (
    <Pages query={query} variables={{ address }} pick={(d: { nftTransfers: Page<Moved> }) => d.nftTransfers}>
      {(rows) => <Transfers rows={rows.map((t): Transfer => ({ ...t, from: t.oldOwner.address, to: t.newOwner?.address, what: query === 'collection_transfers' && <Address of={t.itemAccount.address} /> }))} />}
    </Pages>
  );
}
