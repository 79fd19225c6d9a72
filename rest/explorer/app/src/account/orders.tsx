import type { Page, Ref } from '../types';
import { short, unix } from '../format';
import { Link, toAccount } from '../router';
import { Icon } from '../parts/icon';
import { OrderBadge } from '../parts/order';
import { Pages } from '../parts/pages';
import { T, fill } from '../text';

type Row = { account: Ref; seqno: string; threshold: number | null; approvalsNum: number | null; expiration: string | null; state: string };

/** Orders of a multisig wallet. */
export function Orders({ address }: { address: string }) {
  return (
    <Pages query="multisig_orders" variables={{ address }} pick={(d: { multisigOrders: Page<Row> }) => d.multisigOrders}>
      {(rows) => rows.length === 0 ? <p class="empty">{T.orders.none}</p> : (
        <ul class="rows">
          {rows.map((o) => (
            <li key={o.account.address} class="row">
              <span class="mark"><Icon name="pen" /></span>
              <div class="body"><div><Link to={toAccount(o.account.address)} class="kind">{fill(T.orders.order, { n: short(o.seqno) })}</Link></div>
                <div class="what"><span class="clause">{fill(T.orders.signatures, { n: o.approvalsNum ?? 0, all: o.threshold ?? '?' })}</span>{unix(o.expiration) && <span class="clause">{fill(T.orders.until, { time: unix(o.expiration) })}</span>}</div></div>
              <div class="side"><OrderBadge state={o.state} /></div>
            </li>
          ))}
        </ul>
      )}
    </Pages>
  );
}
