import { useEffect } from 'preact/hooks';
import { Loaded, Callout, useQuery } from '../load';
import { grouped, moment, span } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import { TraceView, type Trace } from '../parts/trace';

export function TracePage({ hash }: { hash: string }) {
  const query = useQuery<{ trace: Trace | null }>('trace', { hash });
  useEffect(() => { document.title = 'Trace · Explorer'; }, [hash]);
  return <Loaded of={query} rows={10}>{({ trace: t }) => (t ? <Shown t={t} /> : <Callout title="Trace not found">This trace does not exist, or is not indexed yet.</Callout>)}</Loaded>;
}

function Shown({ t }: { t: Trace }) {
  const seconds = (Date.parse(t.endUtime) - Date.parse(t.startUtime)) / 1000;
  return (
    <>
      <div class="card">
        <div class="title"><h1>Trace</h1>
          <span class={t.state === 'COMPLETE' ? 'badge ok' : 'badge'}>{t.state.toLowerCase()}</span>
          <span class={t.finality === 'INVALIDATED' ? 'badge bad' : 'badge'}>{t.finality.toLowerCase()}</span>
        </div>
        <FullHash of={t.hash} />
        <Facts of={[
          ['Transactions', grouped(t.transactionCount)],
          ['Began', moment(t.startUtime)],
          ['Took', seconds > 0 && span(seconds)],
          ['External message', t.externalHash && <FullHash of={t.externalHash} what="hash of the external message" />],
        ]} />
      </div>
      <TraceView t={t} />
    </>
  );
}
