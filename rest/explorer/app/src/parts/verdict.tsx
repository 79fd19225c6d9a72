// What a transaction that failed means for the coins, in a sentence or two, and what a successful one left undone.
import type { ComponentChildren } from 'preact';
import type { FullMessage } from '../types';
import { T, fill, plural, render } from '../text';
import { Address } from './address';
import { actionCode, causeOf, exitCode } from './exitcode';
import { Coins } from './money';
import { failed, reasonOf } from './outcome';
import type { Description } from './phases';

/** The cause of a failure: the code did not run, or threw, or its actions could not be done. */
function cause({ compute: x, action: a }: Description, interfaces: string[]): string | undefined {
  if (!x) return undefined;
  if (x.skipped) return fill(T.verdict.notRun, { reason: reasonOf(x.reason) });
  if (!x.success) return causeOf(x.exitCode, exitCode(x.exitCode, interfaces));
  return a && !a.success ? causeOf(a.resultCode, actionCode(a.resultCode)) : undefined;
}

/** Where the coins of a message went whose transaction failed. */
function coinsOf(d: Description, inMessage: FullMessage | null, outMessages: FullMessage[]): ComponentChildren {
  if (!inMessage?.source) return T.verdict.feesOnly;
  const back = outMessages.find((m) => m.bounced);
  if (back) return render(T.verdict.returned, { coins: <Coins of={back.value} />, account: <Address of={back.destination?.address} /> });
  if (d.bounce) return T.verdict.nothingLeft;
  return inMessage.bounce === false ? T.verdict.notBounceable : T.verdict.stayed;
}

type Props = { of: Description; interfaces: string[]; inMessage: FullMessage | null; outMessages: FullMessage[] };

/** Explains a failure, coins that arrived at an account without code, and actions that were skipped although the transaction succeeded. */
export function Verdict({ of: d, interfaces, inMessage, outMessages }: Props) {
  const skipped = d.action?.skippedActions ?? 0;
  if (failed(d)) return <p class="callout bad">{cause(d, interfaces)} {coinsOf(d, inMessage, outMessages)}</p>;
  if (d.outcome === 'CREDITED') return <p class="callout">{d.compute?.reason === 'NO_STATE' ? T.verdict.credited : T.verdict.creditedNotRun}</p>;
  return skipped > 0 ? <p class="callout warn">{plural(skipped, T.verdict.skipped)}</p> : null;
}
