// Loading of a page's data: a skeleton while it loads, an error message when it fails.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { send } from './api';
import { lookUp } from './addressbook';
import { useSource } from './parts/sources';
import { visit } from './visit';
import { T } from './text';

/** Sends a query and looks up the addresses in its result. */
export async function request<T>(name: string, variables: Record<string, unknown> = {}, signal?: AbortSignal): Promise<T> {
  const data = await send<T>(name, variables, signal);
  await lookUp(data);
  return data;
}

export const sentence = (e: unknown): string => (e instanceof Error ? e.message : String(e));

export type Query<T> = { data: T | undefined; error: string | undefined; retry: () => void };

/** Sends a query when it or its variables change; never with off. */
export function useQuery<T>(name: string, variables: Record<string, unknown>, off = false): Query<T> {
  const key = JSON.stringify(variables), saved = `${name} ${key}`;
  const [state, setState] = useState<{ data?: T; error?: string }>(() => ({ data: visit().data.get(saved) as T }));
  const [tries, setTries] = useState(0);
  useSource(name, variables, off);
  useEffect(() => {
    if (off) return undefined;
    const abort = new AbortController(), { data: results } = visit();
    if (results.has(saved)) { setState({ data: results.get(saved) as T }); return undefined; }
    setState({});
    request<T>(name, variables, abort.signal).then(
      (data) => { if (!abort.signal.aborted) { results.set(saved, data); setState({ data }); } },
      (e: unknown) => { if (!abort.signal.aborted) setState({ error: sentence(e) }); },
    );
    return () => abort.abort();
  }, [name, key, off, tries]);
  return { data: state.data, error: state.error, retry: () => setTries((n) => n + 1) };
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{T.load.loading}</span>
      {Array.from({ length: rows }, (_, i) => <div key={i} aria-hidden="true" />)}
    </div>
  );
}

/** A button that sends a failed request again. */
export function Retry({ retry }: { retry: () => void }) {
  return <button type="button" class="retry" onClick={retry}>{T.load.retry}</button>;
}

/** A message in place of a page. */
export function Callout({ title, bad = false, children }: { title: string; bad?: boolean; children: ComponentChildren }) {
  return <div class={bad ? 'callout bad' : 'callout'} role={bad ? 'alert' : undefined}><h1>{title}</h1><p>{children}</p></div>;
}

/** Shows the data of a query, its error, or a skeleton. Within a page the error is one line. */
export function Loaded<T>({ of, rows, within = false, children }: { of: Query<T>; rows?: number; within?: boolean; children: (data: T) => ComponentChildren }) {
  if (of.error) return within ? <p role="alert" class="callout bad">{of.error} <Retry retry={of.retry} /></p> : <Callout title={T.load.failed} bad>{of.error} <Retry retry={of.retry} /></Callout>;
  if (of.data === undefined) return <Skeleton {...(rows ? { rows } : {})} />;
  return <>{children(of.data)}</>;
}
