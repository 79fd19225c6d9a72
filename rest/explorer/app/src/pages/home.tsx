// The home page: the head of the chain, the latest blocks and actions, updated live.
import { useEffect, useRef, useState } from 'preact/hooks';
import { follow, send } from '../api';
import { hasUnknown, isSystem, lookUp } from '../addressbook';
import { Skeleton, sentence } from '../load';
import type { Action, Block } from '../types';
import { Actions } from '../parts/actions';
import { NetworkDays } from '../parts/days';
import { Blocks } from '../parts/blocks';
import { Head, type Status } from '../parts/head';
import { Section } from '../parts/section';
import { useSource } from '../parts/sources';
import { T } from '../text';

type Home = { blocks: { nodes: (Block & { globalId: number })[] }; actions: { nodes: Action[] }; indexStatus: Status };

const max = { blocks: 120, masterchain: 14, actions: 60, shown: 20, names: 100 };

/** The page sends at most one request per interval. */
const interval = 1000; // ms
const rereadAfter = 15_000; // ms

/** Merges lists, newest first, without duplicates. */
function merge<T>(now: T[], more: T[], key: (v: T) => string, limit: number): T[] {
  const seen = new Set<string>();
  return [...more, ...now].filter((v) => !seen.has(key(v)) && seen.add(key(v))).slice(0, limit);
}

const byTime = (a: Block, b: Block) => b.mcSeqno - a.mcSeqno || a.workchain - b.workchain;

const byEnd = (a: Action, b: Action) => Date.parse(b.endUtime) - Date.parse(a.endUtime);

/** Reports actions between system accounts only, such as rewards to the Elector, which every block has. */
function housekeeping(a: Action): boolean {
  const d = a.details as { source?: string; destination?: string; account?: string } | null;
  const parties = [d?.source, d?.destination, d?.account].filter((p): p is string => typeof p === 'string');
  return parties.length > 0 && parties.every(isSystem);
}

export function HomePage() {
  const [blocks, setBlocks] = useState<Block[]>([]);
  const [actions, setActions] = useState<Action[]>([]);
  const [status, setStatus] = useState<Status & { globalId?: number }>();
  const [named, setNamed] = useState(false); // the first actions have the names of their accounts
  const [error, setError] = useState<string>();
  const [all, setAll] = useState(false);
  const [frozen, setFrozen] = useState<Action[]>(); // the list under the pointer does not change
  const fresh = useRef(new Set<string>());
  useSource('home', {});
  useEffect(() => {
    document.title = T.title;
    let gone = false, busy = false, readAt = 0;
    let arrived: Action[] = []; // newest first; their addresses are not looked up yet
    let listed: Action[] = [];
    const show = (more: Action[]) => {
      listed = merge(listed, more, (a) => a.hash, max.actions).sort(byEnd);
      setActions(listed);
    };
    // Events carry no names. One request looks up the addresses of all actions that arrived since the last one.
    const name = async () => {
      const batch = arrived;
      arrived = [];
      await lookUp([batch, listed], max.names);
      if (gone) return;
      show(batch);
      setNamed(true);
    };
    const read = async () => {
      readAt = Date.now();
      const h = await send<Home>('home', {});
      if (gone) return;
      setBlocks((now) => merge(now, h.blocks.nodes, (b) => b.rootHash, max.blocks).sort(byTime));
      arrived = merge(arrived, h.actions.nodes.filter((a) => !listed.some((b) => b.hash === a.hash)), (a) => a.hash, max.actions);
      setStatus({ ...h.indexStatus, ...(h.blocks.nodes[0] ? { globalId: h.blocks.nodes[0].globalId } : {}) });
      setError(undefined);
    };
    const once = async (work: () => Promise<void>) => {
      busy = true;
      await work().catch((e: unknown) => { if (!gone) setError(sentence(e)); });
      busy = false;
    };
    const readAndName = async () => { await read(); await name(); };
    void once(readAndName);
    // Subscriptions update the lists; a periodic read recovers events that a lost connection missed. A hidden page sends
    // no requests.
    const clock = setInterval(() => {
      if (busy || document.hidden) return;
      if (Date.now() - readAt >= rereadAfter) void once(readAndName);
      else if (arrived.length > 0 || hasUnknown(listed.slice(0, max.shown))) void once(name);
    }, interval);
    const stop = [
      follow<{ blocks: { node: Block } }>('live_blocks', ({ blocks: { node } }) => {
        fresh.current.add(node.rootHash);
        setBlocks((now) => merge(now, [node], (b) => b.rootHash, max.blocks).sort(byTime));
      }),
      follow<{ actions: { node: Action } }>('live', ({ actions: { node } }) => {
        fresh.current.add(node.hash);
        arrived = merge(arrived, [node], (a) => a.hash, max.actions);
      }),
    ];
    return () => { gone = true; clearInterval(clock); stop.forEach((f) => f()); };
  }, []);
  const masterchain = blocks.filter((b) => b.workchain === -1).slice(0, max.masterchain);
  const counts = new Map<number, number>();
  for (const b of blocks) counts.set(b.mcSeqno, (counts.get(b.mcSeqno) ?? 0) + b.txCount);
  const newest = (all ? actions : actions.filter((a) => !housekeeping(a))).slice(0, max.shown);
  const shown = frozen ?? newest;
  return (
    <>
      <h1 class="hidden">{T.home.heading}</h1>
      {error && <p role="alert" class="callout bad">{error}</p>}
      <Head blocks={blocks} counts={counts} status={status} />
      <div class="columns">
        <Section id="latest-actions" title={T.home.actions} aside={
          <span class="switches">
            {frozen && <span class="badge">{T.home.paused}</span>}
            <label class="switch"><input type="checkbox" checked={all} onChange={(e) => { setFrozen(undefined); setAll(e.currentTarget.checked); }} /> {T.home.housekeeping}</label>
          </span>}>
          <div onMouseEnter={() => setFrozen(newest)} onMouseLeave={() => setFrozen(undefined)}>
            {named ? <Actions rows={shown} fresh={fresh.current} /> : <Skeleton rows={12} />}
          </div>
        </Section>
        <Section id="latest-blocks" title={T.home.blocks}>
          {status ? <Blocks rows={masterchain} count={(b) => counts.get(b.mcSeqno) ?? b.txCount} fresh={fresh.current} /> : <Skeleton rows={12} />}
        </Section>
      </div>
      {status && named && <NetworkDays />}
    </>
  );
}
