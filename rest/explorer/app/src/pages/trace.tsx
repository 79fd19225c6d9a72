import { useEffect } from 'preact/hooks';
import { isHash } from '../address';
import { Loaded, Callout, useQuery } from '../load';
import { grouped, hex, moment, short, span } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import { Link, toTx } from '../router';
import { TraceView, type Trace } from '../parts/trace';
import { Absent, Stale, type IndexAge } from '../parts/indexage';
import { Since } from '../parts/when';
import { T, entry, fill } from '../text';

export function TracePage({ hash }: { hash: string }) {
  return isHash(hash) ? <OfHash hash={hash} /> : <Callout title={T.trace.notFound} bad>{T.load.noHash}</Callout>;
}

function OfHash({ hash }: { hash: string }) {
  const query = useQuery<{ trace: Trace | null; indexStatus: IndexAge }>('trace', { hash });
  const found = query.data?.trace?.hash;
  useEffect(() => { document.title = fill(T.titled, { title: `${T.trace.title} ${short(found ? hex(found) : hash)}` }); }, [hash, found]);
  return <Loaded of={query} rows={10}>{({ trace: t, indexStatus: s }) => (t ? <><Stale of={s} /><Shown t={t} /></> : <Callout title={T.trace.notFound}><Absent text={T.trace.absent} of={s} /> <Link to={toTx(hash)}>{T.trace.asTransaction}</Link></Callout>)}</Loaded>;
}

function Shown({ t }: { t: Trace }) {
  const seconds = (Date.parse(t.endUtime) - Date.parse(t.startUtime)) / 1000;
  return (
    <>
      <div class="card">
        <div class="title"><h1 title={T.trace.about}>{T.trace.title}</h1>
          <span class={t.state === 'COMPLETE' ? 'badge ok' : 'badge'} title={entry<string>(T.traceStatesAbout, t.state)}>{entry<string>(T.traceStates, t.state) ?? t.state.toLowerCase()}</span>
          <span class={t.finality === 'INVALIDATED' ? 'badge bad' : 'badge'}>{entry<string>(T.finality, t.finality) ?? t.finality.toLowerCase()}</span>
        </div>
        <FullHash of={t.hash} />
        <Facts of={[
          [T.trace.transactions, grouped(t.transactionCount)],
          [T.trace.began, <>{moment(t.startUtime)} <Since at={t.startUtime} /></>],
          [T.trace.took, seconds > 0 && span(seconds)],
          [T.trace.external, t.externalHash && <FullHash of={t.externalHash} what={T.copy.externalHash} />],
        ]} />
      </div>
      <TraceView t={t} />
    </>
  );
}
