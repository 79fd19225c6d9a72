import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api';
import { Loaded, useQuery } from '../load';
import type { Action, Page, Tx } from '../types';
import { amount, coins, short } from '../format';
import { Actions, Address, Transactions } from '../parts/rows';
import { Facts } from '../parts/facts';
import { Link, toAccount } from '../router';

type Token = { valid: boolean; name: string; symbol: string; description: string; image: string } | null;
type Answer = {
  account: {
    address: string; friendly: string; domain: string | null; interfaces: string[]; metadata: Token;
    state: { status: string; balance: string; codeHash: string | null; dataHash: string | null; usedCells: string } | null;
    transactions: Page<Tx>; actions: { nodes: Action[] };
  };
  jettonMaster: { totalSupply: string; mintable: boolean; admin: { address: string } | null; content: Record<string, string> } | null;
  nftCollection: { nextItemIndex: string; owner: { address: string } | null } | null;
  nftItem: { index: string; domain: string; owner: { address: string } | null; collection: { account: { address: string; metadata: { name: string } | null } } | null } | null;
  jettonWallets: { nodes: { balance: string; account: { address: string }; jettonAccount: { address: string; metadata: { name: string; symbol: string } | null }; jetton: { content: Record<string, string> } | null }[] };
  nftItems: { nodes: { index: string; domain: string; account: { address: string; metadata: { name: string } | null } }[] };
};

/** Decimals of a Jetton, 9 unless its content says otherwise (TEP-64). */
function decimals(content: Record<string, string> | undefined): number {
  const n = Number(content?.['decimals'] ?? 9);
  return Number.isInteger(n) && n >= 0 && n <= 255 ? n : 9;
}

export function AccountPage({ address }: { address: string }) {
  const query = useQuery<Answer>('account', { address });
  useEffect(() => { document.title = `${short(address)} · Explorer`; }, [address]);
  return <Loaded of={query}>{(d) => <Shown d={d} />}</Loaded>;
}

function Shown({ d }: { d: Answer }) {
  const a = d.account;
  const title = a.metadata?.name || a.domain || d.nftItem?.domain || 'Account';
  return (
    <>
      <h1>{title}{a.metadata?.symbol && <span class="dim"> {a.metadata.symbol}</span>}</h1>
      <p class="mono wrap">{a.friendly}</p>
      <Facts of={[
        ['Raw address', <span class="mono wrap">{a.address}</span>],
        ['Balance', a.state ? coins(a.state.balance) : '0 TON'],
        ['Status', a.state ? a.state.status.toLowerCase() : 'nothing is in the index'],
        ['Domain', a.domain],
        ['Offers', a.interfaces.join(', ')],
        ['Description', a.metadata?.description],
        ['Supply', d.jettonMaster && amount(d.jettonMaster.totalSupply, decimals(d.jettonMaster.content))],
        ['May be minted', d.jettonMaster && (d.jettonMaster.mintable ? 'yes' : 'no')],
        ['Admin', d.jettonMaster?.admin && <Address of={d.jettonMaster.admin.address} />],
        ['Items', d.nftCollection && d.nftCollection.nextItemIndex],
        ['Collection owner', d.nftCollection?.owner && <Address of={d.nftCollection.owner.address} />],
        ['Item number', d.nftItem && short(d.nftItem.index)],
        ['Owner', d.nftItem?.owner && <Address of={d.nftItem.owner.address} />],
        ['Collection', d.nftItem?.collection && <Link to={toAccount(d.nftItem.collection.account.address)}>{d.nftItem.collection.account.metadata?.name || short(d.nftItem.collection.account.address)}</Link>],
        ['Code hash', a.state?.codeHash && <span class="mono wrap">{a.state.codeHash}</span>],
      ]} />
      {d.jettonWallets.nodes.length > 0 && (
        <section aria-labelledby="jettons"><h2 id="jettons">Jettons</h2>
          <ul class="rows">
            {d.jettonWallets.nodes.map((w) => (
              <li key={w.account.address}>
                <Link to={toAccount(w.jettonAccount.address)} class="kind">{w.jettonAccount.metadata?.name || short(w.jettonAccount.address)}</Link>
                <span class="what">{amount(w.balance, decimals(w.jetton?.content))} {w.jettonAccount.metadata?.symbol}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {d.nftItems.nodes.length > 0 && (
        <section aria-labelledby="nfts"><h2 id="nfts">NFTs</h2>
          <ul class="rows">
            {d.nftItems.nodes.map((n) => (
              <li key={n.account.address}><Link to={toAccount(n.account.address)} class="kind">{n.domain || n.account.metadata?.name || `No. ${short(n.index)}`}</Link></li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="actions"><h2 id="actions">Actions</h2><Actions rows={a.actions.nodes} empty="No actions of complete traces." /></section>
      <section aria-labelledby="transactions"><h2 id="transactions">Transactions</h2><More key={a.address} address={a.address} first={a.transactions} /></section>
    </>
  );
}

/** A list that is read on, page by page. */
function More({ address, first }: { address: string; first: Page<Tx> }) {
  const [page, setPage] = useState(first);
  const [error, setError] = useState<string>();
  const more = () => ask<Answer>('account', { address, after: page.pageInfo.endCursor }).then(
    (d) => setPage({ nodes: [...page.nodes, ...d.account.transactions.nodes], pageInfo: d.account.transactions.pageInfo }),
    (e: Error) => setError(e.message),
  );
  return (
    <>
      <Transactions rows={page.nodes} />
      {error && <p role="alert" class="bad">{error}</p>}
      {page.pageInfo.hasNextPage && <button type="button" onClick={more}>Older</button>}
    </>
  );
}
