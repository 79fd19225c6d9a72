// Lists that are read on, page by page, by the cursor of the last row.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Skeleton, ask, sentence } from '../load';
import type { Page } from '../types';

type State<T> = { rows: T[]; info?: Page<T>['pageInfo']; error?: string; busy: boolean };

export function Pages<A, T>({ query, variables, pick, children, next = 'Older' }: {
  query: string; variables: Record<string, unknown>; pick: (answer: A) => Page<T> | undefined; children: (rows: T[]) => ComponentChildren; next?: string;
}) {
  const [state, setState] = useState<State<T>>({ rows: [], busy: true });
  const key = JSON.stringify(variables);
  const read = (before: T[], after: string | null, signal?: AbortSignal) => ask<A>(query, { ...variables, after }, signal).then(
    (answer) => {
      const page = pick(answer);
      if (!signal?.aborted) setState({ rows: [...before, ...(page?.nodes ?? [])], ...(page ? { info: page.pageInfo } : {}), busy: false });
    },
    (e: unknown) => { if (!signal?.aborted) setState((s) => ({ ...s, error: sentence(e), busy: false })); },
  );
  useEffect(() => {
    const abort = new AbortController();
    setState({ rows: [], busy: true });
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
      {state.error && <p role="alert" class="notice bad">{state.error}</p>}
      {state.info?.hasNextPage && <p class="more"><button type="button" onClick={more} disabled={state.busy}>{state.busy ? 'Reading…' : next}</button></p>}
    </>
  );
}
