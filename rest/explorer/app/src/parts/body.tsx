// A decoded message body: its fields by name, nested. The content is untrusted: the sender of the message chose it.
import type { ComponentChildren } from 'preact';
import { grouped, words } from '../format';
import { Address } from './address';
import { Copy } from './copy';
import { Coins } from './money';
import { T, entry } from '../text';

type Fields = Record<string, unknown>;

const maxDepth = 24, maxLength = 400, maxItems = 50;

const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);

/** The bits of upper-case hex, in which an underscore says that a one and zeros fill the last digit. */
function bitsOf(hex: string): string {
  const bits = [...hex.replace('_', '')].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  return hex.endsWith('_') ? bits.slice(0, bits.lastIndexOf('1')) : bits;
}

/** Hexadecimal of a key, which begins with 0x so that objects keep the order of their keys. */
function hexOf(bits: string): string {
  const filled = bits.length % 4 === 0 ? bits : (bits + '1').padEnd(Math.ceil((bits.length + 1) / 4) * 4, '0');
  return '0x' + (filled.match(/.{4}/g) ?? []).map((digit) => parseInt(digit, 2).toString(16).toUpperCase()).join('') + (filled === bits ? '' : '_');
}

/** Adds the first entries below an edge of a dictionary, which a body has as the tree of its cells: keys in hexadecimal and values. */
function addEntries(edge: unknown, prefix: string, entries: [string, unknown][]): void {
  if (!isFields(edge) || !isFields(edge['label']) || !isFields(edge['node']) || entries.length >= maxItems) return;
  const { label, node } = edge;
  const key = prefix + (label['@type'] === 'hashmap_label_same' ? (label['v'] ? '1' : '0').repeat(Math.min(Number(label['n']), 1023)) : bitsOf(String(label['s'] ?? '')));
  if (node['@type'] === 'hashmap_node_leaf') entries.push([hexOf(key), node['value']]);
  addEntries(node['left'], key + '0', entries);
  addEntries(node['right'], key + '1', entries);
}

/** Replaces an object that has only one value by that value, and a dictionary by its entries. */
function plain(v: unknown): unknown {
  if (!isFields(v)) return v;
  if (v['@type'] === 'hashmap_root' || v['@type'] === 'hashmap_edge') {
    const entries: [string, unknown][] = [];
    addEntries(v['root'] ?? v, '', entries);
    return { '@type': 'hashmap', ...Object.fromEntries(entries) };
  }
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

/** The type of a value by its form: what the layout of the body says, or what the text can only be. */
function typeOf(v: unknown): string | undefined {
  if (isFields(v)) return v['@type'] === 'addr_std' ? 'address' : v['@type'] === 'nanograms' ? 'coins' : undefined;
  if (typeof v === 'boolean') return 'bool';
  if (typeof v === 'number' || (typeof v === 'string' && /^-?\d{1,78}$/.test(v))) return 'int';
  if (typeof v !== 'string' || v === '') return undefined;
  if (/^[0-9A-Fa-f]{64}$/.test(v)) return 'hash';
  return /^te6cc[\w+/=]+$/.test(v) ? 'cell' : 'text';
}

/** Renders a value without members by its type. */
function Plain({ of: v }: { of: unknown }) {
  const text = String(v), type = typeOf(v);
  if (type === 'bool') return <>{v ? T.message.yes : T.message.no}</>;
  if (type === 'int' && text.replace('-', '').length < 20) return <span class="mono wrap">{grouped(text)}</span>;
  const cut = <>{text.slice(0, maxLength)}{text.length > maxLength && '…'}</>;
  if (type === 'text') return <q>{cut}</q>;
  return <span class="mono wrap">{cut}{(type === 'hash' || type === 'cell') && <Copy text={text} what={type === 'hash' ? T.copy.hash : T.values.boc} />}</span>;
}

function Field({ name, of, depth }: { name: string; of: unknown; depth: number }) {
  const v = plain(of);
  const deep = Array.isArray(v) || (isFields(v) && special(v) === undefined);
  const type = typeOf(v);
  return <div class={deep ? 'deep' : undefined}><dt>{name.replaceAll('_', ' ')}{type && <> <span class="type">{entry<string>(T.values.types, type)}</span></>}</dt><dd><BodyView of={v} depth={depth + 1} /></dd></div>;
}

export function BodyView({ of, depth = 0 }: { of: unknown; depth?: number }) {
  const v = plain(of);
  if (v === null || v === undefined || v === '') return <span class="dim">{T.message.none}</span>;
  if (Array.isArray(v)) return <ol class="fields">{v.slice(0, maxItems).map((m, i) => <li key={i}><BodyView of={m} depth={depth + 1} /></li>)}</ol>;
  if (!isFields(v)) return <Plain of={v} />;
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
