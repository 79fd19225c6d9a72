// The requests whose results a page shows: as GraphQL, as REST v3 and as commands of curl.
import { useEffect, useState } from 'preact/hooks';
import { document as documentOf } from '../api';
import { T, entry, fill } from '../text';
import rest from '../rest.json';
import { Copy } from './copy';

type Source = { name: string; variables: Record<string, unknown> };

const shown = new Map<symbol, Source>();
const listeners = new Set<() => void>();

/** Lists a query as one that the page shows, until the component is gone. */
export function useSource(name: string, variables: Record<string, unknown>, off = false): void {
  const key = JSON.stringify(variables);
  useEffect(() => {
    if (off) return undefined;
    const id = Symbol(name);
    shown.set(id, { name, variables: JSON.parse(key) as Record<string, unknown> });
    listeners.forEach((f) => f());
    return () => { shown.delete(id); listeners.forEach((f) => f()); };
  }, [name, key, off]);
}

/** Fills the path of a REST request; parameters without a value are omitted, lists are repeated. */
export function restPath(template: string, variables: Record<string, unknown>): string {
  const [path = '', query = ''] = template.split('?');
  const params = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    const field = /^\{([\w.]+)\}$/.exec(value)?.[1];
    const found = field ? field.split('.').reduce<unknown>((v, part) => (v as Record<string, unknown> | null | undefined)?.[part], variables) : value;
    for (const one of [found].flat()) {
      if (one === null || one === undefined || one === '') continue;
      params.append(name, /utime$/.test(name) ? String(Math.floor(Date.parse(String(one)) / 1000)) : String(one));
    }
  }
  return params.size > 0 ? `${path}?${String(params)}` : path;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Drops variables without a value, and the cursor of a list's first page. */
function given(variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).filter(([, v]) => v !== null && v !== undefined));
}

const methodPath = '/api/v3/runGetMethod';

/** The body of the REST request that runs a get-method on the newest block; undefined for arguments that REST lacks. */
function methodCall({ address, method, stack, seqno }: Record<string, unknown>): string | undefined {
  const list = (stack ?? []) as { type: string; value?: string }[];
  if (seqno !== null || list.some((a) => !/^(num|cell|slice)$/.test(a.type))) return undefined;
  return JSON.stringify({ address, method, stack: list });
}

function Code({ name, text, link }: { name: string; text: string; link?: string }) {
  return (
    <div class="source">
      <div class="line"><h3 class="grow">{name}</h3>{link && <a href={link}>{T.sources.open}</a>}<Copy text={text} what={name} /></div>
      <pre class="code" tabIndex={0} role="group" aria-label={name}>{text}</pre>
    </div>
  );
}

/** The address of the playground with a query and its variables. */
export function playground(name: string, variables: Record<string, unknown>): string {
  return linkOf(documentOf(name), Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '');
}

const linkOf = (query: string, text: string): string => `/playground?${new URLSearchParams({ query, ...(text ? { variables: text } : {}) }).toString()}`;

function Requests({ of: { name, variables } }: { of: Source }) {
  const query = documentOf(name), values = given(variables);
  const text = Object.keys(values).length > 0 ? JSON.stringify(values, null, 2) : '';
  const paths = (entry<string[]>(rest, name) ?? []).map((p) => restPath(p, variables));
  const body = JSON.stringify({ query, variables: values });
  const call = name === 'run_method' ? methodCall(variables) : undefined;
  const link = linkOf(query, text);
  return (
    <>
      <Code name={T.sources.graphql} text={text ? `${query}\n# ${T.sources.variables}\n# ${text.replaceAll('\n', '\n# ')}` : query} link={link} />
      {paths.length > 0 && <Code name={T.sources.rest} text={paths.map((p) => `GET ${p}`).join('\n')} />}
      {call && <Code name={T.sources.rest} text={`POST ${methodPath}\n\n${call}`} />}
      <Code name={T.sources.curl} text={[fill(T.sources.command, { url: `${location.origin}/graphql`, body: quoted(body) }), ...paths.map((p) => `curl -s ${quoted(location.origin + p)}`), ...(call ? [fill(T.sources.command, { url: location.origin + methodPath, body: quoted(call) })] : [])].join('\n\n')} />
    </>
  );
}

/** The requests of the page, written when they are opened. */
export function Sources() {
  const [open, setOpen] = useState(false);
  const [, setVersion] = useState(0);
  useEffect(() => {
    const changed = () => setVersion((v) => v + 1);
    listeners.add(changed);
    changed();
    return () => { listeners.delete(changed); };
  }, []);
  const list = [...shown.values()];
  if (list.length === 0) return null;
  return (
    <details class="card sources" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{T.sources.title}</summary>
      {open && <p class="dim">{fill(T.sources.about, { n: list.length })}</p>}
      {open && list.map((s) => <section key={s.name + JSON.stringify(s.variables)} aria-label={s.name}><h2>{s.name.replaceAll('_', ' ')}</h2><Requests of={s} /></section>)}
    </details>
  );
}
