// Rows of lists: what an action, a transaction or a block is, in one line.
import type { Action, Block, Tx } from '../types';
import { ago, coins, hex, short, words } from '../format';
import { Link, toAccount, toBlock, toTrace, toTx } from '../router';

export function Address({ of }: { of: string | null | undefined }) {
  if (!of) return <span class="dim">outside</span>;
  return <Link to={toAccount(of)} class="mono" title={of}>{short(of)}</Link>;
}

export function Actions({ rows, empty = 'No actions yet.' }: { rows: Action[]; empty?: string }) {
  if (rows.length === 0) return <p class="dim">{empty}</p>;
  return (
    <ul class="rows">
      {rows.map((a) => (
        <li key={a.hash}>
          <Link to={toTrace(a.traceHash)} class={a.success ? 'kind' : 'kind bad'}>{words(a.type)}{a.success ? '' : ' (failed)'}</Link>
          <span class="what"><ActionText of={a} /></span>
          <time class="dim" dateTime={a.endUtime}>{ago(a.endUtime)}</time>
        </li>
      ))}
    </ul>
  );
}

function ActionText({ of }: { of: Action }) {
  const d = of.details;
  if (!d) return null;
  return (
    <>
      {d.from !== undefined && <Address of={d.from} />}
      {d.to !== undefined && <> → <Address of={d.to} /></>}
      {d.value && <> · {coins(d.value)}</>}
      {d.amount && <> · <span title="in the smallest unit">{d.amount}</span>{d.asset && <> of <Address of={d.asset} /></>}</>}
      {d.item && <> · <Address of={d.item} /></>}
      {d.comment && <> · “{d.comment}”</>}
    </>
  );
}

export function Transactions({ rows }: { rows: Tx[] }) {
  if (rows.length === 0) return <p class="dim">No transactions.</p>;
  return (
    <ul class="rows">
      {rows.map((t) => (
        <li key={t.hash}>
          <Link to={toTx(t.hash)} class={t.description.aborted ? 'kind bad mono' : 'kind mono'} title={hex(t.hash)}>{short(hex(t.hash))}</Link>
          <span class="what">
            {t.inMessage ? <>{t.inMessage.decodedOpcode ?? t.inMessage.opcode ?? (t.inMessage.source ? 'transfer' : 'external')} from <Address of={t.inMessage.source?.address} /></> : 'tick-tock'}
            {t.inMessage?.value && <> · {coins(t.inMessage.value)}</>}
            {t.outMessages.length > 0 && <> · {t.outMessages.length} out</>}
            {t.description.aborted && <span class="bad"> · aborted{t.description.compute ? `, exit ${t.description.compute.exitCode}` : ''}</span>}
          </span>
          <time class="dim" dateTime={t.now}>{ago(t.now)}</time>
        </li>
      ))}
    </ul>
  );
}

export function Blocks({ rows }: { rows: Block[] }) {
  if (rows.length === 0) return <p class="dim">No blocks.</p>;
  return (
    <ul class="rows">
      {rows.map((b) => (
        <li key={b.rootHash}>
          <Link to={toBlock(b)} class="kind mono">{b.workchain === -1 ? b.seqno : `${b.workchain}:${b.shard}:${b.seqno}`}</Link>
          <span class="what">{b.txCount} transactions</span>
          <time class="dim" dateTime={b.genUtime}>{ago(b.genUtime)}</time>
        </li>
      ))}
    </ul>
  );
}
