// The search box: hits appear while the user types, arrow keys select one. Enter opens a single hit at once.
import { useEffect, useRef, useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { words } from '../format';
import { shown } from '../addressbook';
import { pattern } from '../address';
import { toAccount, toBlock, toTrace, toTx, useGo } from '../router';
import { Icon } from './icon';

type Hit = {
  kind: string; title: string; account: { address: string } | null;
  block: { workchain: number; shard: string; seqno: number } | null; transaction: { hash: string } | null;
  message: { hash: string; sourceTransaction: { hash: string } | null; destinationTransaction: { hash: string } | null } | null;
  trace: { hash: string } | null;
};
type Found = { text: string; hits?: { to: string; hit: Hit }[]; error?: string };

const debounce = 250; // ms without input before a search
const minLength = 2; // characters of a search

function place(h: Hit): string | undefined {
  if (h.block) return toBlock(h.block);
  if (h.transaction) return toTx(h.transaction.hash);
  if (h.trace) return toTrace(h.trace.hash);
  const tx = h.message?.destinationTransaction ?? h.message?.sourceTransaction;
  if (tx) return toTx(tx.hash);
  return h.account ? toAccount(h.account.address) : undefined;
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  try {
    const { search } = await request<{ search: Hit[] }>('search', { text }, signal);
    return { text, hits: search.flatMap((hit) => { const to = place(hit); return to ? [{ to, hit }] : []; }) };
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
    if (result?.hits?.length === 1) visit(result.hits[0]!.to);
  };
  const hits = found?.hits ?? [];
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'Escape') shut();
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (!step || hits.length === 0) return;
    e.preventDefault();
    setAt((now) => (now + step + hits.length + (now < 0 && step < 0 ? 1 : 0)) % hits.length);
  };
  return (
    <form role="search" class="search" onSubmit={submit} onBlur={(e) => { if (!(e.currentTarget as HTMLElement).contains(e.relatedTarget as Node | null)) shut(); }}>
      <label for="search" class="hidden">Search</label>
      <Icon name="search" />
      <input ref={box} id="search" type="search" value={text} onInput={(e) => { shut(); setText(e.currentTarget.value); }} onKeyDown={keys} autocomplete="off" spellcheck={false} maxLength={200}
        placeholder="Address, hash, block, domain or name" role="combobox" aria-expanded={hits.length > 0} aria-controls="hits" aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `hit-${at}` : undefined} />
      <div class="hits">
        <div role="status">
          {found?.error && <p class="bad">{found.error}</p>}
          {found?.hits?.length === 0 && <p class="dim">Nothing found.</p>}
          {hits.length > 0 && <span class="hidden">{hits.length} hits</span>}
        </div>
        <ul id="hits" role="listbox" aria-label="Hits">
          {hits.map(({ to, hit }, i) => (
            <li key={to + hit.kind} id={`hit-${i}`} role="option" aria-selected={i === at} onMouseDown={(e) => e.preventDefault()} onClick={() => visit(to)}>
              <span class="wrap">{pattern.test(hit.title) ? shown(hit.title) : hit.title}</span><span class="dim">{words(hit.kind)}</span>
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
}
