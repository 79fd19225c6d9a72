import type { ComponentChildren } from 'preact';
import { Link, toTrace, toTx } from '../router';
import { Address } from '../parts/address';
import { Icon } from '../parts/icon';
import { When } from '../parts/when';
import { T } from '../text';

export type Transfer = {
  transactionHash: string; traceHash: string | null; now: string; aborted: boolean; from: string; to: string | undefined; what: ComponentChildren;
};

/** Lists token transfers: source, destination, amount or item, time. */
export function Transfers({ rows }: { rows: Transfer[] }) {
  if (rows.length === 0) return <p class="empty">{T.transfers.none}</p>;
  return (
    <ul class="rows">
      {rows.map((t) => (
        <li key={t.transactionHash + t.now} class="row">
          <span class={t.aborted ? 'mark bad' : 'mark'}><Icon name="send" /></span>
          <div class="body">
            <div><Link to={t.traceHash ? toTrace(t.traceHash) : toTx(t.transactionHash)} class="kind">{T.transfers.transfer}</Link>{t.aborted && <span class="badge bad">{T.actions.failed}</span>}</div>
            <div class="what"><Address of={t.from} /> <span class="arrow" aria-label={T.address.to}>→</span> <Address of={t.to} nobody={T.address.nobody} /></div>
          </div>
          <div class="side"><div class="sum">{t.what}</div><When at={t.now} /></div>
        </li>
      ))}
    </ul>
  );
}
