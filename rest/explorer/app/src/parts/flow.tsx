// How the balances of accounts changed: in coins, from the account states before and after each transaction.
import type { Balance } from '../types';
import type { Step } from './step';
import { Address } from './address';
import { Coins } from './money';
import { T, fill, plural, render } from '../text';

/** Returns the signed change of a balance; undefined when one of the states is not in the index. */
export function difference(t: { origStatus: string; stateBefore: Balance; stateAfter: Balance }): string | undefined {
  const before = t.stateBefore?.balance ?? (t.origStatus === 'NONEXIST' ? '0' : undefined);
  return t.stateAfter && before !== undefined ? String(BigInt(t.stateAfter.balance) - BigInt(before)) : undefined;
}

const maxRows = 100;

export function Flow({ steps }: { steps: Step[] }) {
  const sums = new Map<string, bigint>();
  let fees = 0n, unknown = 0;
  for (const s of steps) {
    if (s.balanceChange === null) unknown++;
    else sums.set(s.address, (sums.get(s.address) ?? 0n) + BigInt(s.balanceChange));
    fees += BigInt(s.totalFees);
  }
  const size = (v: bigint) => (v < 0n ? -v : v);
  const all = [...sums].filter(([, v]) => v !== 0n);
  const largest = all.length > maxRows ? [...all].sort(([, a], [, b]) => (size(a) < size(b) ? 1 : size(a) > size(b) ? -1 : 0)).slice(0, maxRows) : all;
  const rows = largest.sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  const top = rows.reduce((most, [, v]) => (size(v) > most ? size(v) : most), 1n);
  return (
    <>
      <ul class="rows flow">
        {rows.map(([address, v]) => (
          <li key={address} class="line">
            <span class="grow"><Address of={address} /></span>
            <svg class={v < 0n ? 'way out' : 'way'} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width={Math.max(1, Number((size(v) * 100n) / top))} height="6" rx="2" /></svg>
            <span class={v > 0n ? 'sum ok' : 'sum'}><Coins of={String(v)} signed /></span>
          </li>
        ))}
      </ul>
      {all.length > maxRows && <p class="dim">{fill(T.flow.largest, { n: maxRows, all: all.length })}</p>}
      <p class="dim">{render(T.flow.fees, { coins: <Coins of={String(fees)} /> })}</p>
      {unknown > 0 && <p class="dim">{plural(unknown, T.flow.unknown)}</p>}
    </>
  );
}
