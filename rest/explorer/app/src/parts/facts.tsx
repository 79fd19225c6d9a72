import type { ComponentChildren } from 'preact';

/** Names and values; what is empty is left out. */
export function Facts({ of }: { of: [string, ComponentChildren][] }) {
  return (
    <dl>
      {of.filter(([, value]) => value !== null && value !== undefined && value !== '').map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}
