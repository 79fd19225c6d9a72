// Transactions of a trace in brief: how they are loaded, named and distinguished.
import { useEffect, useState } from 'preact/hooks';
import { send } from '../api';
import { lookUp } from '../addressbook';
import { words } from '../format';
import { sentence } from '../load';
import { visit } from '../visit';
import { exitCode } from './exitcode';
import { describeAction, reasonOf } from './outcome';
import { useSource } from './sources';
import { T, fill } from '../text';

export type Step = {
  hash: string; parent: number | null; address: string; outcome: string; exitCode: number | null; skipReason: string | null; resultCode: number | null;
  totalFees: string; balanceChange: string | null; messageKind: string | null; value: string | null; messageFee: string | null;
  opcode: string | null; decodedOpcode: string | null; bounced: boolean;
};

/** Addresses that are looked up before the trace is shown; those of other steps when they are in sight. */
const maxNamed = 200;

export type Steps = { steps: Step[] | undefined; error: string | undefined };

/** Loads the steps of a trace, as many requests as it takes. */
export function useSteps(hash: string, count: number): Steps {
  const saved = `steps ${hash}`;
  const [state, setState] = useState<Steps>(() => ({ steps: visit().data.get(saved) as Step[] | undefined, error: undefined }));
  useSource('trace_steps', { hash });
  useEffect(() => {
    const { data } = visit(), abort = new AbortController();
    const read = async () => {
      const steps: Step[] = [];
      for (let more = true; more;) {
        const { trace } = await send<{ trace: { steps: Step[] } | null }>('trace_steps', { hash, skip: steps.length }, abort.signal);
        const found = trace?.steps ?? [];
        steps.push(...found);
        more = found.length > 0 && steps.length < count;
      }
      await lookUp(steps.slice(0, maxNamed), maxNamed);
      if (abort.signal.aborted) return;
      data.set(saved, steps);
      setState({ steps, error: undefined });
    };
    const before = data.get(saved) as Step[] | undefined;
    setState({ steps: before, error: undefined });
    if (!before) void read().catch((e: unknown) => { if (!abort.signal.aborted) setState({ steps: undefined, error: sentence(e) }); });
    return () => abort.abort();
  }, [hash]);
  return state;
}

/** How a step is drawn: each has a shape and words of its own. */
export type Shape = 'success' | 'failed' | 'skipped' | 'returned';

export function shapeOf(s: Step): Shape {
  if (s.outcome === 'FAILED' || s.outcome === 'BOUNCED') return 'failed';
  if (s.bounced) return 'returned';
  return s.skipReason ? 'skipped' : 'success';
}

/** The outcome of a step in words; empty for an ordinary success. */
export function wordsOf(s: Step): string {
  if (s.outcome === 'FAILED' || s.outcome === 'BOUNCED') {
    const outcome = s.outcome === 'BOUNCED' ? T.outcome.BOUNCED : T.outcome.FAILED;
    if (s.exitCode !== null && s.exitCode !== 0 && s.exitCode !== 1) {
      const name = exitCode(s.exitCode)?.name;
      return name ? fill(T.outcome.named, { outcome, code: s.exitCode, name }) : fill(T.outcome.exit, { outcome, code: s.exitCode });
    }
    if (s.skipReason) return fill(T.trace.notRun, { outcome, reason: reasonOf(s.skipReason) });
    return describeAction(outcome, s.resultCode ?? 0);
  }
  if (s.bounced) return T.trace.returned;
  return s.skipReason ? fill(T.trace.skipped, { reason: reasonOf(s.skipReason) }) : '';
}

/** Names the message of a step by its opcode, or by its kind. */
export function titleOf(s: Step): string {
  if (!s.messageKind) return T.transactions.tickTock;
  if (s.bounced) return T.transactions.bounced;
  if (s.decodedOpcode) return words(s.decodedOpcode);
  return s.messageKind === 'EXTERNAL_IN' ? T.transactions.external : s.opcode ?? T.transactions.transfer;
}
