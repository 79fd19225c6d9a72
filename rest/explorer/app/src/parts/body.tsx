// A decoded message body: its fields by name, nested. The content is untrusted: the sender of the message chose it.
import type { ComponentChildren } from 'preact';
import { words } from '../format';
import { Address } from './address';
import { Coins } from './money';
import { T } from '../text';

type Fields = Record<string, unknown>;

const maxDepth = 24, maxLength = 400, maxItems = 50;

const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Replaces an object that has only one value by that value. */
function plain(v: unknown): unknown {
  if (!isFields(v)) return v;
  const { '@type': type, ...rest } = v;
  const names = Object.keys(rest);
  if (names.length === 0) return typeof type === 'string' && !/^nothing/.test(type) ? words(type) : null;
  if (names.length === 1 && names[0] === 'value') return plain(rest['value']);
  return v;
}

/** Renders accounts and amounts of coins; undefined for other values. */
function special(v: Fields): ComponentChildren {
  if (v['@type'] === 'addr_std') return <Address of={`${String(v['workchain_id'])}:${String(v['address'])}`} />;
  if (v['@type'] === 'nanograms' && isFields(v['amount'])) return <Coins of={String(v['amount']['value'] ?? '0')} full />;
  return undefined;
}

function Field({ name, of, depth }: { name: string; of: unknown; depth: number }) {
  const v = plain(of);
  const deep = Array.isArray(v) || (isFields(v) && special(v) === undefined);
  return <div class={deep ? 'deep' : undefined}><dt>{name.replaceAll('_', ' ')}</dt><dd><BodyView of={v} depth={depth + 1} /></dd></div>;
}

export function BodyView({ of, depth = 0 }: { of: unknown; depth?: number }) {
  const v = plain(of);
  if (v === null || v === undefined || v === '') return <span class="dim">{T.message.none}</span>;
  if (Array.isArray(v)) return <ol class="fields">{v.slice(0, maxItems).map((m, i) => <li key={i}><BodyView of={m} depth={depth + 1} /></li>)}</ol>;
  if (!isFields(v)) return <span class="mono wrap">{String(v).slice(0, maxLength)}{String(v).length > maxLength && '…'}</span>;
  if (depth > maxDepth) return <span class="dim">…</span>;
  const rendered = special(v);
  if (rendered !== undefined) return <>{rendered}</>;
  const { '@type': type, ...rest } = v;
  return (
    <div class="object">
      {typeof type === 'string' && <span class="chip">{words(type)}</span>}
      <dl class="fields">{Object.entries(rest).map(([name, m]) => <Field key={name} name={name} of={m} depth={depth} />)}</dl>
    </div>
  );
}
