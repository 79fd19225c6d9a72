// Relative times that update every second; one timer serves all of them.
import { useEffect, useState } from 'preact/hooks';
import { inUTC, onClock } from '../clock';
import { ago, elapsed, local, moment } from '../format';

const waiting = new Set<(now: number) => void>();
let clock: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    waiting.add(setNow);
    const stop = onClock(() => setNow((n) => n + 1)); // renders again
    clock ??= setInterval(() => waiting.forEach((update) => update(Date.now())), 1000);
    return () => {
      stop();
      waiting.delete(setNow);
      if (waiting.size === 0) { clearInterval(clock); clock = undefined; }
    };
  }, []);
  return now;
}

/** The time since a moment that is shown in UTC beside it, and the moment in the zone of the browser. */
export function Since({ at }: { at: string }) {
  const ago = elapsed(at, useNow()), here = new Date(at).getTimezoneOffset() === 0 ? '' : ` · ${local(at)}`;
  return <span class="dim">· {ago}{here}</span>;
}

export function When({ at }: { at: string }) {
  const relative = ago(at, useNow()), utc = moment(at);
  return <time class="dim" dateTime={at} title={inUTC() ? relative : `${utc}, ${local(at)}`}>{inUTC() ? utc : relative}</time>;
}
