// Addresses and hashes as people read them.
import { shown, who } from '../book';
import { hex, short } from '../format';
import { Link, toAccount } from '../router';
import { Copy } from './copy';

/** An account by its name, or by the ends of its address (all of it with whole). Null is somebody outside the chain. */
export function Address({ of, me, nobody = 'outside', whole = false }: { of: string | null | undefined; me?: string | undefined; nobody?: string; whole?: boolean }) {
  if (!of) return <span class="dim">{nobody}</span>;
  const { name, kind, scam } = who(of);
  const text = name ? <span class={`name ${kind}`}>{short(name, 16)}</span> : <span class="mono wrap">{whole ? shown(of) : short(shown(of))}</span>;
  if (of === me) return <span class="me" title={shown(of)}>{text}</span>;
  return <Link to={toAccount(of)} title={scam ? `marked as a fraud: ${shown(of)}` : shown(of)} class={scam ? 'bad' : undefined}>{text}</Link>;
}

/** All of an address, with a button to copy it. */
export function FullAddress({ of, what = 'address' }: { of: string; what?: string }) {
  return <span class="full"><span class="mono wrap">{of}</span><Copy text={of} what={what} /></span>;
}

/** All of a hash, in hex, with a button to copy it. */
export function FullHash({ of, what = 'hash' }: { of: string; what?: string }) {
  return <FullAddress of={hex(of)} what={what} />;
}
