import type { FullMessage } from '../types';
import { words } from '../format';
import { Link, toTx } from '../router';
import { Address, FullHash } from './address';
import { BodyView } from './body';
import { Facts } from './facts';
import { Icon } from './icon';
import { Coins, Currencies } from './money';
import { Again } from './trace';
import { labelOf } from './transactions';
import { T } from '../text';

/** Shows an incoming or outgoing message with its decoded body. */
export function MessageCard({ m, way, other, me }: { m: FullMessage; way: 'in' | 'out'; other: string | undefined; me: string }) {
  const outside = m.kind === 'EXTERNAL_OUT' ? T.address.log : T.address.outside;
  return (
    <article class="message">
      <div class="row">
        <span class={way === 'in' ? 'mark in' : 'mark'}><Icon name="send" /></span>
        <div class="body">
          <div><span class="kind">{m.kind === 'EXTERNAL_IN' && typeof m.decoded?.['@type'] === 'string' ? words(m.decoded['@type']) : labelOf(m)}</span> <span class="badge">{way === 'in' ? T.message.received : T.message.sent}</span></div>
          <div class="what"><Address of={m.source?.address} me={me} /> <span class="arrow" aria-label={T.address.to}>→</span> <Address of={m.destination?.address} me={me} nobody={outside} /></div>
        </div>
        <div class="side"><div class="sum"><Coins of={m.value} /><Currencies of={m.valueExtraCurrencies} /></div>{other && <Link to={toTx(other)}>{way === 'in' ? T.message.sentBy : T.message.receivedBy}</Link>}</div>
      </div>
      <details>
        <summary>{m.decoded ? T.message.more : T.message.hashes}</summary>
        <Facts of={[
          [T.message.opcode, m.opcode && <span class="mono">{m.opcode}</span>],
          [T.message.bounce, m.bounce !== null && (m.bounce ? T.message.yes : T.message.no)],
          [T.message.forwardFee, m.fwdFee && <Coins of={m.fwdFee} full />],
          [T.message.hash, <FullHash of={m.hash} />],
          [T.message.bodyHash, <FullHash of={m.bodyHash} what={T.copy.bodyHash} />],
        ]} />
        {way === 'in' && m.kind !== 'EXTERNAL_OUT' && <p><Again message={m.hash} /></p>}
        {m.decoded && <div class="decoded" tabIndex={0} role="group" aria-label={T.message.body}><BodyView of={m.decoded} /></div>}
      </details>
    </article>
  );
}
