import type { Page, Ref } from '../types';
import { shown, who } from '../addressbook';
import { Link, toAccount } from '../router';
import { short } from '../format';
import { Address } from '../parts/address';
import { Badge } from '../parts/badge';
import { Money } from '../parts/money';
import { Pages } from '../parts/pages';
import { Worth } from '../parts/worth';
import { Picture } from '../parts/picture';
import { Transfers, type Transfer } from './transfers';
import { T, fill, render } from '../text';

type Wallet = { balance: string; account: Ref; jettonAccount: Ref };
type Holding = { id: string; balance: string; owner: Ref };

/** Lists the Jetton balances of an account. */
export function Jettons({ address }: { address: string }) {
  return (
    <Pages query="account_jettons" variables={{ address }} next={T.more.more} live={{ query: 'live_actions', variables: { accounts: [address] }, every: 5000, replace: true }} pick={(d: { account: { jettonWallets: Page<Wallet> } }) => d.account.jettonWallets}>
      {(rows) => (
        <ul class="rows">
          {rows.map((w) => (
            <li key={w.account.address} class="row">
              <Picture of={w.jettonAccount.address} />
              <div class="body">
                <div><Link to={toAccount(w.jettonAccount.address)} class="kind">{who(w.jettonAccount.address).name || T.jettons.noName}</Link><Badge of={w.jettonAccount.address} /></div>
                <div class="what"><span class="clause">{render(T.jettons.wallet, { address: <Link to={toAccount(w.account.address)} class="mono">{short(shown(w.account.address))}</Link> })}</span></div>
              </div>
              <div class="side"><div class="sum"><Money of={w.balance} master={w.jettonAccount.address} /></div><Worth of={w.balance} master={w.jettonAccount.address} /></div>
            </li>
          ))}
        </ul>
      )}
    </Pages>
  );
}

/** Formats a share of the supply in percent with two decimals, without floating point. */
function share(part: string, supply: string): string {
  if (!/^[1-9]\d*$/.test(supply)) return '';
  const hundredths = (BigInt(part) * 10000n) / BigInt(supply);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} %`;
}

/** Lists the holders of a Jetton, largest balance first. */
export function Holders({ address, jettonMaster }: { address: string; jettonMaster: { totalSupply: string } | null }) {
  const supply = jettonMaster?.totalSupply ?? '0';
  return (
    <Pages query="jetton_holders" variables={{ address }} live={{ query: 'live_actions', variables: { asset: address }, every: 15_000, replace: true }} next={T.more.more} pick={(d: { jettonMaster: { wallets: Page<Holding> } | null }) => d.jettonMaster?.wallets}>
      {(rows) => rows.length === 0 ? <p class="empty">{T.jettons.noHolders}</p> : (
        <>
          {rows.length > 1 && /^[1-9]/.test(supply) && <Distribution balances={rows.slice(0, groups.at(-1)).map((h) => BigInt(h.balance))} supply={BigInt(supply)} />}
          <ol class="rows">
            {rows.map((h, i) => (
              <li key={h.id} class="line">
                <span class="rank dim">{i + 1}</span>
                <span class="grow"><Address of={h.owner.address} /></span>
                <span class="dim">{share(h.balance, supply)}</span>
                <span class="sum"><Money of={h.balance} master={address} /></span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Pages>
  );
}

const groups = [1, 10, 50, 100];

/** The part of the supply that the largest holders have, as bars and as a table. */
function Distribution({ balances, supply }: { balances: bigint[]; supply: bigint }) {
  const largest = (n: number) => balances.slice(0, n).reduce((sum, b) => sum + b, 0n);
  const sizes = groups.filter((n, i) => n < balances.length || i === 0 || groups[i - 1]! < balances.length);
  const all = largest(groups.at(-1)!);
  const rows = [...sizes.map((n) => [fill(T.jettons.top, { n: Math.min(n, balances.length) }), largest(n)] as const), ...(supply > all ? [[T.jettons.others, supply - all] as const] : [])];
  return (
    <section class="distribution" aria-labelledby="distribution">
      <h2 id="distribution">{T.jettons.distribution}</h2>
      <table>
        <thead><tr><th scope="col">{T.jettons.group}</th><th scope="col" colSpan={2}>{T.jettons.part}</th></tr></thead>
        <tbody>{rows.map(([name, sum]) => (
          <tr key={name}><th scope="row">{name}</th><td>{share(String(sum), String(supply))}</td><td class="bar"><svg class="way" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width={Math.max(0.5, Math.min(100, Number((sum * 1000n) / supply) / 10))} height="6" rx="2" /></svg></td></tr>
        ))}</tbody>
      </table>
    </section>
  );
}

type Moved = { transactionHash: string; traceHash: string | null; now: string; aborted: boolean; amount: string; source: Ref; destination: Ref | null };

export function JettonTransfers({ address }: { address: string }) {
  return (
    <Pages query="jetton_transfers" variables={{ address }} live={{ query: 'live_actions', variables: { asset: address } }} pick={(d: { jettonTransfers: Page<Moved> }) => d.jettonTransfers}>
      {(rows) => <Transfers rows={rows.map((t): Transfer => ({ ...t, from: t.source.address, to: t.destination?.address, what: <Money of={t.amount} master={address} /> }))} />}
    </Pages>
  );
}
