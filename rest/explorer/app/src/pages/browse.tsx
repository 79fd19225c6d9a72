// Lists to browse: Jettons, NFT collections, accounts by balance.
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Page, Ref } from '../types';
import { who } from '../addressbook';
import { grouped, words } from '../format';
import { useParams } from '../router';
import { Address } from '../parts/address';
import { Coins, Money } from '../parts/money';
import { Pages } from '../parts/pages';
import { Badge } from '../parts/badge';
import { Picture } from '../parts/picture';
import { Link, toAccount } from '../router';
import { T, fill, plural, render } from '../text';

function Frame({ title, aside, children }: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  useEffect(() => { document.title = fill(T.titled, { title }); }, [title]);
  return <div class="card"><div class="title"><h1>{title}</h1>{aside}</div>{children}</div>;
}

function Row({ address, nameless, what, sum }: { address: string; nameless: string; what: ComponentChildren; sum: ComponentChildren }) {
  const { name } = who(address);
  return (
    <li class="row">
      <Picture of={address} />
      <div class="body"><div>{name ? <><Link to={toAccount(address)} class="kind">{name.slice(0, 60)}</Link><Badge of={address} /></> : <><span class="dim">{nameless}</span> <Address of={address} /></>}</div><div class="what">{what}</div></div>
      <div class="side"><div class="sum">{sum}</div></div>
    </li>
  );
}

/** The orders of a list of tokens, and the one in the page's address. */
function useOrder(orders: Record<string, string>): [order: string, form: ComponentChildren] {
  const [found, set] = useParams();
  const named = found.get('order') ?? '';
  const order = Object.hasOwn(orders, named) ? named : 'HOLDERS';
  const form = (
    <label class="field across"><span>{T.browse.order}</span>
      <select value={order} onChange={(e) => set(new URLSearchParams({ order: e.currentTarget.value }))}>{Object.entries(orders).map(([id, name]) => <option key={id} value={id}>{name}</option>)}</select>
    </label>
  );
  return [order, form];
}

type Counts = { holders: string; transfersOfDay: string; items?: string | null } | null;

/** The numbers of a token; nothing until they are counted. */
function Numbers({ of: c, holders }: { of: Counts; holders: string[] }) {
  if (!c) return null;
  return <><span class="clause">{plural(Number(c.holders), holders, grouped(c.holders))}</span><span class="clause">{plural(Number(c.transfersOfDay), T.browse.transfers, grouped(c.transfersOfDay))}</span></>;
}

const every = 15_000; // ms between two updates of a list that is not in the order of time

type Master = { account: Ref; totalSupply: string; canMint: boolean; counts: Counts };

export function JettonsPage() {
  const [order, form] = useOrder(T.browse.orders);
  return (
    <Frame title={T.browse.jettons} aside={form}>
      <Pages query="jettons" variables={{ order }} next={T.more.more} live={{ query: 'live_seqno', every, replace: true }} pick={(d: { jettonMasters: Page<Master> }) => d.jettonMasters}>
        {(rows) => rows.length === 0 ? <p class="empty">{T.browse.none}</p> : <ul class="rows">{rows.map((j) => <Row key={j.account.address} address={j.account.address} nameless={T.browse.noName} what={<><Numbers of={j.counts} holders={T.browse.holders} /><span class="clause">{j.canMint ? T.browse.mintable : T.browse.final}</span></>} sum={<Money of={j.totalSupply} master={j.account.address} />} />)}</ul>}
      </Pages>
    </Frame>
  );
}

type Collection = { account: Ref; nextItemIndex: string; owner: Ref | null; counts: Counts };

export function CollectionsPage() {
  const [order, form] = useOrder(T.browse.collectionOrders);
  const items = (c: Collection) => c.counts?.items ?? (c.nextItemIndex === '-1' ? null : c.nextItemIndex);
  return (
    <Frame title={T.browse.collections} aside={form}>
      <Pages query="collections" variables={{ order }} next={T.more.more} live={{ query: 'live_seqno', every, replace: true }} pick={(d: { nftCollections: Page<Collection> }) => d.nftCollections}>
        {(rows) => rows.length === 0 ? <p class="empty">{T.browse.none}</p> : <ul class="rows">{rows.map((c) => <Row key={c.account.address} address={c.account.address} nameless={T.browse.noName} what={<><Numbers of={c.counts} holders={T.browse.owners} />{c.owner && <span class="clause">{render(T.browse.ownedBy, { account: <Address of={c.owner.address} /> })}</span>}</>} sum={items(c) && <span class="money">{grouped(items(c)!)} <span class="unit">{T.browse.items}</span></span>} />)}</ul>}
      </Pages>
    </Frame>
  );
}

type Rich = { address: string; mainInterfaces: string[]; state: { balance: string } | null };

export function RichestPage() {
  return (
    <Frame title={T.browse.accounts}>
      <Pages query="richest" variables={{}} next={T.more.more} live={{ query: 'live_seqno', every, replace: true }} pick={(d: { topAccounts: Page<Rich> }) => d.topAccounts}>
        {(rows) => (
          <ol class="rows">
            {rows.map((a, i) => (
              <li key={a.address} class="line">
                <span class="rank dim">{i + 1}</span>
                <span class="grow"><Address of={a.address} /></span>
                <span class="dim">{a.mainInterfaces[0] && who(a.address).kind !== 'system' && words(a.mainInterfaces[0])}</span>
                <span class="sum"><Coins of={a.state?.balance} /></span>
              </li>
            ))}
          </ol>
        )}
      </Pages>
    </Frame>
  );
}
