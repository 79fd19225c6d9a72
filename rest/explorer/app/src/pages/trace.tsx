import { useEffect } from 'preact/hooks';
import { Loaded, Callout, useQuery } from '../load';
import { grouped, moment, span } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import { TraceView, type Trace } from '../parts/trace';
import { T, entry, fill } from '../text';

export function TracePage({ hash }: { hash: string }) {
  const query = useQuery<{ trace: Trace | null }>('trace', { hash });
  useEffect(() => { document.title = fill(T.titled, { title: T.trace.title }); }, [hash]);
  return <Loaded of={query} rows={10}>{({ trace: t }) => (t ? <Shown t={t} /> : <Callout title={T.trace.notFound}>{T.trace.absent}</Callout>)}</Loaded>;
}

function Shown({ t }: { t: Trace }) {
  const seconds = (Date.parse(t.endUtime) - Date.parse(t.startUtime)) / 1000;
  return (
    <>
      <div class="card">
        <div class="title"><h1>{T.trace.title}</h1>
          <span class={t.state === 'COMPLETE' ? 'badge ok' : 'badge'}>{entry<string>(T.traceStates, t.state) ?? t.state.toLowerCase()}</span>
          <span class={t.finality === 'INVALIDATED' ? 'badge bad' : 'badge'}>{entry<string>(T.finality, t.finality) ?? t.finality.toLowerCase()}</span>
        </div>
        <FullHash of={t.hash} />
        <Facts of={[
          [T.trace.transactions, grouped(t.transactionCount)],
          [T.trace.began, moment(t.startUtime)],
          [T.trace.took, seconds > 0 && span(seconds)],
          [T.trace.external, t.externalHash && <FullHash of={t.externalHash} what={T.copy.externalHash} />],
        ]} />
      </div>
      <TraceView t={t} />
    </>
  );
}
