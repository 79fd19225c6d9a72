// The outcome of a transaction, which the service derives from its phases.
export type Outcome = { outcome: string; compute: { skipped: boolean; reason: string | null; exitCode: number } | null };

const reasons: Record<string, string> = {
  NO_STATE: 'the account has no code', BAD_STATE: 'the state init does not match the address', NO_GAS: 'not enough coins for gas', SUSPENDED: 'the account is suspended',
};

export const reasonOf = (reason: string | null): string => reasons[reason ?? ''] ?? 'unknown reason';

export const failed = (d: Outcome): boolean => d.outcome === 'FAILED' || d.outcome === 'BOUNCED';

/** Describes an outcome in a few words. A credit to an account without code is an ordinary outcome. */
function describe(d: Outcome): string {
  const code = d.compute && !d.compute.skipped ? `, exit ${d.compute.exitCode}` : '';
  switch (d.outcome) {
    case 'SUCCESS': return 'success';
    case 'CREDITED': return d.compute?.reason === 'NO_STATE' ? 'credited' : `credited, code not run: ${reasonOf(d.compute?.reason ?? null)}`;
    case 'BOUNCED': return `failed and bounced${code}`;
    default: return `failed${code}`;
  }
}

/** Shows the outcome as a badge; ordinary outcomes only with always. */
export function OutcomeBadge({ of: d, always = false }: { of: Outcome; always?: boolean }) {
  const ordinary = d.outcome === 'SUCCESS' || (d.outcome === 'CREDITED' && d.compute?.reason === 'NO_STATE');
  if (ordinary && !always) return null;
  return <span class={failed(d) ? 'badge bad' : ordinary ? 'badge ok' : 'badge'}>{describe(d)}</span>;
}
