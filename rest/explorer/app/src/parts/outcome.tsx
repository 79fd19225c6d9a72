// The outcome of a transaction, which the service derives from its phases.
import { T, entry, fill } from '../text';
import { exitCode } from './exitcode';

export type Outcome = { outcome: string; compute: { skipped: boolean; reason: string | null; exitCode: number } | null };

export const reasonOf = (reason: string | null): string => entry<string>(T.skip, reason ?? '') ?? T.skip.unknown;

export const failed = (d: Outcome): boolean => d.outcome === 'FAILED' || d.outcome === 'BOUNCED';

/** Describes an outcome in a few words. A credit to an account without code is an ordinary outcome. */
function describe(d: Outcome, interfaces: string[]): string {
  if (d.outcome === 'SUCCESS') return T.outcome.SUCCESS;
  if (d.outcome === 'CREDITED') return d.compute?.reason === 'NO_STATE' ? T.outcome.credited : fill(T.outcome.creditedNotRun, { reason: reasonOf(d.compute?.reason ?? null) });
  const outcome = d.outcome === 'BOUNCED' ? T.outcome.BOUNCED : T.outcome.FAILED;
  if (!d.compute || d.compute.skipped) return outcome;
  const code = d.compute.exitCode;
  const found = code === 0 || code === 1 ? undefined : exitCode(code, interfaces);
  return found ? fill(T.outcome.named, { outcome, code, name: found.name }) : fill(T.outcome.exit, { outcome, code });
}

/** Shows the outcome as a badge; ordinary outcomes only with always. */
export function OutcomeBadge({ of: d, interfaces = [], always = false }: { of: Outcome; interfaces?: string[]; always?: boolean }) {
  const ordinary = d.outcome === 'SUCCESS' || (d.outcome === 'CREDITED' && d.compute?.reason === 'NO_STATE');
  if (ordinary && !always) return null;
  return <span class={failed(d) ? 'badge bad' : ordinary ? 'badge ok' : 'badge'}>{describe(d, interfaces)}</span>;
}
