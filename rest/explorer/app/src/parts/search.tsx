// The search box: hits appear while the user types, grouped by kind, and arrow keys select one. Enter opens a single hit at once, but
// never a similar address.
import { useEffect, useRef, useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { short } from '../format';
import { shown } from '../addressbook';
import { send } from '../api';
import { isHash, pattern, testOnlyOf, wrongChecksum } from '../address';
import { Badge } from './badge';
import { toAccount, toBlock, toTrace, toTx, useGo } from '../router';
import { Icon } from './icon';
import { T, entry, plural } from '../text';

type Hit = {
  kind: string; title: string; account: { address: string } | null;
  block: { workchain: number; shard: string; seqno: number } | null; transaction: { hash: string } | null;
  message: { hash: string; sourceTransaction: { hash: string } | null; destinationTransaction: { hash: string } | null } | null;
  trace: { hash: string } | null; correction: { position: number; length: number; text: string } | null;
};
type Shown = { to: string; hit: Hit };
type Found = { text: string; hits?: Shown[]; error?: string; pending?: string | undefined }; // pending: finality of a message that is in no block

const tokens = new Set(['JETTON', 'NFT_COLLECTION', 'NFT_ITEM']); // kinds of hits whose names anyone can give

const debounce = 250; // ms without input before a search
const minLength = 2; // characters of a search

function place(h: Hit, text: string): string | undefined {
  if (h.block) return toBlock(h.block);
  if (h.transaction) return toTx(h.transaction.hash);
  if (h.trace) return toTrace(h.trace.hash);
  const tx = h.message?.destinationTransaction ?? h.message?.sourceTransaction;
  if (tx) return toTx(tx.hash);
  return h.account ? toAccount(h.kind === 'ACCOUNT' && testOnlyOf(text) !== undefined ? text.replaceAll('/', '_').replaceAll('+', '-') : h.account.address) : undefined;
}

/** Orders hits by kind, the kinds by their first hit. */
function grouped(hits: Shown[]): Shown[] {
  const kinds = [...new Set(hits.map(({ hit }) => hit.kind))];
  return kinds.flatMap((kind) => hits.filter(({ hit }) => hit.kind === kind));
}

/** The text of a hit; of a corrected address, with the place of the mistake marked. */
function Title({ of: hit }: { of: Hit }) {
  if (hit.correction) {
    const { position, length, text } = hit.correction;
    return <span class="wrap mono">{text.slice(0, position - 1)}<mark>{text.slice(position - 1, position - 1 + length)}</mark>{text.slice(position - 1 + length)}</span>;
  }
  const hash = /^[0-9a-f]{64}$/.test(hit.title);
  return <span class={hash ? 'wrap mono' : 'wrap'} title={hash ? hit.title : undefined}>{pattern.test(hit.title) ? shown(hit.title) : hash ? short(hit.title, 14) : hit.title}</span>;
}

/** The finality of a message that was sent through this service and is in no block; undefined for another hash, and when it cannot be read. */
async function pendingOf(hash: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await send<{ pendingTraces: { finality: string }[] }>('pending', { hash }, signal).catch(() => undefined);
  return found?.pendingTraces[0]?.finality;
}

/** What is said of a search without hits. */
function noneOf({ text, pending }: Found): string {
  if (pending) return pending === 'INVALIDATED' ? T.search.invalidated : T.search.pending;
  return isHash(text) ? T.search.noHash : T.search.none;
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  try {
    const { search } = await request<{ search: Hit[] }>('search', { text }, signal);
    const hits = grouped(search.flatMap((hit) => { const to = place(hit, text); return to ? [{ to, hit }] : []; }));
    return { text, hits, pending: hits.length === 0 && isHash(text) ? await pendingOf(text, signal) : undefined };
  } catch (e) {
    return { text, error: sentence(e) };
  }
}

export function Search() {
  const go = useGo();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [at, setAt] = useState(-1);
  const inFlight = useRef<AbortController>();
  const lastText = useRef(''); // text of the last search
  const shut = () => { inFlight.current?.abort(); lastText.current = ''; setFound(undefined); setAt(-1); };
  const look = async (wanted: string): Promise<Found | undefined> => {
    inFlight.current?.abort();
    const abort = new AbortController();
    inFlight.current = abort;
    lastText.current = wanted;
    const result = await find(wanted, abort.signal);
    if (abort.signal.aborted) return undefined;
    setFound(result);
    setAt(-1);
    return result;
  };
  useEffect(() => {
    const wanted = text.trim();
    if (wanted.length < minLength) return;
    // Enter may have started this search already; a second one would abort it.
    const timer = setTimeout(() => { if (lastText.current !== wanted) void look(wanted); }, debounce);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const slash = (e: KeyboardEvent) => {
      if (e.key === '/' && !(e.target as HTMLElement).closest('input, textarea')) { e.preventDefault(); box.current?.focus(); }
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  const visit = (to: string) => { shut(); setText(''); go(to); };
  const submit = async (e: Event) => {
    e.preventDefault();
    const wanted = (box.current?.value ?? '').trim();
    if (!wanted) return;
    const chosen = found?.text === wanted ? found.hits?.[at] : undefined;
    if (chosen) { visit(chosen.to); return; }
    const result = await look(wanted);
    const [first, ...others] = result?.hits ?? [];
    // A seqno opens the masterchain block.
    if (first && !first.hit.correction && (others.length === 0 || first.hit.block?.workchain === -1)) visit(first.to);
  };
  const hits = found?.hits ?? [];
  const kinds = [...new Set(hits.map(({ hit }) => hit.kind))];
  useEffect(() => { if (at >= 0) document.getElementById(`hit-${at}`)?.scrollIntoView({ block: 'nearest' }); }, [at]);
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'Escape') shut();
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (!step || hits.length === 0) return;
    e.preventDefault();
    setAt((now) => (now + step + hits.length + (now < 0 && step < 0 ? 1 : 0)) % hits.length);
  };
  return (
    <form role="search" class="search" onSubmit={submit} onBlur={(e) => { if (!(e.currentTarget as HTMLElement).contains(e.relatedTarget as Node | null)) shut(); }}>
      <label for="search" class="hidden">{T.search.label}</label>
      <Icon name="search" />
      <input ref={box} id="search" type="search" value={text} onInput={(e) => { shut(); setText(e.currentTarget.value); }} onKeyDown={keys} autocomplete="off" spellcheck={false} maxLength={200}
        placeholder={T.search.placeholder} role="combobox" aria-expanded={hits.length > 0} aria-controls="hits" aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `hit-${at}` : undefined} />
      <div class="hits">
        <div role="status">
          {found?.error && <p class="bad">{found.error}</p>}
          {found && wrongChecksum(found.text)
            ? <p class="bad">{hits.length > 0 ? T.search.similar : T.search.checksum}</p>
            : found?.hits?.length === 0 && <p class="dim">{noneOf(found)}</p>}
          {hits.length > 0 && <span class="hidden">{plural(hits.length, T.search.hits)}</span>}
        </div>
        <div id="hits" role="listbox" aria-label={T.search.list}>
          {kinds.map((kind) => (
            <ul key={kind} role="group" aria-labelledby={`hits-${kind}`}>
              <li role="presentation" id={`hits-${kind}`} class="group">{entry<string>(T.search.groups, kind) ?? T.search.other}</li>
              {hits.map(({ to, hit }, i) => hit.kind === kind && (
                <li key={to} id={`hit-${i}`} role="option" aria-selected={i === at} onMouseDown={(e) => e.preventDefault()} onClick={() => visit(to)}><Title of={hit} />{hit.account && tokens.has(kind) && <span class="side"><Badge of={hit.account.address} /> <span class="mono dim">{short(shown(hit.account.address), 4)}</span></span>}</li>
              ))}
            </ul>
          ))}
        </div>
      </div>
    </form>
  );
}
