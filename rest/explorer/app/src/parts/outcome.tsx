// The outcome of a transaction, which the service derives from its phases.
import { T, entry, fill } from '../text';
import { actionCode, exitCode } from './exitcode';

export type Outcome = {
  outcome: string; compute: { skipped: boolean; reason: string | null; exitCode: number } | null; action?: { resultCode: number } | null;
};

export const reasonOf = (reason: string | null): string => entry<string>(T.skip, reason ?? '') ?? T.skip.unknown;

export const failed = (d: Outcome): boolean => d.outcome === 'FAILED' || d.outcome === 'BOUNCED';

/** Describes a failure in the action phase: the code ran, what it prepared could not be done. */
export function describeAction(outcome: string, code: number): string {
  const found = code === 0 ? undefined : actionCode(code);
  return found ? fill(T.outcome.namedAction, { outcome, code, name: found.name }) : code === 0 ? outcome : fill(T.trace.action, { outcome, code });
}

/** Describes an outcome in a few words. A credit to an account without code is an ordinary outcome. */
function describe(d: Outcome, interfaces: string[]): string {
  if (d.outcome === 'SUCCESS') return T.outcome.SUCCESS;
  if (d.outcome === 'CREDITED') return d.compute?.reason === 'NO_STATE' ? T.outcome.credited : fill(T.outcome.creditedNotRun, { reason: reasonOf(d.compute?.reason ?? null) });
  const outcome = d.outcome === 'BOUNCED' ? T.outcome.BOUNCED : T.outcome.FAILED;
  if (!d.compute) return outcome;
  if (d.compute.skipped) return fill(T.trace.notRun, { outcome, reason: reasonOf(d.compute.reason) });
  const code = d.compute.exitCode;
  if (code === 0 || code === 1) return describeAction(outcome, d.action?.resultCode ?? 0);
  const found = exitCode(code, interfaces);
  return found ? fill(T.outcome.named, { outcome, code, name: found.name }) : fill(T.outcome.exit, { outcome, code });
}

/** Shows the outcome as a badge; ordinary outcomes only with always. */
export function OutcomeBadge({ of: d, interfaces = [], always = false }: { of: Outcome; interfaces?: string[]; always?: boolean }) {
  const ordinary = d.outcome === 'SUCCESS' || (d.outcome === 'CREDITED' && d.compute?.reason === 'NO_STATE');
  if (ordinary && !always) return null;
  return <span class={failed(d) ? 'badge bad' : ordinary ? 'badge ok' : 'badge'}>{describe(d, interfaces)}</span>;
}
