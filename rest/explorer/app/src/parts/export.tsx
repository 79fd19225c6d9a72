// Exports a list as CSV or JSON: reads its pages one after the other as fast as the plan allows, writes them into the file as they come
// where the browser can, and continues at the cursor after a failure, or with another file after a largest number of rows.
import { useRef, useState } from 'preact/hooks';
import { send } from '../api';
import { grouped } from '../format';
import { sentence } from '../load';
import { T, fill } from '../text';
import type { Page } from '../types';

const maxRows = 100_000; // of one file: some 30 MB
const pageSize = 100;

export type Columns<R> = [name: string, value: (row: R) => string | number | null | undefined][];

/** A cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe. */
export function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function save(name: string, type: string, parts: string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Where the rows go: a file that the user chose, or the memory of the page until the end. */
type Sink = { write: (text: string) => Promise<void>; close: () => Promise<void> };

type Picker = (options: { suggestedName: string }) => Promise<{ createWritable: () => Promise<Sink> }>;

async function open(name: string, type: string): Promise<Sink> {
  const pick = (window as unknown as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (pick) return (await pick({ suggestedName: name })).createWritable();
  const parts: string[] = [];
  return { write: async (text) => { parts.push(text); }, close: async () => save(name, type, parts) };
}

type Progress = { sink: Sink; rows: number; cursor: string | null; files: number };

export function Export<A, R>({ query, variables, pick, columns, name }: {
  query: string; variables: Record<string, unknown>; pick: (data: A) => Page<R> | undefined; columns: Columns<R>; name: string;
}) {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState<'csv' | 'json'>();
  const running = useRef<AbortController>();
  const [busy, setBusy] = useState(false);
  const progress = useRef<Progress>();
  const line = (row: R, format: 'csv' | 'json') => (format === 'csv'
    ? columns.map(([, value]) => cell(value(row))).join(',') + '\r\n'
    : JSON.stringify(Object.fromEntries(columns.map(([column, value]) => [column, value(row) ?? null]))) + '\n');
  const run = async (format: 'csv' | 'json', resumed: boolean) => {
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    setFailed(undefined);
    try {
      let p = resumed ? progress.current : undefined;
      if (!p || p.rows >= maxRows) {
        const files = (p?.files ?? 0) + 1;
        const file = `${name}${files > 1 ? `-${files}` : ''}.${format === 'csv' ? 'csv' : 'jsonl'}`;
        p = { sink: await open(file, format === 'csv' ? 'text/csv' : 'application/jsonl'), rows: 0, cursor: p?.cursor ?? null, files };
        if (format === 'csv') await p.sink.write(columns.map(([column]) => cell(column)).join(',') + '\r\n');
        progress.current = p;
      }
      let more = true;
      while (more && p.rows < maxRows) {
        const page = pick(await send<A>(query, { ...variables, first: pageSize, after: p.cursor }, abort.signal));
        const rows = page?.nodes ?? [];
        await p.sink.write(rows.map((row) => line(row, format)).join(''));
        p.rows += rows.length;
        p.cursor = page?.pageInfo.endCursor ?? null;
        more = page?.pageInfo.hasNextPage === true && p.cursor !== null; // a filtered page may be empty and not the last
        setText(fill(more && p.rows >= maxRows ? T.export.limit : T.export.rows, { n: grouped(p.rows) }));
      }
      await p.sink.close();
      if (more) setFailed(format);
      else progress.current = undefined;
    } catch (e) {
      const n = grouped(progress.current?.rows ?? 0);
      setText(abort.signal.aborted || (e as Error).name === 'AbortError' ? fill(T.export.stopped, { n }) : fill(T.export.failed, { n, error: sentence(e) }));
      if (progress.current) setFailed(format);
    } finally {
      running.current = undefined;
      setBusy(false);
    }
  };
  return (
    <div class="export">
      <button type="button" class="quiet" disabled={busy} onClick={() => void run('csv', false)}>{T.export.csv}</button>
      <button type="button" class="quiet" disabled={busy} onClick={() => void run('json', false)}>{T.export.json}</button>
      {busy && <button type="button" class="quiet" onClick={() => running.current?.abort()}>{T.export.stop}</button>}
      {failed && !busy && <button type="button" class="quiet" onClick={() => void run(failed, true)}>{T.export.resume}</button>}
      <span class="dim" role="status">{text}</span>
    </div>
  );
}
