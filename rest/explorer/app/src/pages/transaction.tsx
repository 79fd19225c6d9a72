import { useEffect } from 'preact/hooks';
import { Loaded, Callout, useQuery } from '../load';
import type { Balance, BlockId, Currency, FullMessage, Ref } from '../types';
import { grouped, moment } from '../format';
import { shown } from '../addressbook';
import { Address, FullHash } from '../parts/address';
import { Copy } from '../parts/copy';
import { blockName } from '../parts/blocks';
import { Facts } from '../parts/facts';
import { Fees } from '../parts/fees';
import { difference } from '../parts/flow';
import { Icon } from '../parts/icon';
import { MessageCard } from '../parts/message';
import { Coins, Currencies } from '../parts/money';
import { OutcomeBadge } from '../parts/outcome';
import { Phases, type Description } from '../parts/phases';
import { Section } from '../parts/section';
import { TraceView, type Trace } from '../parts/trace';
import { labelOf } from '../parts/transactions';
import { Link, toBlock, toTx } from '../router';

type Full = {
  hash: string; lt: string; now: string; totalFees: string; verification: string; mcSeqno: number; origStatus: string; endStatus: string; prevHash: string;
  account: Ref; block: BlockId | null; stateBefore: Balance; stateAfter: (Balance & { extraCurrencies: Currency[] }) | null; description: Description; trace: Trace | null;
  inMessage: (FullMessage & { sourceTransaction: { hash: string } | null }) | null;
  outMessages: (FullMessage & { destinationTransaction: { hash: string } | null })[];
};

const checked: Record<string, [string, string]> = {
  REPLAYED: ['ok', 'replayed, same result'], PROVEN: ['', 'block proven'], MISMATCH: ['bad', 'replayed, different result'],
  UNVERIFIED: ['', 'block proven, replay over budget'], OLD_RULES: ['', 'block proven, old rules'],
};

const nothing = 'A'.repeat(43) + '='; // the previous hash of an account's first transaction

export function TransactionPage({ hash }: { hash: string }) {
  const query = useQuery<{ transaction: Full | null }>('transaction', { hash });
  useEffect(() => { document.title = 'Transaction · Explorer'; }, [hash]);
  return <Loaded of={query} rows={10}>{({ transaction: t }) => (t ? <Shown t={t} /> : <Callout title="Transaction not found">This transaction does not exist, or is not indexed yet.</Callout>)}</Loaded>;
}

function Shown({ t }: { t: Full }) {
  const [tone, said] = checked[t.verification] ?? ['', t.verification.toLowerCase()];
  const change = difference(t);
  return (
    <>
      <div class="card">
        <div class="title"><h1>Transaction</h1>
          <OutcomeBadge of={t.description} always />
          <span class={`badge ${tone}`}><Icon name="shield" />{said}</span>
        </div>
        <FullHash of={t.hash} />
        <Facts of={[
          ['Account', <><Address of={t.account.address} full /><Copy text={shown(t.account.address)} what="address" /></>],
          ['Message', t.description.kind === 'TICK_TOCK' ? (t.description.isTock ? 'tock: the end of a block' : 'tick: the start of a block') : labelOf(t.inMessage)],
          ['Balance', change !== undefined && <><span class={change.startsWith('-') ? '' : 'ok'}><Coins of={change} full signed /></span>{t.stateAfter && <span class="dim"> to <Coins of={t.stateAfter.balance} full /></span>}</>],
          ['Extra currencies', t.stateAfter && t.stateAfter.extraCurrencies.length > 0 && <Currencies of={t.stateAfter.extraCurrencies} />],
          ['Status', t.origStatus !== t.endStatus && `${t.origStatus.toLowerCase()} → ${t.endStatus.toLowerCase()}`],
          ['Time', moment(t.now)],
          ['Logical time', grouped(t.lt)],
          ['Block', t.block && <Link to={toBlock(t.block)}>{blockName(t.block)}</Link>],
          ['Masterchain', <Link to={toBlock({ workchain: -1, shard: '8000000000000000', seqno: t.mcSeqno })}>{grouped(t.mcSeqno)}</Link>],
          ['Previous', t.prevHash !== nothing && <Link to={toTx(t.prevHash)}>the account's previous transaction</Link>],
        ]} />
      </div>
      <div class="columns">
        <Section id="phases" title="Phases"><Phases of={t.description} /></Section>
        <Section id="fees" title="Fees"><Fees total={t.totalFees} of={t.description} inMessage={t.inMessage} outMessages={t.outMessages} /></Section>
      </div>
      <Section id="messages" title="Messages">
        {t.inMessage && <MessageCard m={t.inMessage} way="in" other={t.inMessage.sourceTransaction?.hash} me={t.account.address} />}
        {t.outMessages.map((m) => <MessageCard key={m.hash} m={m} way="out" other={m.destinationTransaction?.hash} me={t.account.address} />)}
        {!t.inMessage && t.outMessages.length === 0 && <p class="empty">None: the masterchain runs this contract in every block.</p>}
      </Section>
      {t.trace && <TraceView t={t.trace} current={t.hash} />}
    </>
  );
}
