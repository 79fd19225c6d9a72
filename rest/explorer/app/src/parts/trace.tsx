// A trace: its actions, its value flow and its tree.
import type { Action, Page } from '../types';
import { hex, short } from '../format';
import { Skeleton } from '../load';
import { Link, toTrace } from '../router';
import { Actions } from './actions';
import { Flow } from './flow';
import { Section } from './section';
import { playground } from './sources';
import { useSteps } from './step';
import { Tree } from './tree';
import { T, fill } from '../text';

export type Trace = {
  hash: string; externalHash: string | null; state: string; finality: string; startUtime: string; endUtime: string; transactionCount: number;
  warning: string | null; actions: Page<Action>;
};

/** A link that simulates a message again in the playground. */
export function Again({ message }: { message: string }) {
  return <a class="again" href={playground('simulate', { hash: message })}>{T.trace.again}</a>;
}

export function TraceView({ t, current }: { t: Trace; current?: string }) {
  const { steps, error } = useSteps(t.hash, t.transactionCount);
  return (
    <>
      <div class="columns">
        <Section id="actions" title={T.trace.actions}><Actions rows={t.actions.nodes} empty={T.actions.noneRecognised} />{t.actions.pageInfo.hasNextPage && <p class="dim">{fill(T.actions.first, { n: t.actions.nodes.length })}</p>}</Section>
        <Section id="flow" title={T.trace.flow}>{steps ? <Flow steps={steps} /> : !error && <Skeleton rows={3} />}</Section>
      </div>
      <Section id="trace" title={current ? <>{T.trace.title} <Link to={toTrace(t.hash)} class="mono">{short(hex(t.hash))}</Link></> : T.trace.tree} aside={t.externalHash && <Again message={t.externalHash} />}>
        {t.warning && <p class="callout bad">{t.warning}</p>}
        {error && <p role="alert" class="callout bad">{error}</p>}
        {steps ? <Tree steps={steps} {...(current ? { current } : {})} /> : !error && <Skeleton rows={3} />}
      </Section>
    </>
  );
}
