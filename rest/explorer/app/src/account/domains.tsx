import type { Page } from '../types';
import { moment, unix } from '../format';
import { Loaded, useQuery } from '../load';
import { Link, toAccount } from '../router';
import { Address } from '../parts/address';
import { Pages } from '../parts/pages';
import { Facts } from '../parts/facts';
import { Coins } from '../parts/money';
import { useNow } from '../parts/when';
import { Picture } from '../parts/picture';
import type { Account, DomainRecord } from './types';
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

type Entry = { type: string; value: string };

/** A number of a result of a get-method; undefined for another entry. */
function numberOf(e: Entry | undefined): bigint | undefined {
  try { return e?.type === 'num' ? BigInt(e.value) : undefined; } catch { return undefined; }
}

/** The address in a slice: a bag of one cell with addr_std. Undefined for another entry. */
function addressOf(e: Entry | undefined): string | undefined {
  if (e?.type !== 'slice' && e?.type !== 'cell') return undefined;
  try {
    const bytes = Uint8Array.from(atob(e.value), (c) => c.charCodeAt(0));
    const data = bytes.subarray(11 + (bytes[4]! & 0x80 ? bytes[5]! : 0) + 2);
    if (data.length < 34 || data[0]! >> 5 !== 4) return undefined;
    const octets = Array.from({ length: 33 }, (_, i) => ((data[i]! << 3) | (data[i + 1]! >> 5)) & 0xff);
    return `${(octets[0]! << 24) >> 24}:${octets.slice(1).map((b) => b.toString(16).padStart(2, '0')).join('').toUpperCase()}`;
  } catch { return undefined; }
}

type Bids = { bidder?: string | null; bid: string | null; minBid?: string | null; end: string };

function AuctionFacts({ of: { bidder, bid, minBid, end } }: { of: Bids }) {
  const now = useNow();
  if (end === '0') return <p class="empty">{T.domains.noAuction}</p>;
  return <Facts of={[
    [T.domains.bid, bid && bid !== '0' && <Coins of={bid} full />],
    [T.domains.bidder, <Address of={bidder} nobody={T.address.nobody} />],
    [T.facts.lowestBid, minBid && <Coins of={minBid} full />],
    [T.domains.ends, <>{unix(end)} {Number(end) * 1000 < now && <span class="badge">{T.domains.ended}</span>}</>],
  ]} />;
}

/** The auction of a domain of .ton, which the item itself runs and reports by get_auction_info. */
function DomainAuction({ address }: { address: string }) {
  const query = useQuery<{ runGetMethod: { exitCode: number; stack: Entry[] } }>('run_method', { address, method: 'get_auction_info' });
  return (
    <Loaded of={query} rows={3} within>{({ runGetMethod: { exitCode, stack } }) => {
      const [bid, end] = [numberOf(stack[1]), numberOf(stack[2])];
      if (exitCode > 1 || exitCode < 0 || bid === undefined || end === undefined) return <p class="empty">{T.domains.unknown}</p>;
      return <AuctionFacts of={{ bidder: addressOf(stack[0]), bid: String(bid), end: String(end) }} />;
    }}</Loaded>
  );
}

/** The auction of an item that runs its own: a user name or number of Telegram, whose state is indexed, or a domain. */
export function Auction({ address, nftSale, nftItem }: Account) {
  const telemint = nftSale?.telemint ?? nftItem?.sale?.telemint;
  return telemint ? <AuctionFacts of={{ ...telemint, end: telemint.endTime }} /> : <DomainAuction address={address} />;
}
