// The facts of an account besides its balance, by its kind.
import { who } from '../addressbook';
import { grouped, moment, short, span, unix } from '../format';
import { Address } from '../parts/address';
import type { Fact } from '../parts/facts';
import { OrderBadge } from '../parts/order';
import { Coins, Money } from '../parts/money';
import type { Account, DomainRecord, Order, Sale } from './types';

const list = (refs: { address: string }[]) => refs.map((r, i) => <>{i > 0 && ', '}<Address of={r.address} /></>);

const saleStates: Record<string, string> = {
  OPEN: 'open', ENDED: 'time is over, not settled yet', CLOSED: 'closed: sold or withdrawn', CANCELED: 'cancelled', INACTIVE: 'not active',
};

export function saleFacts(s: Sale): Fact[] {
  const { fixedPrice: f, auction: u, telemint: t } = s;
  return [
    ['Sale', `${s.kind === 'FIXED_PRICE' ? 'at a fixed price' : 'auction'}, ${saleStates[s.state] ?? s.state.toLowerCase()}`],
    ['Price', f?.fullPrice && <Coins of={f.fullPrice} full />],
    ['Royalty', f?.royaltyAmount && f.royaltyAmount !== '0' && <Coins of={f.royaltyAmount} />],
    ['Name', t?.tokenName],
    ['Highest bid', (u?.lastBid ?? t?.bid) && <><Coins of={u?.lastBid ?? t?.bid} /> {(u?.lastMember ?? t?.bidder) && <>by <Address of={u?.lastMember ?? t?.bidder} /></>}</>],
    ['Lowest bid', (u?.minBid ?? t?.minBid) && <Coins of={u?.minBid ?? t?.minBid} />],
    ['Ends', unix(u?.endTime ?? t?.endTime)],
    ['Seller', s.seller && <Address of={s.seller.address} />],
    ['Sold by contract', <Address of={s.account.address} />],
    ['Marketplace', s.marketplace && <Address of={s.marketplace.address} />],
  ];
}

export function recordFacts(r: DomainRecord): Fact[] {
  return [
    ['Domain', r.domain],
    ['Records', !r.wallet && !r.nextResolver && !r.siteAdnl && !r.storageBag && !r.text && <span class="dim">none are set: the domain does not resolve to anything</span>],
    ['Wallet', r.wallet && <Address of={r.wallet.address} />],
    ['Next resolver', r.nextResolver && <Address of={r.nextResolver.address} />],
    ['Site (ADNL)', r.siteAdnl && <span class="mono wrap">{r.siteAdnl}</span>],
    ['Storage bag', r.storageBag && <span class="mono wrap">{r.storageBag}</span>],
    ['Text', r.text && <q>{r.text}</q>],
    ['Renewed', r.renewedAt && moment(r.renewedAt)],
    ['Expires', r.expiresAt ? <>{moment(r.expiresAt)} {r.expired && <span class="badge bad">expired</span>}</> : <span class="dim">{r.renewedAt ? 'not known: the zone does not say how long a payment lasts' : 'not known'}</span>],
  ];
}

function orderFacts(o: Order): Fact[] {
  return [
    ['Multisig', <Address of={o.multisigAccount.address} />],
    ['Order', `no. ${short(o.seqno)}`],
    ['Signed', `${o.approvalsNum ?? 0} of ${o.threshold ?? '?'}`],
    ['State', <OrderBadge state={o.state} />],
    ['Expires', unix(o.expiration)],
    ['Signers', list(o.signers)],
    ...o.actions.map((x, i): Fact => [`Would do ${i + 1}`, x.error ? <span class="dim">{x.error}</span> : <><Coins of={x.value} /> to <Address of={x.destination?.address} nobody="itself" />{x.bodyType && <span class="dim"> · {x.bodyType}</span>}</>]),
  ];
}

export function factsOf(a: Account): Fact[] {
  const { jettonMaster: j, jettonWallet: w, nftCollection: c, nftItem: n, multisig: m, vesting: v } = a;
  const facts: Fact[] = [];
  if (j) facts.push(['Supply', <Money of={j.totalSupply} master={a.address} />], ['More may be minted', j.canMint ? 'yes' : j.mintable ? 'no: nobody is the admin' : 'no'], ['Admin', j.admin ? <Address of={j.admin.address} /> : 'nobody'], ['Decimals', String(who(a.address).decimals)]);
  if (w) facts.push(['Owner', <Address of={w.owner.address} />], ['Jetton', <Address of={w.jettonAccount.address} />]);
  if (c) facts.push(['Items', c.nextItemIndex === '-1' ? 'not counted' : grouped(c.nextItemIndex)], ['Owner', c.owner ? <Address of={c.owner.address} /> : 'nobody']);
  if (n) {
    facts.push(
      ['Owner', n.owner ? <Address of={n.owner.address} /> : 'nobody'],
      ['Sold by', n.seller && n.seller.address !== n.owner?.address && <Address of={n.seller.address} />],
      ['Collection', n.collection && <Address of={n.collection.account.address} />],
      ['Number', short(n.index)],
      ['Authority', n.sbt?.authority && <Address of={n.sbt.authority} />],
      ['Revoked', n.sbt && unix(n.sbt.revokedAt)],
    );
    if (n.dns) facts.push(...recordFacts(n.dns));
    if (n.sale) facts.push(...saleFacts(n.sale));
  }
  if (a.nftSale) facts.push(['Item', a.nftSale.itemAccount && <Address of={a.nftSale.itemAccount.address} />], ...saleFacts(a.nftSale));
  if (m) facts.push(['Signatures needed', `${m.threshold} of ${m.signers.length}`], ['Signers', list(m.signers)], ['Proposers', m.proposers.length > 0 && list(m.proposers)], ['Next order', short(m.nextOrderSeqno)]);
  if (a.multisigOrder) facts.push(...orderFacts(a.multisigOrder));
  if (v) {
    facts.push(
      ['Still locked', v.progress ? <><Coins of={v.progress.lockedAmount} full /> of <Coins of={v.totalAmount} /></> : <span class="dim">not known: the schedule of <Coins of={v.totalAmount} /> cannot be computed</span>],
      ['Next release', v.progress?.nextReleaseAt && moment(v.progress.nextReleaseAt)],
      ['From', unix(v.startTime)], ['For', `${span(v.totalDuration)}, a part every ${span(v.unlockPeriod)}`],
      ['Cliff', v.cliffDuration > 0 && span(v.cliffDuration)], ['Given by', <Address of={v.sender.address} />], ['Owner', <Address of={v.owner.address} />],
      ['May pay to', v.whitelist.length > 0 && list(v.whitelist)],
    );
  }
  return facts;
}
