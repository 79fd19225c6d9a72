// Key figures of the chain and of the index.
import type { ComponentChildren } from 'preact';
import type { Block } from '../types';
import { grouped, span } from '../format';
import { Link, toBlock } from '../router';
import { useNow } from './when';
import { T, entry, fill } from '../text';
import { network } from '../address';

export type Status = {
  lagSeconds: number | null; ranges: { first: number; last: number }[]; gaps: { first: number; last: number }[];
  verification: { replayed: string; mismatch: string; replayedShare: number | null };
};

/** Formats a share in percent, rounded down: 100 % only for 1. */
function percent(share: number): string {
  return share === 1 ? '100 %' : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function Figure({ name, note, children }: { name: string; note?: ComponentChildren; children: ComponentChildren }) {
  return <div class="figure"><dt>{name}</dt><dd><strong>{children}</strong>{note && <span class="dim">{note}</span>}</dd></div>;
}

/** Transactions of the last masterchain blocks as bars, oldest first. */
function Bars({ counts }: { counts: number[] }) {
  const top = Math.max(1, ...counts);
  return (
    <svg class="bars" viewBox={`0 0 ${counts.length * 5} 24`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((n, i) => <rect key={i} x={i * 5} width="4" y={24 - Math.max(1, (n / top) * 24)} height={Math.max(1, (n / top) * 24)} rx="1" />)}
    </svg>
  );
}

export function Head({ blocks, counts, status }: { blocks: Block[]; counts: Map<number, number>; status: (Status & { globalId?: number }) | undefined }) {
  const now = useNow();
  const chain = blocks.filter((b) => b.workchain === -1);
  const newest = chain[0], oldest = chain.at(-1);
  if (!status || !newest || !oldest) return <dl class="figures" aria-busy="true">{[1, 2, 3, 4].map((i) => <div key={i} class="figure"><dt>&nbsp;</dt><dd><strong>&nbsp;</strong></dd></div>)}</dl>;
  const seconds = (Date.parse(newest.genUtime) - Date.parse(oldest.genUtime)) / 1000;
  // The oldest block may lack its shard blocks, so it is used only as the start of the interval.
  const total = chain.slice(0, -1).reduce((sum, b) => sum + (counts.get(b.mcSeqno) ?? 0), 0);
  const age = Math.max(0, Math.round((now - Date.parse(newest.genUtime)) / 1000));
  const v = status.verification;
  const missing = status.gaps.reduce((sum, g) => sum + g.last - g.first + 1, 0);
  const indexed = status.ranges.reduce((sum, r) => sum + r.last - r.first + 1, 0);
  return (
    <dl class="figures">
      <Figure name={T.home.network} note={missing > 0 ? <span class="bad">{fill(T.home.missing, { n: grouped(missing), all: grouped(indexed + missing) })}</span> : fill((status.ranges[0]?.first ?? 1) > 1 ? T.home.completeSince : T.home.complete, { n: grouped(indexed), first: grouped(status.ranges[0]?.first ?? 1) })}>{entry<string>(T.network, network) ?? network}</Figure>
      <Figure name={T.home.masterchain} note={<><span class={age > 60 ? 'pulse late' : 'pulse'} />{age > 60 ? fill(T.home.behind, { span: span(age) }) : fill(T.home.ago, { n: age })}</>}><Link to={toBlock(newest)}>{grouped(newest.seqno)}</Link></Figure>
      <Figure name={T.home.transactions} note={<Bars counts={chain.slice(0, 30).map((b) => counts.get(b.mcSeqno) ?? 0).reverse()} />}>{seconds > 0 ? (total / seconds).toFixed(1) : total} <span class="unit">{T.home.perSecond}</span></Figure>
      <Figure name={T.home.replayed} note={v.mismatch !== '0' ? <span class="bad">{fill(T.home.mismatch, { n: grouped(v.mismatch) })}</span> : fill(T.home.same, { n: grouped(v.replayed) })}>{v.replayedShare === null ? T.home.none : percent(v.replayedShare)}</Figure>
    </dl>
  );
}
