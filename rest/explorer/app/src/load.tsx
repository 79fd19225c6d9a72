// Reading a page's data: in words while it comes, and when it does not.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { ask } from './api';

export function useQuery<T>(name: string, variables: Record<string, unknown>): { data: T | undefined; error: string | undefined } {
  const [state, setState] = useState<{ data?: T; error?: string }>({});
  const key = JSON.stringify(variables);
  useEffect(() => {
    const abort = new AbortController();
    setState({});
    ask<T>(name, variables, abort.signal).then(
      (data) => setState({ data }),
      (e: unknown) => { if (!abort.signal.aborted) setState({ error: e instanceof Error ? e.message : String(e) }); },
    );
    return () => abort.abort();
  }, [name, key]);
  return { data: state.data, error: state.error };
}

export function Loaded<T>({ of, children }: { of: { data: T | undefined; error: string | undefined }; children: (data: T) => ComponentChildren }) {
  if (of.error) return <p role="alert" class="bad">{of.error}</p>;
  if (of.data === undefined) return <p role="status" class="dim">Reading…</p>;
  return <>{children(of.data)}</>;
}
