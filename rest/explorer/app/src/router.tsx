// Client-side routes (/explorer/account/…, /explorer/tx/…) on the browser's history.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { push, restore } from './visit';

const base = '/explorer';
const Go = createContext<(path: string, stay?: boolean) => void>(() => {});

export function useGo(): (path: string, stay?: boolean) => void {
  return useContext(Go);
}

/** Splits the path; a part that cannot be decoded is returned unchanged. */
function parts(path: string): string[] {
  return path.slice(base.length).split('/').filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
}

export function Router({ children }: { children: (path: string[]) => ComponentChildren }) {
  const [place, setPlace] = useState(location.pathname + location.search);
  useEffect(() => {
    const moved = (e: PopStateEvent) => { restore(e.state); setPlace(location.pathname + location.search); };
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  const go = (to: string, stay = false) => {
    push(base + to);
    setPlace(location.pathname + location.search);
    if (stay) return;
    scrollTo(0, 0);
    document.getElementById('content')?.focus();
  };
  return <Go.Provider value={go}>{children(parts(place.split('?')[0] ?? ''))}</Go.Provider>;
}

/** The parameters in the page's address, and how to change them, which adds an entry to the history. */
export function useParams(): [URLSearchParams, (params: URLSearchParams) => void] {
  const go = useGo();
  const path = location.pathname.slice(base.length);
  return [new URLSearchParams(location.search), (params) => go(params.size > 0 ? `${path}?${String(params)}` : path, true)];
}

type LinkProps = { to: string; stay?: boolean } & JSX.HTMLAttributes<HTMLAnchorElement>;

/** A link within the page. With stay, which tabs use, the page does not scroll to the top. */
export function Link({ to, stay = false, onClick, ...rest }: LinkProps) {
  const go = useGo();
  return (
    <a
      {...rest}
      href={base + to}
      onClick={(e) => {
        if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
        e.preventDefault();
        go(to, stay);
        onClick?.(e);
      }}
    />
  );
}

export const toAccount = (a: string) => `/account/${a}`;
export const toTx = (hash: string) => `/tx/${hashPath(hash)}`;
export const toTrace = (hash: string) => `/trace/${hashPath(hash)}`;
export const toBlock = (b: { workchain: number; shard: string; seqno: number }) => `/block/${b.workchain}/${b.shard}/${b.seqno}`;

function hashPath(hash: string): string {
  return hash.replaceAll('+', '-').replaceAll('/', '_');
}
