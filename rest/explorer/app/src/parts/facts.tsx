import type { ComponentChildren } from 'preact';

export type Fact = [name: string, value: ComponentChildren];

const empty = (v: ComponentChildren): boolean => v === null || v === undefined || v === false || v === '';

/** Lists names with values; empty values are omitted. */
export function Facts({ of }: { of: Fact[] }) {
  return (
    <dl class="facts">
      {of.filter(([, value]) => !empty(value)).map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}
