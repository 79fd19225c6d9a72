// What the page says while it waits because the service limits requests.
import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
let waiting = 0;
let until = 0; // ms

const changed = () => listeners.forEach((f) => f());

/** Waits for some seconds, shown to the reader; rejects at once when the request is no longer wanted. */
export function pausing(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ms = seconds * 1000 + Math.random() * 500; // those who wait together do not all return together
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
      {left > 0 && <p class="notice">Many requests came from your network address, so the service answers it more slowly. The page tries again by itself in {left} s.</p>}
    </div>
  );
}
