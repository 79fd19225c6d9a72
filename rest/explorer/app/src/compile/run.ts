// Runs the worker that compiles, within limits of time.
import type { Job, Report } from './protocol';

const maxLoading = 120_000; // milliseconds until the compiler is loaded
const maxCompiling = 30_000; // milliseconds

export type Outcome = Exclude<Report, { loaded: true }> | { timeout: number };

/** Compiles in a worker of its own, which is ended afterwards, after the limit, or by the returned function. */
export function run(job: Job, done: (outcome: Outcome) => void): () => void {
  const worker = new Worker('/explorer/compile.js');
  let timer = 0;
  const end = (outcome?: Outcome) => {
    clearTimeout(timer);
    worker.terminate();
    worker.onmessage = worker.onerror = null;
    if (outcome) done(outcome);
  };
  const within = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => end({ timeout: ms / 1000 }), ms);
  };
  within(maxLoading);
  worker.onmessage = (e: MessageEvent<Report>) => {
    if ('loaded' in e.data) within(maxCompiling);
    else end(e.data);
  };
  worker.onerror = (e) => { e.preventDefault(); end({ failed: e.message ?? '' }); };
  worker.postMessage(job);
  return () => end();
}
