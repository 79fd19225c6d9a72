// A trace: its actions, its value flow and its tree.
import type { Action, Balance, Page, Tx } from '../types';
import { grouped, hex, short } from '../format';
import { Link, toTrace } from '../router';
import { Actions } from './actions';
import { Flow } from './flow';
import { Section } from './section';
import { Tree } from './tree';
import { T, fill } from '../text';

export type TraceTx = Tx & { origStatus: string; stateBefore: Balance; stateAfter: Balance };
export type Trace = {
  hash: string; externalHash: string | null; state: string; finality: string; startUtime: string; endUtime: string; transactionCount: number;
  warning: string | null; transactions: Page<TraceTx>; actions: Page<Action>;
};

export function TraceView({ t, current }: { t: Trace; current?: string }) {
  const txs = t.transactions.nodes;
  const partial = t.transactions.pageInfo.hasNextPage;
  return (
    <>
      <div class="columns">
        <Section id="actions" title={T.trace.actions}><Actions rows={t.actions.nodes} empty={T.actions.noneRecognised} /></Section>
        <Section id="flow" title={T.trace.flow}><Flow txs={txs} partial={partial} /></Section>
      </div>
      <Section id="trace" title={current ? <>{T.trace.title} <Link to={toTrace(t.hash)} class="mono">{short(hex(t.hash))}</Link></> : T.trace.tree}>
        {t.warning && <p class="callout bad">{t.warning}</p>}
        <Tree txs={txs} {...(current ? { current } : {})} />
        {partial && <p class="dim">{fill(T.trace.first, { n: grouped(txs.length), all: grouped(t.transactionCount) })}</p>}
      </Section>
    </>
  );
}
