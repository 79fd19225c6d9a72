import type { FullMessage } from '../types';
import { words } from '../format';
import { Link, toTx } from '../router';
import { Address, FullHash } from './address';
import { BodyView } from './body';
import { Facts } from './facts';
import { Icon } from './icon';
import { Coins, Currencies } from './money';
import { labelOf } from './transactions';

/** Shows an incoming or outgoing message with its decoded body. */
export function MessageCard({ m, way, other, me }: { m: FullMessage; way: 'in' | 'out'; other: string | undefined; me: string }) {
  const outside = m.kind === 'EXTERNAL_OUT' ? 'a log' : 'outside';
  return (
    <article class="message">
      <div class="row">
        <span class={way === 'in' ? 'mark in' : 'mark'}><Icon name="send" /></span>
        <div class="body">
          <div><span class="kind">{m.kind === 'EXTERNAL_IN' && typeof m.decoded?.['@type'] === 'string' ? words(m.decoded['@type']) : labelOf(m)}</span> <span class="badge">{way === 'in' ? 'received' : 'sent'}</span></div>
          <div class="what"><Address of={m.source?.address} me={me} /> <span class="arrow" aria-label="to">→</span> <Address of={m.destination?.address} me={me} nobody={outside} /></div>
        </div>
        <div class="side"><div class="sum"><Coins of={m.value} /><Currencies of={m.valueExtraCurrencies} /></div>{other && <Link to={toTx(other)}>{way === 'in' ? 'sent by' : 'received by'} this</Link>}</div>
      </div>
      <details>
        <summary>{m.decoded ? 'Body and hashes' : 'Hashes'}</summary>
        <Facts of={[
          ['Opcode', m.opcode && <span class="mono">{m.opcode}</span>],
          ['Bounce', m.bounce !== null && (m.bounce ? 'yes' : 'no')],
          ['Forward fee', m.fwdFee && <Coins of={m.fwdFee} full />],
          ['Hash', <FullHash of={m.hash} />],
          ['Body hash', <FullHash of={m.bodyHash} what="hash of the body" />],
        ]} />
        {m.decoded && <div class="decoded" tabIndex={0} role="group" aria-label="Body"><BodyView of={m.decoded} /></div>}
      </details>
    </article>
  );
}
