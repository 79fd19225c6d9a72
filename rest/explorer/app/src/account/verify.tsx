// A form that compiles sources in the reader's browser and compares the code with that of the account.
import { useEffect, useRef, useState } from 'preact/hooks';
import { compilers } from '../compilers';
import { run, type Outcome } from '../compile/run';
import { guess, languageOf, maxBytes, maxFiles, readFiles, refusalOf, type File } from '../compile/files';
import { hex } from '../format';
import { request, sentence } from '../load';
import { T, fill } from '../text';
import type { Records } from './sourcefiles';

export { SourceFiles } from './sourcefiles';

type State = { compiler: string; files: File[] };

const titles = { func: T.verify.func, tolk: T.verify.tolk };
const isTolk = (compiler: string): boolean => compiler.startsWith('tolk-');
const titleOf = (compiler: string, version?: string): string => fill(isTolk(compiler) ? titles.tolk : titles.func, { version: version ?? compiler.slice(compiler.indexOf('-') + 1) });
/** The compiler of a language, of a version if there is that one. */
const compilerFor = (language: string, version = ''): string | undefined => compilers.find((c) => c === `${language}-${version}`)
  ?? compilers.find((c) => c.startsWith(`${language}-${version}-`)) ?? compilers.find((c) => c.startsWith(`${language}-`));

/** What a record offers: files for a compiler that is here, with a remark if it is of another version, or why there is none. */
function offered({ codeSources }: Records): State & { remark: string } | string {
  const of = codeSources?.find((s) => s.sources && s.sources.files.length > 0)?.sources;
  if (!of) return codeSources?.find((s) => s.sources?.error)?.sources?.error ?? T.verify.noSources;
  const compiler = compilerFor(of.compiler, of.compilerVersion);
  const named = { compiler: of.compiler, version: of.compilerVersion };
  if (!compiler) return fill(T.verify.noCompiler, named);
  const start = of.files.some((f) => f.inCommand) && !isTolk(compiler) ? 'inCommand' : 'entrypoint';
  const files = of.files.map((f) => ({ name: f.name, content: f.content, chosen: f[start] }));
  const here = compiler === `${of.compiler}-${of.compilerVersion}` || compiler.startsWith(`${of.compiler}-${of.compilerVersion}-`);
  return { compiler, files: files.some((f) => f.chosen) ? files : guess(files), remark: here ? '' : fill(T.verify.otherVersion, named) };
}

/** Says what came out of it. */
function Result({ of: outcome, compiler, codeHash }: { of: Outcome; compiler: string; codeHash: string }) {
  if ('timeout' in outcome) return <p class="callout bad" role="alert">{fill(T.verify.timeout, { n: outcome.timeout })}</p>;
  if ('failed' in outcome) return <p class="callout bad" role="alert">{fill(T.verify.failed, { cause: outcome.failed })}</p>;
  if ('refused' in outcome) return <><p class="callout bad" role="alert">{T.verify.refused}</p><pre class="code" tabIndex={0} role="group" aria-label={T.verify.refused}>{outcome.refused}</pre></>;
  const title = titleOf(compiler, outcome.version), mine = hex(codeHash);
  const text = outcome.hash === mine ? T.verify.same : outcome.libraryHash === mine ? T.verify.sameLibrary : '';
  return text ? <p class="callout ok">{fill(text, { compiler: title })}</p> : <p class="callout bad" role="alert">{fill(T.verify.different, { compiler: title, hash: outcome.hash })}</p>;
}

/** The files in the order in which FunC takes them. Names can be changed to those by which other files include them. */
function Files({ of: files, tolk, change }: { of: File[]; tolk: boolean; change: (files: File[]) => void }) {
  const edit = (i: number, of: Partial<File>) => change(files.map((f, j) => (j === i ? { ...f, ...of } : tolk && of.chosen ? { ...f, chosen: false } : f)));
  const up = (i: number) => change(files.map((f, j) => (j === i - 1 ? files[i]! : j === i ? files[i - 1]! : f)));
  return (
    <ul class="rows files">
      {files.map((f, i) => (
        <li key={i} class="line">
          <label><input type={tolk ? 'radio' : 'checkbox'} name="start" checked={f.chosen} onChange={(e) => edit(i, { chosen: e.currentTarget.checked })} /><span class="hidden">{fill(tolk ? T.verify.start : T.verify.argument, { name: f.name })}</span></label>
          <span class="field grow"><input aria-label={fill(T.verify.fileName, { n: i + 1 })} value={f.name} onInput={(e) => edit(i, { name: e.currentTarget.value })} maxLength={200} autocomplete="off" spellcheck={false} /></span>
          {!tolk && i > 0 && <button type="button" class="quiet" aria-label={fill(T.verify.up, { name: f.name })} onClick={() => up(i)}>↑</button>}
          <button type="button" class="quiet" aria-label={fill(T.verify.remove, { name: f.name })} onClick={() => change(files.filter((_, j) => j !== i))}>×</button>
        </li>
      ))}
    </ul>
  );
}

export function Verify({ codeHash }: { codeHash: string }) {
  const [{ compiler, files }, setState] = useState<State>({ compiler: compilers[0] ?? '', files: [] });
  const [problem, setProblem] = useState('');
  const [running, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const end = useRef<() => void>();
  const reset = () => { end.current?.(); setRunning(false); setOutcome(undefined); setProblem(''); };
  useEffect(() => () => end.current?.(), []);

  const set = (next: Partial<State>) => { reset(); setState((s) => ({ ...s, ...next })); };
  const read = async (input: HTMLInputElement) => {
    const list = input.files;
    if (!list?.length) return;
    const found = await readFiles(list);
    input.value = '';
    reset();
    if (typeof found === 'string') { setProblem(fill(T.verify.problems[found], { n: maxFiles, size: maxBytes >> 20 })); return; }
    // Files that are chosen later are added, so that folders and single files can be combined; those of the same name are replaced.
    setState((s) => {
      const all = [...s.files.filter((f) => !found.some((g) => g.name === f.name)), ...found];
      return { files: guess(all), compiler: compilerFor(languageOf(all)) ?? s.compiler };
    });
  };
  const take = () => {
    reset();
    request<Records>('source_files', { codeHash }).then((d) => {
      const found = offered(d);
      if (typeof found === 'string') setProblem(found);
      else { setState({ files: found.files, compiler: found.compiler }); setProblem(found.remark); }
    }, (e: unknown) => setProblem(sentence(e)));
  };
  const submit = (e: Event) => {
    e.preventDefault();
    reset();
    const refusal = refusalOf(files), targets = files.filter((f) => f.chosen).map((f) => f.name);
    if (refusal || targets.length === 0) { setProblem(fill(T.verify.problems[refusal ?? 'none'], { n: maxFiles, size: maxBytes >> 20 })); return; }
    setRunning(true);
    end.current = run({ compiler, targets, files: files.map((f) => [f.name, f.content]) }, (o) => { setRunning(false); setOutcome(o); });
  };
  const tolk = isTolk(compiler);
  return (
    <form class="call" onSubmit={submit}>
      <p class="dim">{T.verify.about}</p>
      <div class="inline">
        <label class="field"><span>{T.verify.files}</span><input type="file" multiple accept=".fc,.func,.tolk" onChange={(e) => void read(e.currentTarget)} /></label>
        <label class="field"><span>{T.verify.folder}</span><input type="file" multiple {...{ webkitdirectory: true }} onChange={(e) => void read(e.currentTarget)} /></label>
        <button type="button" onClick={take}>{T.verify.take}</button>
      </div>
      {files.length > 0 && <p class="dim">{tolk ? T.verify.chooseStart : T.verify.chooseArguments}</p>}
      <Files of={files} tolk={tolk} change={(list) => set({ files: list })} />
      <div class="inline">
        <label class="field"><span>{T.verify.compiler}</span><select value={compiler} onChange={(e) => set({ compiler: e.currentTarget.value })}>{compilers.map((c) => <option key={c} value={c}>{titleOf(c)}</option>)}</select></label>
        <button type="submit" disabled={files.length === 0 || running}>{T.verify.compile}</button>
        {running && <button type="button" onClick={reset}>{T.verify.stop}</button>}
      </div>
      <div aria-live="polite">
        {running && <p class="dim">{fill(T.verify.running, { compiler: titleOf(compiler) })}</p>}
        {problem && <p class="callout bad" role="alert">{problem}</p>}
        {outcome && <Result of={outcome} compiler={compiler} codeHash={codeHash} />}
        {outcome && <p class="dim">{T.verify.notStored}</p>}
      </div>
    </form>
  );
}
