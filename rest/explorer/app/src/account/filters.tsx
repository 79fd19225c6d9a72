// Filters of the lists of an account. They are parameters of the page's address, so that a link has them.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { lookUp, who } from '../addressbook';
import { pattern } from '../address';
import { units } from '../format';
import { T } from '../text';
import kinds from '../kinds.json';
import { useParams } from '../router';

const params = ['kind', 'direction', 'counterparty', 'asset', 'min', 'max', 'result', 'from', 'to'] as const;
type Name = (typeof params)[number];

/** The decimals of a Jetton, 0 while they are not known; 9, as those of TON, for none. */
function useDecimals(asset: string): number {
  const [, seen] = useState(asset);
  const raw = pattern.test(asset);
  useEffect(() => { if (raw) void lookUp(asset).then(() => seen(asset + ' ')); }, [asset]);
  return raw ? who(asset).decimals ?? 0 : 9;
}

/** The filter in the page's address, as variables of the queries. Dates are days of UTC; the last one is included. */
export function useFilter() {
  const [found, set] = useParams();
  const value = (name: Name) => found.get(name) ?? '';
  const day = (name: Name, time: string) => (/^\d{4}-\d\d-\d\d$/.test(value(name)) && !Number.isNaN(Date.parse(value(name))) ? `${value(name)}T${time}Z` : null);
  const change = (name: Name, text: string) => {
    const next = new URLSearchParams(found);
    if (text) next.set(name, text);
    else next.delete(name);
    set(next);
  };
  const asset = value('asset').replace(/^(-?\d+:)([0-9a-fA-F]{64})$/, (_, workchain: string, id: string) => workchain + id.toUpperCase());
  const decimals = useDecimals(asset);
  const counterparty = value('counterparty');
  return {
    value, change, active: params.some((p) => value(p) !== ''), clear: () => set(new URLSearchParams()),
    times: { from: day('from', '00:00:00'), to: day('to', '23:59:59') },
    types: Object.hasOwn(kinds, value('kind')) ? (kinds as Record<string, string[]>)[value('kind')]! : null,
    direction: /^(IN|OUT)$/.test(value('direction')) ? value('direction') : 'ANY',
    counterparties: counterparty ? [counterparty] : null,
    success: value('result') === 'ok' ? true : value('result') === 'failed' ? false : null,
    outcomes: value('result') === 'ok' ? ['SUCCESS', 'CREDITED'] : value('result') === 'failed' ? ['FAILED', 'BOUNCED'] : null, // credited coins have arrived
    asset: asset || null,
    amounts: { min: units(value('min'), decimals), max: units(value('max'), decimals) },
  };
}

type Filter = ReturnType<typeof useFilter>;

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return <label class="field"><span>{name}</span>{children}</label>;
}

/** A field whose text becomes the filter when the reader leaves it. What is typed until then stays, whatever is drawn anew meanwhile. */
function Typed({ value, commit, ...rest }: { value: string; commit: (text: string) => void } & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'value'>) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return <input {...rest} value={text} autocomplete="off" onInput={(e) => setText(e.currentTarget.value)} onChange={(e) => commit(e.currentTarget.value.trim())} />;
}

const roomy = '(min-width: 48rem)';

/** The filters that a list has: open where there is room for them beside the list, or when one is set. */
export function Filters({ of: f, ...rest }: { of: Filter; fields: Name[]; unit?: string }) {
  const [open] = useState(() => f.active || matchMedia(roomy).matches);
  return <details class="filterbox" open={open}><summary>{f.active ? T.filters.set : T.filters.label}</summary><Form of={f} {...rest} /></details>;
}

function Form({ of: f, fields, unit = T.filters.amount }: { of: Filter; fields: Name[]; unit?: string }) {
  const has = (name: Name) => fields.includes(name);
  const input = (name: Name) => ({ value: f.value(name), onChange: (e: { currentTarget: { value: string } }) => f.change(name, e.currentTarget.value.trim()) });
  const typed = (name: Name) => ({ value: f.value(name), commit: (text: string) => f.change(name, text) });
  const text = (name: Name, placeholder: string) => <Typed {...typed(name)} spellcheck={false} maxLength={100} placeholder={placeholder} />;
  const number = (name: Name, label: string) => <Typed {...typed(name)} class="number" inputMode="decimal" pattern="\d*[.,]?\d*" maxLength={60} aria-label={label} />;
  return (
    <form class="filters" aria-label={T.filters.label} onSubmit={(e) => e.preventDefault()}>
      {has('kind') && <Field name={T.filters.kind}><select {...input('kind')}><option value="">{T.filters.any}</option>{Object.keys(kinds).map((k) => <option key={k} value={k}>{T.filters.kinds[k as keyof typeof kinds]}</option>)}</select></Field>}
      {has('direction') && <Field name={T.filters.direction}><select {...input('direction')}><option value="">{T.filters.both}</option><option value="IN">{T.filters.in}</option><option value="OUT">{T.filters.out}</option></select></Field>}
      {has('result') && <Field name={T.filters.result}><select {...input('result')}><option value="">{T.filters.anyResult}</option><option value="ok">{T.filters.succeeded}</option><option value="failed">{T.filters.failed}</option></select></Field>}
      {has('counterparty') && <Field name={T.filters.counterparty}>{text('counterparty', T.filters.addressHint)}</Field>}
      {has('asset') && <Field name={T.filters.asset}>{text('asset', T.filters.assetHint)}</Field>}
      {has('min') && <div class="field" role="group" aria-label={unit}><span>{unit}</span><span class="range">{number('min', T.filters.least)}<span aria-hidden="true">–</span>{number('max', T.filters.most)}</span></div>}
      {has('from') && <Field name={T.filters.from}><input type="date" {...input('from')} /></Field>}
      {has('to') && <Field name={T.filters.to}><input type="date" {...input('to')} /></Field>}
      {f.active && <button type="button" class="quiet" onClick={f.clear}>{T.filters.clear}</button>}
    </form>
  );
}
