// The message that the page shows while it waits for a rate limit.
import { useEffect, useState } from 'preact/hooks';
import { T, fill } from './text';

const listeners = new Set<() => void>();
let waiting = 0;
let until = 0; // ms

const changed = () => listeners.forEach((f) => f());

/** Waits for some seconds, which the page shows. Rejects at once when signal aborts. */
export function pausing(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ms = seconds * 1000 + Math.random() * 500; // spread, so that waiting requests do not resume together
    waiting++;
    until = Math.max(until, Date.now() + ms);
    changed();
    const done = () => { clearTimeout(timer); signal?.removeEventListener('abort', abort); waiting--; changed(); };
    const timer = setTimeout(() => { done(); resolve(); }, ms);
    const abort = () => { done(); reject(signal?.reason); };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

export function Pause() {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const update = () => setLeft(waiting > 0 ? Math.max(1, Math.ceil((until - Date.now()) / 1000)) : 0);
    listeners.add(update);
    const clock = setInterval(update, 1000);
    return () => { listeners.delete(update); clearInterval(clock); };
  }, []);
  return (
    <div role="status" class="pause">
      {left > 0 && <p class="callout">{fill(T.load.pause, { n: left })}</p>}
    </div>
  );
}
