// How the balances of accounts changed: in coins, from the account states before and after each transaction.
import type { Balance } from '../types';
import type { TraceTx } from './trace';
import { Address } from './address';
import { Coins } from './money';

/** What came to a balance, with its sign; undefined when one of the states is not held. */
export function difference(before: Balance, after: Balance): string | undefined {
  return after ? String(BigInt(after.balance) - BigInt(before?.balance ?? '0')) : undefined;
}

export function Flow({ txs, partial }: { txs: TraceTx[]; partial: boolean }) {
  const sums = new Map<string, bigint>();
  let fees = 0n;
  for (const t of txs) {
    const change = difference(t.stateBefore, t.stateAfter);
    if (change !== undefined) sums.set(t.account.address, (sums.get(t.account.address) ?? 0n) + BigInt(change));
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
      <p class="dim">Fees of validators: <Coins of={String(fees)} />{partial && ', as far as transactions are shown'}</p>
    </>
  );
}
