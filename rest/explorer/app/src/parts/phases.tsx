// The phases of a transaction in the order of execution.
import type { ComponentChildren } from 'preact';
import { grouped } from '../format';
import type { Currency } from '../types';
import { Coins, Currencies } from './money';
import { failed, reasonOf } from './outcome';

export type Description = {
  kind: string; outcome: string; destroyed: boolean; creditFirst: boolean; isTock: boolean;
  storage: { feesCollected: string; feesDue: string | null; statusChange: string } | null;
  credit: { credit: string; creditExtraCurrencies: Currency[]; dueFeesCollected: string | null } | null;
  compute: {
    skipped: boolean; reason: string | null; success: boolean; exitCode: number; exitArg: number | null; gasUsed: string; gasLimit: string; gasFees: string;
    vmSteps: number; accountActivated: boolean;
  } | null;
  action: {
    success: boolean; valid: boolean; noFunds: boolean; resultCode: number; resultArg: number | null; totalActions: number; specActions: number;
    skippedActions: number; msgsCreated: number; totalFees: string | null; totalFwdFees: string | null;
  } | null;
  bounce: { kind: string; msgFees: string; fwdFees: string; reqFwdFees: string } | null;
};

function Phase({ name, tone = 'ok', result, children }: { name: string; tone?: 'ok' | 'bad' | 'off'; result: ComponentChildren; children?: ComponentChildren }) {
  return <li class={`phase ${tone}`}><div class="line"><span class="kind">{name}</span><span class={tone === 'bad' ? 'bad' : 'dim'}>{result}</span></div>{children && <div class="dim">{children}</div>}</li>;
}

/** Exit codes of the TVM and of the executor; contracts use codes above. */
const exits: Record<number, string> = {
  2: 'stack underflow', 3: 'stack overflow', 4: 'integer overflow', 5: 'number out of range', 6: 'invalid opcode', 7: 'wrong type on the stack', 8: 'cell overflow',
  9: 'cell underflow', 10: 'dictionary error', 13: 'out of gas', [-14]: 'out of gas',
};

export function Phases({ of: d }: { of: Description }) {
  const { storage: s, credit: c, compute: x, action: a, bounce: b } = d;
  const storage = s && <Phase key="s" name="Storage" result={s.feesCollected === '0' ? 'no rent due' : <>rent of <Coins of={s.feesCollected} /></>}>{s.statusChange !== 'UNCHANGED' && <>the account was {s.statusChange.toLowerCase()}</>}</Phase>;
  const credit = c && <Phase key="c" name="Credit" result={<><Coins of={c.credit} signed /><Currencies of={c.creditExtraCurrencies} signed /></>} />;
  return (
    <ol class="phases">
      {d.creditFirst ? [credit, storage] : [storage, credit]}
      {x && (x.skipped
        ? <Phase name="Compute" tone={failed(d) ? 'bad' : 'off'} result={`skipped: ${reasonOf(x.reason)}`} />
        : <Phase name="Compute" tone={x.success ? 'ok' : 'bad'} result={`exit code ${x.exitCode}${!x.success && exits[x.exitCode] ? `, ${exits[x.exitCode]}` : ''}`}>
            {grouped(x.gasUsed)} gas{x.gasLimit !== '0' && <> of {grouped(x.gasLimit)}</>} in {grouped(x.vmSteps)} steps{x.accountActivated && ', the account became active'}
          </Phase>)}
      {a && <Phase name="Actions" tone={a.success ? 'ok' : 'bad'} result={a.success ? `${a.totalActions} carried out` : a.noFunds ? 'not enough coins' : `failed with ${a.resultCode}`}>
        {a.msgsCreated} {a.msgsCreated === 1 ? 'message' : 'messages'} sent{a.skippedActions > 0 && `, ${a.skippedActions} skipped`}{!a.success && a.resultArg !== null && `, at action ${a.resultArg}`}
      </Phase>}
      {b && <Phase name="Bounce" tone={b.kind === 'OK' ? 'off' : 'bad'} result={b.kind === 'OK' ? 'the message was sent back' : 'not enough coins to send it back'} />}
      {d.destroyed && <Phase name="End" tone="off" result="the account was destroyed" />}
    </ol>
  );
}
