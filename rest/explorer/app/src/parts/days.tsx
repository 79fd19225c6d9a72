// Charts of the network, of a Jetton and of an account: one query each.
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped, moment } from '../format';
import { Loaded, useQuery } from '../load';
import type { Ref } from '../types';
import { who } from '../addressbook';
import { Address } from './address';
import { Chart, type Series } from './chart';
import { Coins, Money } from './money';
import { Section } from './section';
import { T, fill, plural } from '../text';

type NetworkDay = { date: string; complete: boolean; transactions: string; fees: string; activeAccounts: string | null };

function networkSeries(days: NetworkDay[]): Series[] {
  const note = (d: NetworkDay) => (d.complete ? {} : { note: T.charts.partial });
  return [
    { id: 'transactions', name: T.charts.transactions, decimals: 0, points: days.map((d) => ({ time: d.date, value: d.transactions, shown: grouped(d.transactions), ...note(d) })) },
    { id: 'fees', name: T.charts.fees, decimals: 9, points: days.map((d) => ({ time: d.date, value: d.fees, shown: <Coins of={d.fees} />, ...note(d) })) },
    { id: 'active', name: T.charts.active, decimals: 0, points: days.map((d) => ({ time: d.date, value: d.activeAccounts, shown: d.activeAccounts && grouped(d.activeAccounts) })) },
  ];
}

function LoadedDays() {
  const query = useQuery<{ networkDays: { completeUntil: string | null; days: NetworkDay[] } }>('network_days', {});
  return <Loaded of={query} within>{({ networkDays: n }) => <Chart of={networkSeries(n.days)} until={n.completeUntil} label={T.charts.network} />}</Loaded>;
}

/** The chart of the network. It is at the end of the page, and requested when more than its heading is in sight. */
export function NetworkDays() {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || !place.current) return undefined;
    const observer = new IntersectionObserver((entries) => { if (entries.some((e) => e.isIntersecting)) setSeen(true); }, { threshold: 0.5 });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [seen]);
  return <Section id="network-days" title={T.charts.network}><div ref={place} class="days">{seen && <LoadedDays />}</div></Section>;
}

type JettonDay = { date: string; transfers: string; holders: string | null; supply: string | null };

export function JettonDays({ address }: { address: string }) {
  const query = useQuery<{ jettonDays: { completeUntil: string | null; days: JettonDay[] } }>('jetton_days', { address });
  return (
    <Loaded of={query} within>{({ jettonDays: { days, completeUntil } }) => (
      <Chart until={completeUntil} label={T.charts.jetton} of={[
        { id: 'transfers', name: T.charts.transfers, decimals: 0, points: days.map((d) => ({ time: d.date, value: d.transfers, shown: grouped(d.transfers) })) },
        { id: 'holders', name: T.charts.holders, decimals: 0, points: days.map((d) => ({ time: d.date, value: d.holders, shown: d.holders && grouped(d.holders) })) },
        { id: 'supply', name: T.charts.supply, decimals: who(address).decimals ?? 0, points: days.map((d) => ({ time: d.date, value: d.supply, shown: d.supply && <Money of={d.supply} master={address} /> })) },
      ]} />
    )}</Loaded>
  );
}

type AccountCharts = {
  account: { balanceHistory: { nodes: { now: string; balance: string | null }[] } };
  counterparties: { completeFrom: string | null; completeUntil: string | null; accounts: { account: Ref; received: number; sent: number; receivedValue: string; sentValue: string }[] };
};

export function AccountCharts({ address }: { address: string }) {
  const query = useQuery<AccountCharts>('account_charts', { address });
  return (
    <Loaded of={query} within>{({ account, counterparties: c }) => (
      <>
        <h2>{T.charts.balance}</h2>
        {account.balanceHistory.nodes.length > 1 && <p class="dim">{fill(T.charts.latest, { n: account.balanceHistory.nodes.length })}</p>}
        <Chart until={null} label={T.charts.balance} of={[{ id: 'balance', name: T.charts.balance, decimals: 9, points: [...account.balanceHistory.nodes].reverse().map((p) => ({ time: p.now, value: p.balance, shown: p.balance && <Coins of={p.balance} /> })) }]} />
        <h2>{T.charts.counterparties}</h2>
        {c.completeFrom && <p class="dim">{fill(T.charts.since, { time: moment(c.completeFrom) })}</p>}
        {c.completeUntil && <p class="dim">{fill(T.charts.until, { time: moment(c.completeUntil) })}</p>}
        {c.accounts.length === 0 ? <p class="empty">{T.charts.none}</p> : (
          <div class="scroll" tabIndex={0} role="region" aria-label={T.charts.counterparties}>
            <table>
              <thead><tr><th scope="col">{T.charts.account}</th><th scope="col">{T.charts.received}</th><th scope="col">{T.charts.sent}</th></tr></thead>
              <tbody>{c.accounts.map((p) => <tr key={p.account.address}><td><Address of={p.account.address} /></td><td>{plural(p.received, T.charts.messages, grouped(p.received))} · <Coins of={p.receivedValue} /></td><td>{plural(p.sent, T.charts.messages, grouped(p.sent))} · <Coins of={p.sentValue} /></td></tr>)}</tbody>
            </table>
          </div>
        )}
      </>
    )}</Loaded>
  );
}
