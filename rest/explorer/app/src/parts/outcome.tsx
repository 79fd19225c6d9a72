// What became of a transaction, as the service derives it from its phases.
export type Outcome = { outcome: string; compute: { skipped: boolean; reason: string | null; exitCode: number } | null };

const reasons: Record<string, string> = {
  NO_STATE: 'the account has no code', BAD_STATE: 'the code that came along does not fit the address', NO_GAS: 'not enough coins for gas', SUSPENDED: 'the account is suspended',
};

export const reasonOf = (reason: string | null): string => reasons[reason ?? ''] ?? 'unknown reason';

export const failed = (d: Outcome): boolean => d.outcome === 'FAILED' || d.outcome === 'BOUNCED';

/** What is to be said of it in a word or two. Coins that came to an account without code are no failure, and nothing special. */
function said(d: Outcome): string {
  const code = d.compute && !d.compute.skipped ? `, exit ${d.compute.exitCode}` : '';
  switch (d.outcome) {
    case 'SUCCESS': return 'success';
    case 'CREDITED': return d.compute?.reason === 'NO_STATE' ? 'credited' : `credited, code not run: ${reasonOf(d.compute?.reason ?? null)}`;
    case 'BOUNCED': return `failed and bounced${code}`;
    default: return `failed${code}`;
  }
}

/** In lists a badge says only what is out of the ordinary. */
export function OutcomeBadge({ of: d, always = false }: { of: Outcome; always?: boolean }) {
  const ordinary = d.outcome === 'SUCCESS' || (d.outcome === 'CREDITED' && d.compute?.reason === 'NO_STATE');
  if (ordinary && !always) return null;
  return <span class={failed(d) ? 'badge bad' : ordinary ? 'badge ok' : 'badge'}>{said(d)}</span>;
}
