import { useEffect } from 'preact/hooks';
import { Loaded, useQuery } from '../load';
import type { Trace, Tx } from '../types';
import { coins, hex, short } from '../format';
import { Address, Actions } from '../parts/rows';
import { Facts } from '../parts/facts';
import { Tree } from '../parts/tree';
import { Link, toBlock, toTrace } from '../router';

type Full = Tx & {
  mcSeqno: number; block: { workchain: number; shard: string; seqno: number } | null; trace: Trace | null;
  description: {
    storage: { feesCollected: string } | null;
    compute: { skipped: boolean; reason: string | null; success: boolean; gasUsed: string; gasLimit: string; exitCode: number } | null;
    action: { success: boolean; resultCode: number; totalActions: number; msgsCreated: number } | null;
  };
};

const verified: Record<string, string> = {
  REPLAYED: 'executed again here, with the same result', PROVEN: 'its block is proven', MISMATCH: 'executed again here, with another result',
};

export function TransactionPage({ hash }: { hash: string }) {
  const query = useQuery<{ transaction: Full | null }>('transaction', { hash });
  useEffect(() => { document.title = 'Transaction · Explorer'; }, [hash]);
  return <Loaded of={query}>{({ transaction: t }) => (t ? <Shown t={t} /> : <p>No such transaction is in the index.</p>)}</Loaded>;
}

function Shown({ t }: { t: Full }) {
  const c = t.description.compute, a = t.description.action;
  return (
    <>
      <h1>Transaction</h1>
      <p class="mono wrap">{hex(t.hash)}</p>
      <Facts of={[
        ['Account', <Address of={t.account.address} />],
        ['Outcome', t.description.aborted ? <span class="bad">aborted</span> : <span class="ok">done</span>],
        ['Time', t.now.replace('T', ' ').replace('Z', ' UTC')],
        ['Logical time', t.lt],
        ['Block', t.block && <Link to={toBlock(t.block)} class="mono">{`${t.block.workchain}:${t.block.shard}:${t.block.seqno}`}</Link>],
        ['Checked', verified[t.verification]],
        ['From', t.inMessage && <Address of={t.inMessage.source?.address} />],
        ['Value', t.inMessage?.value && coins(t.inMessage.value)],
        ['Message', t.inMessage && (t.inMessage.decodedOpcode ?? t.inMessage.opcode)],
        ['Comment', t.inMessage?.decoded?.comment],
        ['Fees', coins(t.totalFees)],
        ['Compute', c && (c.skipped ? `skipped: ${(c.reason ?? '').toLowerCase().replace('_', ' ')}` : `exit ${c.exitCode}, ${c.gasUsed} gas of ${c.gasLimit}`)],
        ['Sent', a && `${a.msgsCreated} messages in ${a.totalActions} actions${a.success ? '' : `, failed with ${a.resultCode}`}`],
      ]} />
      {t.trace && <TraceView t={t.trace} current={t.hash} />}
    </>
  );
}

export function TracePage({ hash }: { hash: string }) {
  const query = useQuery<{ trace: Trace | null }>('trace', { hash });
  useEffect(() => { document.title = 'Trace · Explorer'; }, [hash]);
  return (
    <Loaded of={query}>{({ trace: t }) => (t ? (
      <>
        <h1>Trace</h1>
        <p class="mono wrap">{hex(t.hash)}</p>
        <Facts of={[['State', t.state.toLowerCase()], ['Finality', t.finality.toLowerCase()], ['Transactions', String(t.transactionCount)], ['Began', t.startUtime], ['Ended', t.endUtime]]} />
        <TraceView t={t} />
      </>
    ) : <p>No such trace is in the index.</p>)}</Loaded>
  );
}

function TraceView({ t, current }: { t: Trace; current?: string }) {
  return (
    <>
      <section aria-labelledby="meaning"><h2 id="meaning">What it meant</h2><Actions rows={t.actions.nodes} empty="Nothing was recognised yet." /></section>
      <section aria-labelledby="trace"><h2 id="trace">{current ? <>Trace <Link to={toTrace(t.hash)} class="mono">{short(hex(t.hash))}</Link></> : 'Tree'}</h2>
        {t.warning && <p class="bad">{t.warning}</p>}
        <Tree txs={t.transactions.nodes} {...(current ? { current } : {})} />
        {t.transactions.pageInfo.hasNextPage && <p class="dim">The first 100 of {t.transactionCount} transactions are drawn.</p>}
      </section>
    </>
  );
}
