// Lists to browse: Jettons, NFT collections, accounts by balance.
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Page, Ref } from '../types';
import { who } from '../addressbook';
import { grouped, words } from '../format';
import { Address } from '../parts/address';
import { Coins, Money } from '../parts/money';
import { Pages } from '../parts/pages';
import { Badge } from '../parts/badge';
import { Picture } from '../parts/picture';
import { Link, toAccount } from '../router';
import { T, fill, render } from '../text';

function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => { document.title = fill(T.titled, { title }); }, [title]);
  return <div class="card"><div class="title"><h1>{title}</h1></div>{children}</div>;
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

type Master = { account: Ref; totalSupply: string; canMint: boolean };

export function JettonsPage() {
  return (
    <Frame title={T.browse.jettons}>
      <Pages query="jettons" variables={{}} next={T.more.more} pick={(d: { jettonMasters: Page<Master> }) => d.jettonMasters}>
        {(rows) => <ul class="rows">{rows.map((j) => <Row key={j.account.address} address={j.account.address} nameless={T.browse.noName} what={<span class="clause">{j.canMint ? T.browse.mintable : T.browse.final}</span>} sum={<Money of={j.totalSupply} master={j.account.address} />} />)}</ul>}
      </Pages>
    </Frame>
  );
}

type Collection = { account: Ref; nextItemIndex: string; owner: Ref | null };

export function CollectionsPage() {
  return (
    <Frame title={T.browse.collections}>
      <Pages query="collections" variables={{}} next={T.more.more} pick={(d: { nftCollections: Page<Collection> }) => d.nftCollections}>
        {(rows) => <ul class="rows">{rows.map((c) => <Row key={c.account.address} address={c.account.address} nameless={T.browse.noName} what={c.owner && <span class="clause">{render(T.browse.ownedBy, { account: <Address of={c.owner.address} /> })}</span>} sum={c.nextItemIndex !== '-1' && <span class="money">{grouped(c.nextItemIndex)} <span class="unit">{T.browse.items}</span></span>} />)}</ul>}
      </Pages>
    </Frame>
  );
}

type Rich = { address: string; mainInterfaces: string[]; state: { balance: string } | null };

export function RichestPage() {
  return (
    <Frame title={T.browse.accounts}>
      <Pages query="richest" variables={{}} next={T.more.more} pick={(d: { topAccounts: Page<Rich> }) => d.topAccounts}>
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
