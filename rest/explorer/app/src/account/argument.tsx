// Arguments of get-methods: typed by a published standard, or of any type in the free form.
import type { ComponentChildren } from 'preact';
import { words } from '../format';
import { T, entry, fill } from '../text';

/** An argument as the user writes it. */
export type Draft = { type: string; value: string; items: Draft[] };

/** An argument as the service takes it. */
export type Input = { type: string; value?: string; items?: Input[] };

export const draft = (type: string): Draft => ({ type, value: type === 'bool' ? '-1' : '', items: [] });

/** The types of the free form. */
const free = ['int', 'coins', 'address', 'cell', 'slice', 'tuple', 'list', 'null'];

const maxItems = 50;

const nested = (type: string) => type === 'tuple' || type === 'list';

/** Converts an amount of TON to nanotons; other text stays, so that the service can say what is wrong with it. */
function nano(text: string): string {
  const parts = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  return parts ? String(BigInt(parts[1]!) * 1_000_000_000n + BigInt((parts[2] ?? '').padEnd(9, '0'))) : text;
}

/** Converts a bag of cells from hexadecimal digits to base64. */
function bag(text: string): string {
  const digits = text.replace(/\s/g, '');
  if (!/^([0-9a-f]{2})+$/i.test(digits)) return digits;
  return btoa(digits.match(/../g)!.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(''));
}

/** The argument in the form of the service. */
export function inputOf(d: Draft): Input {
  const text = d.value.trim();
  switch (d.type) {
    case 'tuple': case 'list': return { type: d.type, items: d.items.map(inputOf) };
    case 'null': return { type: 'null' };
    case 'address': return { type: 'address', value: text };
    case 'cell': case 'slice': return { type: d.type, value: bag(text) };
    case 'coins': return { type: 'num', value: nano(text) };
    case 'hash': return { type: 'num', value: /^[0-9a-f]{64}$/i.test(text) ? `0x${text}` : text };
    case 'time': return { type: 'num', value: /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? String(Math.floor(Date.parse(text) / 1000)) : text };
    default: return { type: 'num', value: text };
  }
}

const typeName = (type: string) => entry<string>(T.values.types, type) ?? type;

function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return <label class="field argument"><span>{label}</span>{children}</label>;
}

/** An input for an argument. Name and type are fixed for methods of a standard; in the free form the type is chosen. */
export function Argument({ of: d, name, place, change, remove }: { of: Draft; name?: string; place: string; change: (d: Draft) => void; remove?: () => void }) {
  const label = name ? fill(T.values.argument, { name: words(name), type: typeName(d.type) }) : fill(T.values.place, { n: place });
  return (
    <div class="argumentrow">
      {!name && (
        <Field label={fill(T.values.typeOf, { n: place })}>
          <select value={d.type} onChange={(e) => change({ ...draft(e.currentTarget.value), value: d.value })}>{free.map((t) => <option key={t} value={t}>{typeName(t)}</option>)}</select>
        </Field>
      )}
      {d.type === 'bool' ? <Field label={label}><select value={d.value} onChange={(e) => change({ ...d, value: e.currentTarget.value })}><option value="-1">{T.message.yes}</option><option value="0">{T.message.no}</option></select></Field>
        : nested(d.type) ? <Items of={d} label={label} place={place} change={change} />
          : d.type !== 'null' && <Field label={label}><input value={d.value} onInput={(e) => change({ ...d, value: e.currentTarget.value })} autocomplete="off" spellcheck={false} placeholder={entry<string>(T.values.hints, d.type) ?? ''} /></Field>}
      {remove && <button type="button" class="quiet" aria-label={fill(T.values.remove, { n: place })} onClick={remove}>✕</button>}
    </div>
  );
}

/** The entries of a tuple or a list. */
function Items({ of: d, label, place, change }: { of: Draft; label: string; place: string; change: (d: Draft) => void }) {
  return (
    <fieldset class="argumentitems">
      <legend>{label}</legend>
      <Drafts of={d.items} place={`${place}.`} change={(items) => change({ ...d, items })} add={T.values.addItem} />
    </fieldset>
  );
}

/** Arguments of the free form, with buttons to add and remove them. */
export function Drafts({ of, place = '', change, add }: { of: Draft[]; place?: string; change: (list: Draft[]) => void; add: string }) {
  return (
    <>
      {of.map((d, i) => <Argument key={i} of={d} place={place + String(i + 1)} change={(changed) => change(of.map((x, j) => (j === i ? changed : x)))} remove={() => change(of.filter((_, j) => j !== i))} />)}
      {of.length < maxItems && <button type="button" class="quiet" onClick={() => change([...of, draft('int')])}>{add}</button>}
    </>
  );
}
