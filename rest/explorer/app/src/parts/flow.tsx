// How the balances of accounts changed: in coins, from the account states before and after each transaction.
import type { Balance } from '../types';
import type { TraceTx } from './trace';
import { Address } from './address';
import { Coins } from './money';
import { T, plural, render } from '../text';

/** Returns the signed change of a balance; undefined when one of the states is not in the index. */
export function difference(t: { origStatus: string; stateBefore: Balance; stateAfter: Balance }): string | undefined {
  const before = t.stateBefore?.balance ?? (t.origStatus === 'NONEXIST' ? '0' : undefined);
  return t.stateAfter && before !== undefined ? String(BigInt(t.stateAfter.balance) - BigInt(before)) : undefined;
}

export function Flow({ txs, partial }: { txs: TraceTx[]; partial: boolean }) {
  const sums = new Map<string, bigint>();
  let fees = 0n, unknown = 0;
  for (const t of txs) {
    const change = difference(t);
    if (change === undefined) unknown++;
    else sums.set(t.account.address, (sums.get(t.account.address) ?? 0n) + BigInt(change));
    fees += BigInt(t.totalFees);
  }
  const rows = [...sums].filter(([, v]) => v !== 0n).sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  const size = (v: bigint) => (v < 0n ? -v : v);
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
      <p class="dim">{render(partial ? T.flow.partial : T.flow.fees, { coins: <Coins of={String(fees)} /> })}</p>
      {unknown > 0 && <p class="dim">{plural(unknown, T.flow.unknown)}</p>}
    </>
  );
}
