// The phases of a transaction in the order of execution.
import type { ComponentChildren } from 'preact';
import { grouped } from '../format';
import type { Currency } from '../types';
import { T, entry, fill, plural, render } from '../text';
import { actionCode, causeOf, codeText, exitCode } from './exitcode';
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

function Phase({ name, tone = 'ok', result, about, children }: { name: string; tone?: 'ok' | 'bad' | 'off'; result: ComponentChildren; about?: string; children?: ComponentChildren }) {
  return (
    <li class={`phase ${tone}`}>
      <div class="line"><span class="kind" title={about}>{name}</span><span class={tone === 'bad' ? 'bad' : 'dim'}>{result}</span></div>
      {about && <span class="hidden">{about}</span>}
      {children && <div class="dim">{children}</div>}
    </li>
  );
}

/** The compute phase: its exit code with name and cause, its gas. */
function Compute({ of: x, bad, interfaces }: { of: NonNullable<Description['compute']>; bad: boolean; interfaces: string[] }) {
  if (x.skipped) return <Phase name={T.phases.compute} about={T.phases.about.compute} tone={bad ? 'bad' : 'off'} result={fill(T.phases.skipped, { reason: reasonOf(x.reason) })} />;
  const found = exitCode(x.exitCode, interfaces);
  const cause = causeOf(x.exitCode, found);
  const gas = { gas: grouped(x.gasUsed), limit: grouped(x.gasLimit), steps: grouped(x.vmSteps) };
  return (
    <Phase name={T.phases.compute} about={T.phases.about.compute} tone={x.success ? 'ok' : 'bad'} result={codeText(T.codes.exit, x.exitCode, x.success ? undefined : found)}>
      {cause && <div class="cause">{cause}</div>}
      {fill(x.gasLimit !== '0' ? T.phases.gasOf : T.phases.gas, gas)}{x.accountActivated && `, ${T.phases.activated}`}
    </Phase>
  );
}

function ActionPhase({ of: a }: { of: NonNullable<Description['action']> }) {
  const found = actionCode(a.resultCode);
  const cause = a.success ? undefined : causeOf(a.resultCode, found);
  return (
    <Phase name={T.phases.actions} about={T.phases.about.actions} tone={a.success ? 'ok' : 'bad'}
      result={a.success ? fill(T.phases.carriedOut, { n: a.totalActions }) : codeText(T.codes.result, a.resultCode, found)}>
      {cause && <div class="cause">{cause}</div>}
      {[plural(a.msgsCreated, T.phases.sent), a.skippedActions > 0 && fill(T.phases.actionsSkipped, { n: a.skippedActions }),
        !a.success && a.resultArg !== null && fill(T.phases.atAction, { n: a.resultArg })].filter(Boolean).join(', ')}
    </Phase>
  );
}

/** The phases with what each one does; codes are explained by the interfaces of the account. */
export function Phases({ of: d, interfaces = [] }: { of: Description; interfaces?: string[] }) {
  const { storage: s, credit: c, compute: x, action: a, bounce: b } = d;
  const { about } = T.phases;
  const storage = s && (
    <Phase key="s" name={T.phases.storage} about={about.storage} result={s.feesCollected === '0' ? T.phases.noRent : render(T.phases.rent, { coins: <Coins of={s.feesCollected} /> })}>
      {s.statusChange !== 'UNCHANGED' && fill(T.phases.account, { status: entry<string>(T.statusChange, s.statusChange) ?? s.statusChange.toLowerCase() })}
    </Phase>
  );
  const credit = c && <Phase key="c" name={T.phases.credit} about={about.credit} result={<><Coins of={c.credit} signed /><Currencies of={c.creditExtraCurrencies} signed /></>} />;
  return (
    <ol class="phases">
      {d.creditFirst ? [credit, storage] : [storage, credit]}
      {x && <Compute of={x} bad={failed(d)} interfaces={interfaces} />}
      {a && <ActionPhase of={a} />}
      {b && <Phase name={T.phases.bounce} about={about.bounce} tone={b.kind === 'OK' ? 'off' : 'bad'} result={b.kind === 'OK' ? T.phases.bounced : T.phases.notBounced} />}
      {d.destroyed && <Phase name={T.phases.end} tone="off" result={T.phases.destroyed} />}
    </ol>
  );
}
