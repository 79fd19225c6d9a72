import type { Action } from '../types';
import { Link, toTrace } from '../router';
import { Icon } from './icon';
import { When } from './when';
import { Say, direction, sentenceOf } from './sentence';
import { T } from '../text';

/** Lists actions: kind, parties, amount, time. */
export function Actions({ rows, me, fresh, empty = T.actions.none }: { rows: Action[]; me?: string; fresh?: Set<string>; empty?: string }) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return <ul class="rows">{rows.map((a) => <Row key={a.hash} a={a} me={me} fresh={fresh?.has(a.hash) || fresh?.has(JSON.stringify(a)) || false} />)}</ul>;
}

function Row({ a, me, fresh }: { a: Action; me: string | undefined; fresh: boolean }) {
  const [title, icon, sum, said] = sentenceOf(a);
  const sign = direction(a, me);
  return (
    <li class={fresh ? 'row fresh' : 'row'}>
      <span class={a.success ? 'mark' : 'mark bad'}><Icon name={icon} /></span>
      <div class="body">
        <div><Link to={toTrace(a.traceHash)} class="kind">{title}</Link>{!a.success && <span class="badge bad">{T.actions.failed}</span>}</div>
        <div class="what"><Say what={said} of={a.details} me={me} /></div>
      </div>
      <div class="side">
        <div class={sign === '+' ? 'sum ok' : 'sum'}>{sign}<Say what={sum} of={a.details} me={me} /></div>
        <When at={a.endUtime} />
      </div>
    </li>
  );
}
