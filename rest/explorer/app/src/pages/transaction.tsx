import { useEffect } from 'preact/hooks';
import { isHash } from '../address';
import { Loaded, Callout, useQuery } from '../load';
import type { Balance, BlockId, Currency, FullMessage, Ref } from '../types';
import { grouped, hex, moment, short } from '../format';
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
import { Absent, Stale, type IndexAge } from '../parts/indexage';
import { Verdict } from '../parts/verdict';
import { Since } from '../parts/when';
import { labelOf } from '../parts/transactions';
import { Link, toBlock, toTx } from '../router';
import { T, entry, fill, render } from '../text';

type Full = {
  hash: string; lt: string; now: string; totalFees: string; verification: string; mcSeqno: number; origStatus: string; endStatus: string; prevHash: string;
  account: Ref & { interfaces: string[] }; block: BlockId | null; stateBefore: Balance; stateAfter: (Balance & { extraCurrencies: Currency[] }) | null; description: Description; trace: Trace | null;
  inMessage: (FullMessage & { sourceTransaction: { hash: string } | null }) | null;
  outMessages: (FullMessage & { destinationTransaction: { hash: string } | null })[];
};

const tones: Record<string, string> = { REPLAYED: 'ok', MISMATCH: 'bad' };

const nothing = 'A'.repeat(43) + '='; // the previous hash of an account's first transaction

export function TransactionPage({ hash }: { hash: string }) {
  return isHash(hash) ? <OfHash hash={hash} /> : <Callout title={T.transaction.notFound} bad>{T.load.noHash}</Callout>;
}

function OfHash({ hash }: { hash: string }) {
  const query = useQuery<{ transaction: Full | null; indexStatus: IndexAge }>('transaction', { hash });
  const found = query.data?.transaction?.hash;
  useEffect(() => { document.title = fill(T.titled, { title: `${T.transaction.title} ${short(found ? hex(found) : hash)}` }); }, [hash, found]);
  return <Loaded of={query} rows={10}>{({ transaction: t, indexStatus: s }) => (t ? <><Stale of={s} /><Shown t={t} /></> : <Callout title={T.transaction.notFound}><Absent text={T.transaction.absent} of={s} /></Callout>)}</Loaded>;
}

function Shown({ t }: { t: Full }) {
  const said = entry<string>(T.verification, t.verification) ?? t.verification.toLowerCase();
  const change = difference(t);
  return (
    <>
      <div class="card">
        <div class="title"><h1>{T.transaction.title}</h1>
          <OutcomeBadge of={t.description} interfaces={t.account.interfaces} always />
          <span class={`badge ${tones[t.verification] ?? ''}`} title={entry<string>(T.verificationAbout, t.verification)}><Icon name="shield" />{said}</span>
        </div>
        <FullHash of={t.hash} />
        <Verdict of={t.description} interfaces={t.account.interfaces} inMessage={t.inMessage} outMessages={t.outMessages} />
        <Facts of={[
          [T.transaction.account, <><Address of={t.account.address} full /><Copy text={shown(t.account.address)} what={T.copy.address} /></>],
          [T.transaction.message, t.description.kind === 'TICK_TOCK' ? (t.description.isTock ? T.transaction.tock : T.transaction.tick) : labelOf(t.inMessage)],
          [T.transaction.balance, change !== undefined && <><span class={change.startsWith('-') ? '' : 'ok'}><Coins of={change} full signed /></span>{t.stateAfter && <span class="dim">{render(T.transaction.after, { balance: <Coins of={t.stateAfter.balance} full /> })}</span>}</>],
          [T.transaction.currencies, t.stateAfter && t.stateAfter.extraCurrencies.length > 0 && <Currencies of={t.stateAfter.extraCurrencies} />],
          [T.transaction.status, t.origStatus !== t.endStatus && `${t.origStatus.toLowerCase()} → ${t.endStatus.toLowerCase()}`],
          [T.transaction.time, <>{moment(t.now)} <Since at={t.now} /></>],
          [T.transaction.lt, grouped(t.lt)],
          [T.transaction.block, t.block && <Link to={toBlock(t.block)}>{blockName(t.block)}</Link>],
          [T.transaction.mc, <Link to={toBlock({ workchain: -1, shard: '8000000000000000', seqno: t.mcSeqno })}>{grouped(t.mcSeqno)}</Link>],
          [T.transaction.previous, t.prevHash !== nothing && <Link to={toTx(t.prevHash)}>{T.transaction.previousLink}</Link>],
        ]} />
      </div>
      <div class="columns">
        <Section id="phases" title={T.transaction.phases}><Phases of={t.description} interfaces={t.account.interfaces} /></Section>
        <Section id="fees" title={T.transaction.fees}><Fees total={t.totalFees} of={t.description} inMessage={t.inMessage} outMessages={t.outMessages} /></Section>
      </div>
      <Section id="messages" title={T.transaction.messages}>
        {t.inMessage && <MessageCard m={t.inMessage} way="in" other={t.inMessage.sourceTransaction?.hash} me={t.account.address} />}
        {t.outMessages.map((m) => <MessageCard key={m.hash} m={m} way="out" other={m.destinationTransaction?.hash} me={t.account.address} />)}
        {!t.inMessage && t.outMessages.length === 0 && <p class="empty">{T.transaction.noMessages}</p>}
      </Section>
      {t.trace && <TraceView t={t.trace} current={t.hash} />}
    </>
  );
}
