// The fees of a transaction by phase. The rest of the total is listed under a name of its own.
import type { FullMessage } from '../types';
import { Coins } from './money';
import type { Description } from './phases';
import { T, render } from '../text';

export function Fees({ total, of: d, inMessage, outMessages }: { total: string; of: Description; inMessage: FullMessage | null; outMessages: FullMessage[] }) {
  const part = (v: string | null | undefined) => BigInt(v ?? '0');
  const parts: [string, bigint][] = [
    [T.fees.storage, part(d.storage?.feesCollected)],
    [T.fees.gas, part(d.compute?.gasFees)],
    [T.fees.actions, part(d.action?.totalFees)],
    [T.fees.bounce, part(d.bounce?.msgFees)],
  ];
  const rest = BigInt(total) - parts.reduce((sum, [, v]) => sum + v, 0n);
  if (rest !== 0n) parts.push([inMessage?.kind === 'EXTERNAL_IN' ? T.fees.import : T.fees.other, rest]);
  const forward = outMessages.reduce((sum, m) => sum + part(m.fwdFee), 0n);
  const width = (v: bigint) => (total === '0' || v <= 0n ? 0 : Number((v * 1000n) / BigInt(total)) / 10);
  let x = 0;
  const bars = parts.map(([name, v]) => ({ name, v, x, w: width(v), next: (x += width(v)) })).filter((b) => b.v !== 0n);
  return (
    <>
      <p class="large"><Coins of={total} full /></p>
      <svg class="stack" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">{bars.map((b, i) => <rect key={b.name} class={`tone${i % 5}`} x={b.x} width={b.w} height="4" />)}</svg>
      <ul class="rows lines">
        {bars.map((b, i) => <li key={b.name} class="line"><span class="grow"><span class={`dot tone${i % 5}`} />{b.name}</span><Coins of={String(b.v)} full /></li>)}
      </ul>
      {forward > 0n && <p class="dim">{render(T.fees.forward, { coins: <Coins of={String(forward)} /> })}</p>}
    </>
  );
}
