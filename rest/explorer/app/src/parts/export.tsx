// Exports a list as CSV or JSON: reads its pages one after the other, continues after a failure, and ends at a largest number of rows.
import { useRef, useState } from 'preact/hooks';
import { send } from '../api';
import { grouped } from '../format';
import { sentence } from '../load';
import { T, fill } from '../text';
import type { Page } from '../types';

const maxRows = 10_000;
const pageSize = 50;

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

type Progress = { parts: string[]; rows: number; cursor: string | null };

export function Export<A, R>({ query, variables, pick, columns, name }: {
  query: string; variables: Record<string, unknown>; pick: (data: A) => Page<R> | undefined; columns: Columns<R>; name: string;
}) {
  const [text, setText] = useState('');
  const [failed, setFailed] = useState<'csv' | 'json'>();
  const running = useRef<AbortController>();
  const progress = useRef<Progress>();
  const line = (row: R, format: 'csv' | 'json') => (format === 'csv'
    ? columns.map(([, value]) => cell(value(row))).join(',') + '\r\n'
    : JSON.stringify(Object.fromEntries(columns.map(([column, value]) => [column, value(row) ?? null]))) + '\n');
  const run = async (format: 'csv' | 'json', resumed: boolean) => {
    const abort = new AbortController();
    running.current = abort;
    if (!resumed || !progress.current) progress.current = { parts: format === 'csv' ? [columns.map(([column]) => cell(column)).join(',') + '\r\n'] : [], rows: 0, cursor: null };
    const p = progress.current;
    setFailed(undefined);
    try {
      for (let more = true; more && p.rows < maxRows; ) {
        const page = pick(await send<A>(query, { ...variables, first: pageSize, after: p.cursor }, abort.signal));
        const rows = page?.nodes ?? [];
        p.parts.push(rows.map((row) => line(row, format)).join(''));
        p.rows += rows.length;
        p.cursor = page?.pageInfo.endCursor ?? null;
        more = page?.pageInfo.hasNextPage === true && rows.length > 0;
        setText(fill(more && p.rows >= maxRows ? T.export.limit : T.export.rows, { n: grouped(p.rows) }));
      }
      save(`${name}.${format === 'csv' ? 'csv' : 'jsonl'}`, format === 'csv' ? 'text/csv' : 'application/jsonl', p.parts);
      progress.current = undefined;
    } catch (e) {
      setText(abort.signal.aborted ? fill(T.export.stopped, { n: grouped(p.rows) }) : fill(T.export.failed, { n: grouped(p.rows), error: sentence(e) }));
      setFailed(format);
    } finally {
      running.current = undefined;
    }
  };
  return (
    <div class="export">
      <button type="button" class="quiet" disabled={!!running.current} onClick={() => void run('csv', false)}>{T.export.csv}</button>
      <button type="button" class="quiet" disabled={!!running.current} onClick={() => void run('json', false)}>{T.export.json}</button>
      {running.current && <button type="button" class="quiet" onClick={() => running.current?.abort()}>{T.export.stop}</button>}
      {failed && <button type="button" class="quiet" onClick={() => void run(failed, true)}>{T.export.resume}</button>}
      <span class="dim" role="status">{text}</span>
    </div>
  );
}
