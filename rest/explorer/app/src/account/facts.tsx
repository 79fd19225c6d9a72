// The facts of an account besides its balance, by its kind.
import { who } from '../addressbook';
import { grouped, moment, short, span, unix } from '../format';
import { Address } from '../parts/address';
import type { Fact } from '../parts/facts';
import { OrderBadge } from '../parts/order';
import { Coins, Money } from '../parts/money';
import type { Account, DomainRecord, Order, Sale } from './types';
import { T, entry, fill, render } from '../text';

const list = (refs: { address: string }[]) => refs.map((r, i) => <>{i > 0 && ', '}<Address of={r.address} /></>);

export function saleFacts(s: Sale): Fact[] {
  const { fixedPrice: f, auction: u, telemint: t } = s;
  return [
    [T.facts.sale, fill(s.kind === 'FIXED_PRICE' ? T.facts.fixedPrice : T.facts.auction, { state: entry<string>(T.sale, s.state) ?? s.state.toLowerCase() })],
    [T.facts.price, f?.fullPrice && <Coins of={f.fullPrice} full />],
    [T.facts.royalty, f?.royaltyAmount && f.royaltyAmount !== '0' && <Coins of={f.royaltyAmount} />],
    [T.facts.name, t?.tokenName],
    [T.facts.highestBid, (u?.lastBid ?? t?.bid) && ((u?.lastMember ?? t?.bidder) ? <>{render(T.facts.bidBy, { coins: <Coins of={u?.lastBid ?? t?.bid} />, account: <Address of={u?.lastMember ?? t?.bidder} /> })}</> : <Coins of={u?.lastBid ?? t?.bid} />)],
    [T.facts.lowestBid, (u?.minBid ?? t?.minBid) && <Coins of={u?.minBid ?? t?.minBid} />],
    [T.facts.ends, unix(u?.endTime ?? t?.endTime)],
    [T.facts.seller, s.seller && <Address of={s.seller.address} />],
    [T.facts.soldBy, <Address of={s.account.address} />],
    [T.facts.marketplace, s.marketplace && <Address of={s.marketplace.address} />],
  ];
}

export function recordFacts(r: DomainRecord): Fact[] {
  return [
    [T.facts.domain, r.domain],
    [T.facts.records, !r.wallet && !r.nextResolver && !r.siteAdnl && !r.storageBag && !r.text && <span class="dim">{T.facts.noRecords}</span>],
    [T.facts.wallet, r.wallet && <Address of={r.wallet.address} />],
    [T.facts.resolver, r.nextResolver && <Address of={r.nextResolver.address} />],
    [T.facts.site, r.siteAdnl && <span class="mono wrap">{r.siteAdnl}</span>],
    [T.facts.storage, r.storageBag && <span class="mono wrap">{r.storageBag}</span>],
    [T.facts.text, r.text && <q>{r.text}</q>],
    [T.facts.renewed, r.renewedAt && moment(r.renewedAt)],
    [T.facts.expires, r.expiresAt ? <>{moment(r.expiresAt)} {r.expired && <span class="badge bad">{T.facts.expired}</span>}</> : <span class="dim">{r.renewedAt ? T.facts.noLease : T.facts.unknown}</span>],
  ];
}

function orderFacts(o: Order): Fact[] {
  return [
    [T.facts.multisig, <Address of={o.multisigAccount.address} />],
    [T.facts.order, fill(T.facts.orderNumber, { n: short(o.seqno) })],
    [T.facts.signed, fill(T.facts.ofAll, { n: o.approvalsNum ?? 0, all: o.threshold ?? '?' })],
    [T.facts.state, <OrderBadge state={o.state} />],
    [T.facts.expires, unix(o.expiration)],
    [T.facts.signers, list(o.signers)],
    ...o.actions.map((x, i): Fact => [fill(T.facts.wouldDo, { n: i + 1 }), x.error ? <span class="dim">{x.error}</span> : <>{render(T.facts.transferTo, { coins: <Coins of={x.value} />, account: <Address of={x.destination?.address} nobody={T.address.itself} /> })}{x.bodyType && <span class="dim"> · {x.bodyType}</span>}</>]),
  ];
}

export function factsOf(a: Account): Fact[] {
  const { jettonMaster: j, jettonWallet: w, nftCollection: c, nftItem: n, multisig: m, vesting: v } = a;
  const facts: Fact[] = [];
  if (j) facts.push([T.facts.supply, <Money of={j.totalSupply} master={a.address} />], [T.facts.mintable, j.canMint ? T.facts.yes : j.mintable ? T.facts.noAdmin : T.facts.no], [T.facts.admin, j.admin ? <Address of={j.admin.address} /> : T.address.nobody], [T.facts.decimals, who(a.address).decimals?.toString() ?? <span class="dim">{T.facts.decimalsUnknown}</span>]);
  if (w) facts.push([T.facts.owner, <Address of={w.owner.address} />], [T.facts.jetton, <Address of={w.jettonAccount.address} />]);
  if (c) facts.push([T.facts.items, c.nextItemIndex === '-1' ? T.facts.notCounted : grouped(c.nextItemIndex)], [T.facts.owner, c.owner ? <Address of={c.owner.address} /> : T.address.nobody]);
  if (n) {
    facts.push(
      [T.facts.owner, n.owner ? <Address of={n.owner.address} /> : T.address.nobody],
      [T.facts.offeredBy, n.seller && n.seller.address !== n.owner?.address && <Address of={n.seller.address} />],
      [T.facts.collection, n.collection && <Address of={n.collection.account.address} />],
      [T.facts.number, short(n.index)],
      [T.facts.authority, n.sbt?.authority && <Address of={n.sbt.authority} />],
      [T.facts.revoked, n.sbt && unix(n.sbt.revokedAt)],
    );
    const traits = a.metadata?.traits ?? [];
    facts.push([T.nfts.traits, traits.length > 0 && <ul class="chips traits">{traits.map((t, i) => <li key={i} class="chip">{t.name ? `${t.name}: ${t.value}` : t.value}</li>)}</ul>]);
    if (n.dns) facts.push(...recordFacts(n.dns));
    if (n.sale) facts.push(...saleFacts(n.sale));
  }
  if (a.nftSale) facts.push([T.facts.item, a.nftSale.itemAccount && <Address of={a.nftSale.itemAccount.address} />], ...saleFacts(a.nftSale));
  if (m) facts.push([T.facts.signaturesNeeded, fill(T.facts.ofAll, { n: m.threshold, all: m.signers.length })], [T.facts.signers, list(m.signers)], [T.facts.proposers, m.proposers.length > 0 && list(m.proposers)], [T.facts.nextOrder, short(m.nextOrderSeqno)]);
  if (a.multisigOrder) facts.push(...orderFacts(a.multisigOrder));
  if (v) {
    facts.push(
      [T.facts.locked, v.progress ? <>{render(T.facts.lockedOf, { coins: <Coins of={v.progress.lockedAmount} full />, all: <Coins of={v.totalAmount} /> })}</> : <span class="dim">{render(T.facts.noSchedule, { coins: <Coins of={v.totalAmount} /> })}</span>],
      [T.facts.nextRelease, v.progress?.nextReleaseAt && moment(v.progress.nextReleaseAt)],
      [T.facts.from, unix(v.startTime)], [T.facts.for, fill(T.facts.periods, { span: span(v.totalDuration), period: span(v.unlockPeriod) })],
      [T.facts.cliff, v.cliffDuration > 0 && span(v.cliffDuration)], [T.facts.givenBy, <Address of={v.sender.address} />], [T.facts.owner, <Address of={v.owner.address} />],
      [T.facts.whitelist, v.whitelist.length > 0 && list(v.whitelist)],
    );
  }
  return facts;
}
