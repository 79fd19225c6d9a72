import type { Balance, Message, Tx } from '../types';
import { difference } from './flow';
import { hex, short, words } from '../format';
import { Link, toTx } from '../router';
import { Address } from './address';
import { Icon } from './icon';
import { Coins, Currencies } from './money';
import { OutcomeBadge, failed } from './outcome';
import { When } from './when';
import { T, fill } from '../text';

/** Labels a message by its decoded opcode, or by its kind. */
export function labelOf(m: Message | null): string {
  if (!m) return T.transactions.tickTock;
  if (m.bounced) return T.transactions.bounced;
  if (m.decodedOpcode) return words(m.decodedOpcode);
  if (!m.source) return T.transactions.external; // its body usually begins with a signature, not an opcode
  return m.opcode ?? T.transactions.transfer;
}

/** A transaction with the balance of its account before and after. */
export type OwnTx = Tx & { origStatus: string; stateBefore: Balance; stateAfter: Balance };

/** The change of the account's balance, with its sign, or the value of the message where the states are not selected. */
function Change({ of: t }: { of: Tx & Partial<OwnTx> }) {
  const change = t.origStatus !== undefined ? difference(t as OwnTx) : undefined;
  if (change === undefined) return t.inMessage?.value ? <Coins of={t.inMessage.value} /> : null;
  return <span class={change.startsWith('-') || change === '0' ? undefined : 'ok'}><Coins of={change} signed /></span>;
}

export function Transactions({ rows, me, empty = T.transactions.none }: { rows: Tx[]; me?: string; empty?: string }) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return <ul class="rows">{rows.map((t) => <Row key={t.hash} t={t} me={me} />)}</ul>;
}

/** Whether the account received a message of another one, or sent one by itself; undefined where the row is not of an account's list. */
function wayOf(t: Tx, me: string | undefined): 'received' | 'sent' | undefined {
  if (!me) return undefined;
  return t.inMessage?.source ? 'received' : t.outMessages.some((m) => m.destination) ? 'sent' : undefined;
}

function Row({ t, me }: { t: Tx; me: string | undefined }) {
  const way = wayOf(t, me);
  return (
    <li class="row">
      <span class={`mark${failed(t.description) ? ' bad' : ''}${way === 'received' ? ' in' : ''}`}><Icon name={way ? 'send' : t.inMessage ? 'call' : 'gear'} /></span>
      <div class="body">
        <div><Link to={toTx(t.hash)} class="kind">{labelOf(t.inMessage)}</Link>{way && <span class="badge">{T.transactions[way]}</span>}<OutcomeBadge of={t.description} /></div>
        <div class="what">
          <span class="clause">{t.inMessage ? <><Address of={t.inMessage.source?.address} me={me} /> <span class="arrow" aria-label={T.address.to}>→</span> </> : null}<Address of={t.account.address} me={me} /></span>
          {t.outMessages.length > 0 && <span class="clause">{fill(T.transactions.out, { n: t.outMessages.length })}</span>}
          <span class="clause mono">{short(hex(t.hash), 5)}</span>
        </div>
      </div>
      <div class="side"><div class="sum"><Change of={t} /><Currencies of={t.inMessage?.valueExtraCurrencies} /></div><When at={t.now} /></div>
    </li>
  );
}
