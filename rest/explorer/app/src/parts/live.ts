// Updates of lists: a subscription says when a list may have changed.
import { useEffect } from 'preact/hooks';
import { follow } from '../api';

/**
 * What a list follows: a subscription, its variables, and the milliseconds between two updates. Lists that are not in the order of time,
 * or whose rows change, are replaced.
 */
export type Live = { query: 'live_transactions' | 'live_actions' | 'live_seqno'; variables?: Record<string, unknown>; every?: number; replace?: boolean };

const pause = 2000; // ms

/** A list whose reader has scrolled down does not move. */
const top = 200; // px

/** Calls update after events, not more often than the pause allows, and never while the page is hidden or scrolled, or the last update runs. */
export function useLive(live: Live | undefined, update: () => Promise<void>): void {
  const key = JSON.stringify(live ?? null);
  useEffect(() => {
    if (!live) return undefined;
    let changed = false, busy = false, at = Date.now();
    const every = live.every ?? pause;
    const stop = follow(live.query, () => { changed = true; }, live.variables);
    const clock = setInterval(() => {
      if (!changed || busy || document.hidden || scrollY > top || Date.now() - at < every) return;
      changed = false;
      busy = true;
      at = Date.now();
      void update().finally(() => { busy = false; });
    }, 500);
    return () => { clearInterval(clock); stop(); };
  }, [key, update]);
}
