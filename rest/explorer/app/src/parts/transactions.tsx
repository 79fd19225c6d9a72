import type { Message, Tx } from '../types';
import { hex, short, words } from '../format';
import { Link, toTx } from '../router';
import { Address } from './address';
import { Icon } from './icon';
import { Coins, Currencies } from './money';
import { OutcomeBadge, failed } from './outcome';
import { When } from './when';

/** Labels a message by its decoded opcode, or by its kind. */
export function labelOf(m: Message | null): string {
  if (!m) return 'Tick-tock';
  if (m.bounced) return 'Bounced';
  if (m.decodedOpcode) return words(m.decodedOpcode);
  if (!m.source) return 'External message'; // its body usually begins with a signature, not an opcode
  return m.opcode ?? 'Transfer';
}

export function Transactions({ rows, me, empty = 'No transactions.' }: { rows: Tx[]; me?: string; empty?: string }) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return <ul class="rows">{rows.map((t) => <Row key={t.hash} t={t} me={me} />)}</ul>;
}

function Row({ t, me }: { t: Tx; me: string | undefined }) {
  return (
    <li class="row">
      <span class={failed(t.description) ? 'mark bad' : 'mark'}><Icon name={t.inMessage ? 'call' : 'gear'} /></span>
      <div class="body">
        <div><Link to={toTx(t.hash)} class="kind">{labelOf(t.inMessage)}</Link><OutcomeBadge of={t.description} /></div>
        <div class="what">
          <span class="clause">{t.inMessage ? <><Address of={t.inMessage.source?.address} me={me} /> <span class="arrow" aria-label="to">→</span> </> : null}<Address of={t.account.address} me={me} /></span>
          {t.outMessages.length > 0 && <span class="clause">{t.outMessages.length} out</span>}
          <span class="clause mono">{short(hex(t.hash), 5)}</span>
        </div>
      </div>
      <div class="side"><div class="sum">{t.inMessage?.value && <Coins of={t.inMessage.value} />}<Currencies of={t.inMessage?.valueExtraCurrencies} /></div><When at={t.now} /></div>
    </li>
  );
}
