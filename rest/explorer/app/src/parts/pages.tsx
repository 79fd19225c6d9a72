// Lists that load further pages by the cursor of the last row, and add what is new at their beginning.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Retry, Skeleton, request, sentence } from '../load';
import type { Page } from '../types';
import { visit } from '../visit';
import { useLive, type Live } from './live';
import { useSource } from './sources';
import { T } from '../text';

type State<T> = { rows: T[]; info?: Page<T>['pageInfo']; error?: string; busy: boolean; further?: boolean }; // further: a second page was loaded

/** A filter may find nothing in the part of a list that one request compares with it. So many requests follow by themselves. */
const maxEmpty = 5;

export function Pages<A, T>({ query, variables, pick, children, next = T.more.older, live }: {
  query: string; variables: Record<string, unknown>; pick: (data: A) => Page<T> | undefined; children: (rows: T[], fresh: Set<string>) => ComponentChildren; next?: string; live?: Live;
}) {
  const key = JSON.stringify(variables), saved = `${query} ${key} rows`;
  const [state, setState] = useState<State<T>>(() => (visit().data.get(saved) as State<T> | undefined) ?? { rows: [], busy: true });
  const results = useRef(visit().data);
  const latest = useRef(state);
  const fresh = useRef(new Set<string>());
  latest.current = state;
  useSource(query, variables);
  useEffect(() => { if (!state.busy) results.current.set(saved, state); }, [state]);
  const read = async (before: T[], after: string | null, signal?: AbortSignal) => {
    try {
      let page: Page<T> | undefined;
      for (let tries = 0; tries < maxEmpty; tries++) {
        page = pick(await request<A>(query, { ...variables, after }, signal));
        if (!page || page.nodes.length > 0 || !page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor;
      }
      if (!signal?.aborted) setState({ rows: [...before, ...(page?.nodes ?? [])], ...(page ? { info: page.pageInfo } : {}), busy: false, further: before.length > 0 });
    } catch (e) {
      if (!signal?.aborted) setState((s) => ({ ...s, error: sentence(e), busy: false }));
    }
  };
  useEffect(() => {
    const abort = new AbortController();
    results.current = visit().data;
    const before = results.current.get(saved) as State<T> | undefined;
    fresh.current = new Set();
    setState(before ?? { rows: [], busy: true });
    if (before) return undefined;
    void read([], null, abort.signal);
    return () => abort.abort();
  }, [query, key]);
  // Rows of a list in the order of time never change once they are there, so a row that equals one of the list is that row. When nothing
  // of the first page is in the list, more has happened than a page has, and the list begins anew. Other lists are replaced, as long as no
  // second page was loaded.
  const update = useCallback(async () => {
    if (latest.current.busy) return;
    const data = await request<A>(query, { ...variables, after: null }).catch(() => undefined); // the next event tries again
    if (!data) return;
    const page = pick(data);
    const { rows: shown, busy, further } = latest.current;
    if (!page || busy) return;
    const texts = new Set(shown.map((row) => JSON.stringify(row)));
    const added = page.nodes.filter((row) => !texts.has(JSON.stringify(row)));
    const anew = live?.replace || added.length === page.nodes.length;
    if ((anew && further) || (added.length === 0 && !(live?.replace && shown.length !== page.nodes.length))) return;
    added.forEach((row) => fresh.current.add(JSON.stringify(row)));
    setState((s) => (anew ? { rows: page.nodes, info: page.pageInfo, busy: false } : { ...s, rows: [...added, ...s.rows] }));
  }, [query, key]);
  useLive(live, update);
  const more = () => {
    setState((s) => ({ rows: s.rows, ...(s.info ? { info: s.info } : {}), busy: true }));
    void read(state.rows, state.info?.endCursor ?? null);
  };
  if (state.busy && state.rows.length === 0) return <Skeleton />;
  return (
    <>
      {(!state.error || state.rows.length > 0) && children(state.rows, fresh.current)}
      {state.error && <p role="alert" class="callout bad">{state.error} <Retry retry={more} /></p>}
      {!state.error && state.info?.hasNextPage && <p class="more"><button type="button" onClick={more} disabled={state.busy}>{state.busy ? T.more.loading : next}</button></p>}
    </>
  );
}
