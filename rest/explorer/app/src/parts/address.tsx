// Addresses and hashes, shortened or complete.
import { shown, who } from '../addressbook';
import { hex, short } from '../format';
import { Link, toAccount } from '../router';
import { Copy } from './copy';
import { T, fill } from '../text';

/** Shows an account by its name, or by its shortened address (complete with full). Null stands for a party outside the chain. */
export function Address({ of, me, nobody = T.address.outside, full = false }: { of: string | null | undefined; me?: string | undefined; nobody?: string; full?: boolean }) {
  if (!of) return <span class="dim">{nobody}</span>;
  const { name, kind, scam, imitates } = who(of);
  const text = name && !imitates ? <span class={`name ${kind}`}>{short(name, 16)}</span> : <span class="mono wrap">{full ? shown(of) : short(shown(of))}</span>;
  if (of === me) return <span class="me" title={shown(of)}>{text}</span>;
  return <Link to={toAccount(of)} title={scam ? fill(T.address.scam, { address: shown(of) }) : shown(of)} class={scam ? 'bad' : undefined}>{text}</Link>;
}

/** Shows a complete address with a button that copies it. */
export function FullAddress({ of, what = T.copy.address }: { of: string; what?: string }) {
  return <span class="full"><span class="mono wrap">{of}</span><Copy text={of} what={what} /></span>;
}

/** Shows a complete hash in hex with a button that copies it. */
export function FullHash({ of, what = T.copy.hash }: { of: string; what?: string }) {
  return <FullAddress of={hex(of)} what={what} />;
}
