// The head of the chain and what happens on it, moving.
import { useEffect, useState } from 'preact/hooks';
import { ask, follow } from '../api';
import type { Action, Block } from '../types';
import { Actions, Blocks } from '../parts/rows';

type Home = { blocks: { nodes: Block[] }; actions: { nodes: Action[] }; indexStatus: { lagSeconds: number | null; gaps: { first: number; last: number }[] } };

const most = { blocks: 12, actions: 25 };

/** Newest first, each once. */
function merge<T>(now: T[], more: T[], key: (v: T) => string, limit: number): T[] {
  const seen = new Set<string>();
  return [...more, ...now].filter((v) => !seen.has(key(v)) && seen.add(key(v))).slice(0, limit);
}

export function HomePage() {
  const [blocks, setBlocks] = useState<Block[]>([]);
  const [actions, setActions] = useState<Action[]>([]);
  const [status, setStatus] = useState<Home['indexStatus']>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    document.title = 'Explorer';
    let gone = false;
    const read = () => ask<Home>('home').then((h) => {
      if (gone) return;
      setBlocks((now) => merge(now, h.blocks.nodes, (b) => b.rootHash, most.blocks));
      setActions((now) => merge(now, h.actions.nodes, (a) => a.hash, most.actions));
      setStatus(h.indexStatus);
      setError(undefined);
    }, (e: Error) => { if (!gone) setError(e.message); });
    void read();
    // The lists move by subscription; reading again now and then mends what a lost connection missed.
    const again = setInterval(read, 15000);
    const stop = [
      follow<{ blocks: { node: Block } }>('live_blocks', (d) => setBlocks((now) => merge(now, [d.blocks.node], (b) => b.rootHash, most.blocks))),
      follow<{ actions: { node: Action } }>('live', (d) => setActions((now) => merge(now, [d.actions.node], (a) => a.hash, most.actions))),
    ];
    return () => { gone = true; clearInterval(again); stop.forEach((f) => f()); };
  }, []);
  return (
    <>
      <h1 class="hidden">Latest on the chain</h1>
      {error && <p role="alert" class="bad">{error}</p>}
      {status && status.gaps.length > 0 && <p class="bad">The index has {status.gaps.length} gap(s); they are being filled.</p>}
      <div class="columns">
        <section aria-labelledby="latest-blocks"><h2 id="latest-blocks">Latest blocks</h2><Blocks rows={blocks} /></section>
        <section aria-labelledby="latest-actions"><h2 id="latest-actions">Latest actions</h2><Actions rows={actions} /></section>
      </div>
    </>
  );
}
