// The head of the chain and what happens on it, moving.
import { useEffect, useRef, useState } from 'preact/hooks';
import { follow, send } from '../api';
import { hasStrangers, isSystem, learn } from '../book';
import { Skeleton, sentence } from '../load';
import type { Action, Block } from '../types';
import { Actions } from '../parts/actions';
import { Blocks } from '../parts/blocks';
import { Head, type Status } from '../parts/head';
import { Section } from '../parts/section';

type Home = { blocks: { nodes: (Block & { globalId: number })[] }; actions: { nodes: Action[] }; indexStatus: Status };

const most = { blocks: 120, masterchain: 14, actions: 60, shown: 20, names: 100 };

/** The page makes at most one request in this time, however much happens on the chain. */
const pace = 1000; // ms
const rereadAfter = 15_000; // ms

/** Newest first, each once. */
function merge<T>(now: T[], more: T[], key: (v: T) => string, limit: number): T[] {
  const seen = new Set<string>();
  return [...more, ...now].filter((v) => !seen.has(key(v)) && seen.add(key(v))).slice(0, limit);
}

const byTime = (a: Block, b: Block) => b.mcSeqno - a.mcSeqno || a.workchain - b.workchain;

const byEnd = (a: Action, b: Action) => Date.parse(b.endUtime) - Date.parse(a.endUtime);

/** Rewards to the Elector and the like, which come with every block. */
function housekeeping(a: Action): boolean {
  const d = a.details as { source?: string; destination?: string; account?: string } | null;
  const parties = [d?.source, d?.destination, d?.account].filter((p): p is string => typeof p === 'string');
  return parties.length > 0 && parties.every(isSystem);
}

export function HomePage() {
  const [blocks, setBlocks] = useState<Block[]>([]);
  const [actions, setActions] = useState<Action[]>([]);
  const [status, setStatus] = useState<Status & { globalId?: number }>();
  const [error, setError] = useState<string>();
  const [all, setAll] = useState(false);
  const [held, setHeld] = useState<Action[]>(); // while somebody points at the list, it stands still
  const fresh = useRef(new Set<string>());
  useEffect(() => {
    document.title = 'Explorer';
    let gone = false, busy = false, readAt = 0;
    let arrived: Action[] = []; // newest first, their names not looked up yet
    let listed: Action[] = [];
    const show = (more: Action[]) => {
      listed = merge(listed, more, (a) => a.hash, most.actions).sort(byEnd);
      setActions(listed);
    };
    // Events bring actions without the names in them. One request looks up those of all that came since the last one.
    const name = async () => {
      const batch = arrived;
      arrived = [];
      await learn([batch, listed], most.names);
      if (!gone) show(batch);
    };
    const read = async () => {
      readAt = Date.now();
      const h = await send<Home>('home', {});
      if (gone) return;
      setBlocks((now) => merge(now, h.blocks.nodes, (b) => b.rootHash, most.blocks).sort(byTime));
      arrived = merge(arrived, h.actions.nodes.filter((a) => !listed.some((b) => b.hash === a.hash)), (a) => a.hash, most.actions);
      setStatus({ ...h.indexStatus, ...(h.blocks.nodes[0] ? { globalId: h.blocks.nodes[0].globalId } : {}) });
      setError(undefined);
    };
    const once = async (work: () => Promise<void>) => {
      busy = true;
      await work().catch((e: unknown) => { if (!gone) setError(sentence(e)); });
      busy = false;
    };
    void once(async () => { await read(); await name(); });
    // The lists move by subscription; reading again now and then mends what a lost connection missed. A page that nobody
    // looks at makes no requests.
    const clock = setInterval(() => {
      if (busy || document.hidden) return;
      if (Date.now() - readAt >= rereadAfter) void once(read);
      else if (arrived.length > 0 || hasStrangers(listed.slice(0, most.shown))) void once(name);
    }, pace);
    const stop = [
      follow<{ blocks: { node: Block } }>('live_blocks', ({ blocks: { node } }) => {
        fresh.current.add(node.rootHash);
        setBlocks((now) => merge(now, [node], (b) => b.rootHash, most.blocks).sort(byTime));
      }),
      follow<{ actions: { node: Action } }>('live', ({ actions: { node } }) => {
        fresh.current.add(node.hash);
        arrived = merge(arrived, [node], (a) => a.hash, most.actions);
      }),
    ];
    return () => { gone = true; clearInterval(clock); stop.forEach((f) => f()); };
  }, []);
  const masterchain = blocks.filter((b) => b.workchain === -1).slice(0, most.masterchain);
  const counts = new Map<number, number>();
  for (const b of blocks) counts.set(b.mcSeqno, (counts.get(b.mcSeqno) ?? 0) + b.txCount);
  const newest = (all ? actions : actions.filter((a) => !housekeeping(a))).slice(0, most.shown);
  const shown = held ?? newest;
  return (
    <>
      <h1 class="hidden">Latest on the chain</h1>
      {error && <p role="alert" class="notice bad">{error}</p>}
      <Head blocks={blocks} counts={counts} status={status} />
      <div class="columns">
        <Section id="latest-actions" title="Latest actions" aside={
          <span class="switches">
            {held && <span class="badge">paused</span>}
            <label class="switch"><input type="checkbox" checked={all} onChange={(e) => { setHeld(undefined); setAll(e.currentTarget.checked); }} /> Show housekeeping</label>
          </span>}>
          <div onMouseEnter={() => setHeld(newest)} onMouseLeave={() => setHeld(undefined)}>
            {status ? <Actions rows={shown} fresh={fresh.current} empty="No actions yet." /> : <Skeleton rows={12} />}
          </div>
        </Section>
        <Section id="latest-blocks" title="Latest blocks">
          {status ? <Blocks rows={masterchain} count={(b) => counts.get(b.mcSeqno) ?? b.txCount} fresh={fresh.current} /> : <Skeleton rows={12} />}
        </Section>
      </div>
    </>
  );
}
