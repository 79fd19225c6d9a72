// A value that a get-method returned, by its type. The contract chose it: it is untrusted.
import { amount, grouped, moment, words } from '../format';
import { Address } from './address';
import { Copy } from './copy';
import { Coins } from './money';
import { T, entry, fill } from '../text';

export type Printed = {
  name?: string; type: string; value?: unknown; boc?: string; hash?: string; bits?: number; refs?: number; text?: string;
  items?: Printed[]; entries?: { key: string; value: Printed }[]; more?: boolean;
};

const maxDepth = 12;

/** Numbers from here on are also shown in hexadecimal: they are hashes, keys or flags. */
const large = 2n ** 64n;

function Number_({ of }: { of: string }) {
  const n = BigInt(of);
  return <span class="mono wrap" title={`${n < 0n ? '-' : ''}0x${(n < 0n ? -n : n).toString(16)}`}>{n < large && n > -large ? grouped(of) : `${n < 0n ? '-' : ''}0x${(n < 0n ? -n : n).toString(16)}`}</span>;
}

/** A cell or slice: what it may say as text, its size, its hash, and itself to copy. */
function Cell({ of: v }: { of: Printed }) {
  return (
    <span class="cellvalue">
      {v.text && <q>{v.text}</q>} <span class="dim">{fill(T.values.size, { bits: v.bits ?? 0, refs: v.refs ?? 0 })}</span>
      {v.hash && <> <span class="mono wrap dim">{v.hash}</span></>}
      {v.boc && <Copy text={v.boc} what={T.values.boc} />}
    </span>
  );
}

function timeOf(seconds: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) || seconds === '0' ? grouped(seconds) : moment(`${date.toISOString().slice(0, 19)}Z`);
}

export function ValueView({ of: v, depth = 0 }: { of: Printed; depth?: number }) {
  const text = String(v.value ?? '');
  if (depth > maxDepth) return <span class="dim">…</span>;
  switch (v.type) {
    case 'int': return <Number_ of={text} />;
    case 'bool': return <>{v.value ? T.message.yes : T.message.no}</>;
    case 'coins': return text.startsWith('-') ? <span title={text}>{amount(text)} {T.money.ton}</span> : <Coins of={text} full />;
    case 'time': return <>{timeOf(text)}</>;
    case 'hash': return <span class="full"><span class="mono wrap">{text}</span><Copy text={text} what={T.copy.hash} /></span>;
    case 'address': return <Address of={v.value ? text : null} nobody={T.address.nobody} full />;
    case 'text': return <q>{text}</q>;
    case 'content': return <dl class="fields">{Object.entries((v.value ?? {}) as Record<string, unknown>).map(([name, x]) => <div key={name}><dt>{name}</dt><dd class="wrap">{String(x)}</dd></div>)}</dl>;
    case 'cell': case 'slice': return <Cell of={v} />;
    case 'tuple': case 'list': return v.items?.length ? <ol class="fields values">{v.items.map((x, i) => <li key={i}><ValueView of={x} depth={depth + 1} /></li>)}</ol> : <span class="dim">{T.values.empty}</span>;
    case 'dictionary': return <Dictionary of={v} depth={depth} />;
    default: return <span class="dim">{entry<string>(T.values.types, v.type) ?? v.type}</span>;
  }
}

function Dictionary({ of: v, depth }: { of: Printed; depth: number }) {
  const entries = v.entries ?? [];
  if (entries.length === 0) return <span class="dim">{T.values.empty}</span>;
  return (
    <>
      <dl class="fields">{entries.map((e) => <div key={e.key}><dt class="mono wrap">{e.key}</dt><dd>{e.value.type === 'null' ? '' : <ValueView of={e.value} depth={depth + 1} />}</dd></div>)}</dl>
      {v.more && <p class="dim">{fill(T.values.first, { n: entries.length })}</p>}
    </>
  );
}

/** The results of a method, by name where a standard gives names. */
export function Values({ of }: { of: Printed[] }) {
  if (of.length === 0) return <p class="empty">{T.values.nothing}</p>;
  return (
    <dl class="fields results">
      {of.map((v, i) => (
        <div key={i}>
          <dt>{v.name ? words(v.name) : fill(T.values.result, { n: i + 1 })} <span class="chip">{entry<string>(T.values.types, v.type) ?? v.type}</span></dt>
          <dd><ValueView of={v} /></dd>
        </div>
      ))}
    </dl>
  );
}
