// Reading a page's data: an outline while it comes, words when it does not.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { send } from './api';
import { learn } from './book';

/** Asks, and knows who the addresses in the answer are. */
export async function ask<T>(name: string, variables: Record<string, unknown> = {}, signal?: AbortSignal): Promise<T> {
  const answer = await send<T>(name, variables, signal);
  await learn(answer);
  return answer;
}

export const sentence = (e: unknown): string => (e instanceof Error ? e.message : String(e));

export type Query<T> = { data: T | undefined; error: string | undefined };

export function useQuery<T>(name: string, variables: Record<string, unknown>): Query<T> {
  const [state, setState] = useState<{ data?: T; error?: string }>({});
  const key = JSON.stringify(variables);
  useEffect(() => {
    const abort = new AbortController();
    setState({});
    ask<T>(name, variables, abort.signal).then(
      (data) => { if (!abort.signal.aborted) setState({ data }); },
      (e: unknown) => { if (!abort.signal.aborted) setState({ error: sentence(e) }); },
    );
    return () => abort.abort();
  }, [name, key]);
  return { data: state.data, error: state.error };
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Reading…</span>
      {Array.from({ length: rows }, (_, i) => <div key={i} aria-hidden="true" />)}
    </div>
  );
}

/** What a page says when it has nothing else to say. */
export function Notice({ title, bad = false, children }: { title: string; bad?: boolean; children: ComponentChildren }) {
  return <div class={bad ? 'notice bad' : 'notice'} role={bad ? 'alert' : undefined}><h1>{title}</h1><p>{children}</p></div>;
}

/** The data of a page, or of a part within it. */
export function Loaded<T>({ of, rows, within = false, children }: { of: Query<T>; rows?: number; within?: boolean; children: (data: T) => ComponentChildren }) {
  if (of.error) return within ? <p role="alert" class="notice bad">{of.error}</p> : <Notice title="That cannot be shown" bad>{of.error}</Notice>;
  if (of.data === undefined) return <Skeleton {...(rows ? { rows } : {})} />;
  return <>{children(of.data)}</>;
}
