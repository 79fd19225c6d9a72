// The sources that records of the registry name, which the service fetches from IPFS when they are opened.
import { useQuery, Loaded } from '../load';
import { visible } from '../compile/files';
import { Copy } from '../parts/copy';
import { Facts } from '../parts/facts';
import { T } from '../text';

export type SourceFile = { name: string; content: string; entrypoint: boolean; inCommand: boolean };
export type Fetched = { compiler: string; compilerVersion: string; commandLine: string; error: string | null; files: SourceFile[] };
export type Records = { codeSources: { verifier: string; sources: Fetched | null }[] | null };

function Text({ of: f }: { of: SourceFile }) {
  return (
    <details>
      <summary class="mono">{f.name}</summary>
      <div class="line"><span class="grow" /><Copy text={f.content} what={f.name} /></div>
      <pre class="code" tabIndex={0} role="group" aria-label={f.name}>{visible(f.content)}</pre>
    </details>
  );
}

function Files({ of: s }: { of: Fetched | null }) {
  if (!s) return <p class="dim">{T.verify.noGateway}</p>;
  if (s.error) return <p class="callout bad" role="alert">{s.error}</p>;
  return (
    <>
      <Facts of={[[T.verify.compiler, [s.compiler, s.compilerVersion].filter(Boolean).join(' ')], [T.verify.command, s.commandLine && <span class="mono">{s.commandLine}</span>]]} />
      <div class="files">{s.files.map((f) => <Text key={f.name} of={f} />)}</div>
    </>
  );
}

export function SourceFiles({ codeHash }: { codeHash: string }) {
  const query = useQuery<Records>('source_files', { codeHash });
  return <Loaded of={query} within>{({ codeSources }) => codeSources?.map((s) => <section key={s.verifier} aria-label={s.verifier}><p class="badge ok">{s.verifier}</p><Files of={s.sources} /></section>)}</Loaded>;
}
