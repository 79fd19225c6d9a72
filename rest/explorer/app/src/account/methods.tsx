// The get-methods of a contract: a form for each with the arguments of its standard, and a free form; the service executes them.
import { useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { grouped } from '../format';
import { Cause, causeOf, codeText, exitCode } from '../parts/exitcode';
import { useSource } from '../parts/sources';
import { Values, type Printed } from '../parts/value';
import { Argument, Drafts, draft, inputOf, type Draft } from './argument';
import { T, fill, render } from '../text';

export type Method = { id: number; name: string | null; arguments: { name: string; type: string }[] | null };

type Run = { exitCode: number; gasUsed: string; values: Printed[]; mcSeqno: number };
type Ran = { title: string; variables: Record<string, unknown>; run?: Run; error?: string };

/** Executes a method and shows what it returned. */
function Result({ of: ran, interfaces }: { of: Ran; interfaces: string[] }) {
  useSource('run_method', ran.variables);
  if (ran.error) return <p class="callout bad" role="alert">{ran.error}</p>;
  if (!ran.run) return <p class="dim">{fill(T.contract.running, { method: ran.title })}</p>;
  const { exitCode: code, gasUsed, mcSeqno, values } = ran.run;
  const known = exitCode(code, interfaces);
  return (
    <>
      <p class="dim">{render(T.contract.ended, { method: <span class="mono">{ran.title}</span>, code: codeText(T.codes.exit, code, known), gas: grouped(gasUsed), seqno: grouped(mcSeqno) })}</p>
      <Cause of={causeOf(code, known)} />
      <Values of={values} />
    </>
  );
}

const free = '*';

export function Methods({ address, interfaces, methods }: { address: string; interfaces: string[]; methods: Method[] }) {
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const [drafts, setDrafts] = useState<Draft[]>([]);
  const [block, setBlock] = useState('');
  const [ran, setRan] = useState<Ran>();
  const method = methods.find((m) => String(m.id) === chosen);
  const typed = method?.arguments ?? null;
  const run = (m: string, title: string, list: Draft[]) => {
    if (!m) return;
    const variables = { address, method: m, stack: list.map(inputOf), seqno: /^\d+$/.test(block.trim()) ? Number(block) : null };
    setRan({ title, variables });
    request<{ runGetMethod: Run }>('run_method', variables).then(
      (d) => setRan({ title, variables, run: d.runGetMethod }), (e: unknown) => setRan({ title, variables, error: sentence(e) }));
  };
  const titleOf = (m: Method) => m.name ?? fill(T.contract.unnamed, { id: m.id });
  /** Opens the form of a method; one without arguments runs at once. */
  const choose = (m: Method) => {
    const list = (m.arguments ?? []).map((a) => draft(a.type));
    setChosen(String(m.id));
    setDrafts(list);
    if (m.arguments?.length === 0) run(m.name ?? String(m.id), titleOf(m), list);
    else setRan(undefined);
  };
  const submit = (e: Event) => {
    e.preventDefault();
    if (method) run(method.name ?? String(method.id), titleOf(method), drafts);
    else run(name.trim(), name.trim(), drafts);
  };
  const change = (i: number) => (d: Draft) => setDrafts(drafts.map((x, j) => (j === i ? d : x)));
  return (
    <div class="methods">
      <h2>{T.contract.methods}</h2>
      <div class="inline" role="group" aria-label={T.contract.methods}>
        {methods.map((m) => <button key={m.id} type="button" class="quiet mono" aria-pressed={chosen === String(m.id)} onClick={() => choose(m)}>{titleOf(m)}</button>)}
        <button type="button" class="quiet" aria-pressed={chosen === free} onClick={() => { setChosen(free); setDrafts([]); setRan(undefined); }}>{T.contract.other}</button>
      </div>
      {methods.length === 0 && <p class="dim">{T.contract.noMethods}</p>}
      <form class="call" onSubmit={submit}>
        {chosen === free && <label class="field argument"><span>{T.contract.methodLabel}</span><input name="method" value={name} onInput={(e) => setName(e.currentTarget.value)} placeholder={T.contract.method} autocomplete="off" spellcheck={false} maxLength={100} /></label>}
        {typed ? typed.map((a, i) => drafts[i] && <Argument key={a.name} name={a.name} of={drafts[i]!} place={String(i + 1)} change={change(i)} />)
          : chosen !== '' && <Drafts of={drafts} change={setDrafts} add={T.values.add} />}
        <div class="inline">
          <label class="field"><span>{T.contract.block}</span><input name="block" inputMode="numeric" value={block} onInput={(e) => setBlock(e.currentTarget.value)} placeholder={T.contract.newest} autocomplete="off" pattern="[0-9]*" maxLength={10} /></label>
          <button type="submit" disabled={chosen === ''}>{T.contract.run}</button>
        </div>
      </form>
      <div aria-live="polite">{ran && <Result of={ran} interfaces={interfaces} />}</div>
    </div>
  );
}
