import { who } from '../addressbook';
import { rated } from '../address';
import { hasLink } from '../names';
import { T, fill } from '../text';
import { Icon } from './icon';

/** Warns of a link in a text that anyone may have written. */
export const LinkBadge = () => <span class="badge warn" title={T.badge.linkCause}>{T.badge.link}</span>;

/** Shows what the operator of the service states about a token: verified, scam, or nothing, which only counts where there is a list. */
export function Badge({ of }: { of: string }) {
  const { name, kind, scam, verified, imitates } = who(of);
  if (scam) return <span class="badge bad" title={T.badge.scamCause}>{T.account.scam}</span>;
  if (imitates) return <span class="badge bad" title={fill(T.badge.imitatesCause, { name: imitates })}>{fill(T.badge.imitates, { name: imitates })}</span>;
  if (verified) return <span class="badge ok" title={T.badge.verifiedCause}><Icon name="done" />{T.badge.verified}</span>;
  if (kind === 'token' && hasLink(name)) return <LinkBadge />;
  if (rated && kind === 'token') return <span class="badge" title={T.badge.unknownCause}>{T.badge.unknown}</span>;
  return null;
}
