// A decoded message body: its fields by name, as deep as they go. All of it was chosen by whoever sent the message.
import type { ComponentChildren } from 'preact';
import { words } from '../format';
import { Address } from './address';
import { Coins } from './money';

type Fields = Record<string, unknown>;

const deepest = 24, longest = 400, mostOfList = 50;

const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);

/** An object that holds only one value says no more than that value. */
function plain(v: unknown): unknown {
  if (!isFields(v)) return v;
  const { '@type': type, ...rest } = v;
  const names = Object.keys(rest);
  if (names.length === 0) return typeof type === 'string' && !/^nothing/.test(type) ? words(type) : null;
  if (names.length === 1 && names[0] === 'value') return plain(rest['value']);
  return v;
}

/** What has a form of its own: accounts and amounts of coins. */
function special(v: Fields): ComponentChildren {
  if (v['@type'] === 'addr_std') return <Address of={`${String(v['workchain_id'])}:${String(v['address'])}`} />;
  if (v['@type'] === 'nanograms' && isFields(v['amount'])) return <Coins of={String(v['amount']['value'] ?? '0')} whole />;
  return undefined;
}

function Field({ name, of, depth }: { name: string; of: unknown; depth: number }) {
  const v = plain(of);
  const deep = Array.isArray(v) || (isFields(v) && special(v) === undefined);
  return <div class={deep ? 'deep' : undefined}><dt>{name.replaceAll('_', ' ')}</dt><dd><BodyView of={v} depth={depth + 1} /></dd></div>;
}

export function BodyView({ of, depth = 0 }: { of: unknown; depth?: number }) {
  const v = plain(of);
  if (v === null || v === undefined || v === '') return <span class="dim">none</span>;
  if (Array.isArray(v)) return <ol class="fields">{v.slice(0, mostOfList).map((m, i) => <li key={i}><BodyView of={m} depth={depth + 1} /></li>)}</ol>;
  if (!isFields(v)) return <span class="mono wrap">{String(v).slice(0, longest)}{String(v).length > longest && '…'}</span>;
  if (depth > deepest) return <span class="dim">…</span>;
  const known = special(v);
  if (known !== undefined) return <>{known}</>;
  const { '@type': type, ...rest } = v;
  return (
    <div class="object">
      {typeof type === 'string' && <span class="chip">{words(type)}</span>}
      <dl class="fields">{Object.entries(rest).map(([name, m]) => <Field key={name} name={name} of={m} depth={depth} />)}</dl>
    </div>
  );
}
