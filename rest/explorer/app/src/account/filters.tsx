// Filters of the lists of an account. They are parameters of the page's address, so that a link has them.
import type { ComponentChildren } from 'preact';
import { T } from '../text';
import kinds from '../kinds.json';
import { useParams } from '../router';

const params = ['kind', 'direction', 'asset', 'from', 'to'] as const;
type Name = (typeof params)[number];

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
  return {
    value, change, active: params.some((p) => value(p) !== ''), clear: () => set(new URLSearchParams()),
    times: { from: day('from', '00:00:00'), to: day('to', '23:59:59') },
    types: Object.hasOwn(kinds, value('kind')) ? (kinds as Record<string, string[]>)[value('kind')]! : null,
    direction: /^(IN|OUT)$/.test(value('direction')) ? value('direction') : 'ANY',
    asset: value('asset') || null,
  };
}

type Filter = ReturnType<typeof useFilter>;

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return <label class="field"><span>{name}</span>{children}</label>;
}

/** The form of the filters that a list has. */
export function Filters({ of: f, fields }: { of: Filter; fields: Name[] }) {
  const has = (name: Name) => fields.includes(name);
  const input = (name: Name) => ({ value: f.value(name), onChange: (e: { currentTarget: { value: string } }) => f.change(name, e.currentTarget.value.trim()) });
  return (
    <form class="filters" aria-label={T.filters.label} onSubmit={(e) => e.preventDefault()}>
      {has('kind') && <Field name={T.filters.kind}><select {...input('kind')}><option value="">{T.filters.any}</option>{Object.keys(kinds).map((k) => <option key={k} value={k}>{T.filters.kinds[k as keyof typeof kinds]}</option>)}</select></Field>}
      {has('direction') && <Field name={T.filters.direction}><select {...input('direction')}><option value="">{T.filters.both}</option><option value="IN">{T.filters.in}</option><option value="OUT">{T.filters.out}</option></select></Field>}
      {has('asset') && <Field name={T.filters.asset}><input {...input('asset')} autocomplete="off" spellcheck={false} maxLength={100} placeholder={T.filters.assetHint} /></Field>}
      {has('from') && <Field name={T.filters.from}><input type="date" {...input('from')} /></Field>}
      {has('to') && <Field name={T.filters.to}><input type="date" {...input('to')} /></Field>}
      {f.active && <button type="button" class="quiet" onClick={f.clear}>{T.filters.clear}</button>}
    </form>
  );
}
