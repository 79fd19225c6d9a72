import type { Page } from '../types';
import { moment } from '../format';
import { Link, toAccount } from '../router';
import { Address } from '../parts/address';
import { Pages } from '../parts/pages';
import { Picture } from '../parts/picture';
import type { DomainRecord } from './types';
import { T, fill, render } from '../text';

/** Lists the domains that resolve to the account. */
export function Domains({ address }: { address: string }) {
  return (
    <Pages query="account_domains" variables={{ address }} next={T.more.more} pick={(d: { account: { dnsRecords: Page<DomainRecord> } }) => d.account.dnsRecords}>
      {(rows) => (
        <ul class="rows">
          {rows.map((r) => (
            <li key={r.account.address} class="row">
              <Picture of={r.account.address} />
              <div class="body"><div><Link to={toAccount(r.account.address)} class="kind">{r.domain}</Link></div>
                <div class="what">{r.owner && <span class="clause">{render(T.domains.ownedBy, { account: <Address of={r.owner.address} me={address} /> })}</span>}{r.text && <span class="clause"><q>{r.text}</q></span>}{r.expiresAt && <span class="clause">{fill(r.expired ? T.domains.expired : T.domains.paid, { time: moment(r.expiresAt) })}</span>}</div></div>
            </li>
          ))}
        </ul>
      )}
    </Pages>
  );
}
