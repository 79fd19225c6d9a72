import { who } from '../addressbook';
import { T } from '../text';
import { Icon } from './icon';

/** Shows what the operator of the service states about an account: verified, scam, or nothing. */
export function Badge({ of }: { of: string }) {
  const { scam, verified } = who(of);
  if (scam) return <span class="badge bad" title={T.badge.scamCause}>{T.account.scam}</span>;
  if (verified) return <span class="badge ok" title={T.badge.verifiedCause}><Icon name="done" />{T.badge.verified}</span>;
  return null;
}
