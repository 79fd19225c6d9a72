// Lists that load further pages by the cursor of the last row.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Skeleton, request, sentence } from '../load';
import type { Page } from '../types';
import { visit } from '../visit';
import { useSource } from './sources';
import { T } from '../text';

type State<T> = { rows: T[]; info?: Page<T>['pageInfo']; error?: string; busy: boolean };

export function Pages<A, T>({ query, variables, pick, children, next = T.more.older }: {
  query: string; variables: Record<string, unknown>; pick: (data: A) => Page<T> | undefined; children: (rows: T[]) => ComponentChildren; next?: string;
}) {
  const key = JSON.stringify(variables), saved = `${query} ${key} rows`;
  const [state, setState] = useState<State<T>>(() => (visit().data.get(saved) as State<T> | undefined) ?? { rows: [], busy: true });
  const results = useRef(visit().data);
  useSource(query, variables);
  useEffect(() => { if (!state.busy) results.current.set(saved, state); }, [state]);
  const read = (before: T[], after: string | null, signal?: AbortSignal) => request<A>(query, { ...variables, after }, signal).then(
    (data) => {
      const page = pick(data);
      if (!signal?.aborted) setState({ rows: [...before, ...(page?.nodes ?? [])], ...(page ? { info: page.pageInfo } : {}), busy: false });
    },
    (e: unknown) => { if (!signal?.aborted) setState((s) => ({ ...s, error: sentence(e), busy: false })); },
  );
  useEffect(() => {
    const abort = new AbortController();
    results.current = visit().data;
    const before = results.current.get(saved) as State<T> | undefined;
    setState(before ?? { rows: [], busy: true });
    if (before) return undefined;
    void read([], null, abort.signal);
    return () => abort.abort();
  }, [query, key]);
  const more = () => {
    setState((s) => ({ rows: s.rows, ...(s.info ? { info: s.info } : {}), busy: true }));
    void read(state.rows, state.info?.endCursor ?? null);
  };
  if (state.busy && state.rows.length === 0) return <Skeleton />;
  return (
    <>
      {(!state.error || state.rows.length > 0) && children(state.rows)}
      {state.error && <p role="alert" class="callout bad">{state.error}</p>}
      {state.info?.hasNextPage && <p class="more"><button type="button" onClick={more} disabled={state.busy}>{state.busy ? T.more.loading : next}</button></p>}
    </>
  );
}
