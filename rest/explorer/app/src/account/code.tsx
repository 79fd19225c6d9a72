// The code of a contract as text, and the other accounts that have it. Both are requested when they are opened.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Loaded, Skeleton, useQuery } from '../load';
import { grouped, hex, moment } from '../format';
import { Address, FullAddress } from '../parts/address';
import { Copy } from '../parts/copy';
import { Facts } from '../parts/facts';
import { Coins } from '../parts/money';
import { Pages } from '../parts/pages';
import type { Page } from '../types';
import { compilers } from '../compilers';
import { T, fill } from '../text';

type Disassembly = { text: string; instructionCount: number; complete: boolean; libraryHash: string | null; mcSeqno: number };
type Same = { address: string; state: { balance: string; lastPaid: string } | null };

/** A part that is loaded when it is opened. */
function Opened({ title, children }: { title: string; children: () => ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return <details class="opened" onToggle={(e) => setOpen(e.currentTarget.open)}><summary>{title}</summary>{open && children()}</details>;
}

function Instructions({ address }: { address: string }) {
  const query = useQuery<{ disassembly: Disassembly | null }>('disassembly', { address });
  return (
    <Loaded of={query} within>{({ disassembly: d }) => d && (
      <>
        <div class="line">
          <p class="dim grow">{fill(d.complete ? T.contract.instructions : T.contract.cut, { n: grouped(d.instructionCount), seqno: grouped(d.mcSeqno) })}{d.libraryHash && <> {fill(T.contract.library, { hash: hex(d.libraryHash) })}</>}</p>
          <Copy text={d.text} what={T.contract.disassembly} />
        </div>
        <pre class="code" tabIndex={0} role="group" aria-label={T.contract.disassembly}>{d.text}</pre>
      </>
    )}</Loaded>
  );
}

function Accounts({ codeHash, me }: { codeHash: string; me: string }) {
  return (
    <Pages query="same_code" variables={{ codeHash }} pick={(d: { accountsByCode: Page<Same> }) => d.accountsByCode} next={T.more.more}>{(rows: Same[]) => (
      <ul class="rows">{rows.map((a) => <li key={a.address} class="line"><span class="grow"><Address of={a.address} me={me} /></span>{a.state && <><span class="dim">{moment(a.state.lastPaid)}</span><span class="sum"><Coins of={a.state.balance} /></span></>}</li>)}</ul>
    )}</Pages>
  );
}

type Source = { verifier: string; uri: string; itemAccount: { address: string } };

type Lazy = typeof import('./verify');

/** A part whose script is loaded when it is opened. */
function Later({ children }: { children: (of: Lazy) => ComponentChildren }) {
  const [loaded, setLoaded] = useState<Lazy>();
  useEffect(() => {
    let gone = false;
    void import('./verify').then((of) => { if (!gone) setLoaded(of); });
    return () => { gone = true; };
  }, []);
  return loaded ? <>{children(loaded)}</> : <Skeleton rows={2} />;
}

/** The form that compiles sources; without compilers, what the operator would have to do. */
function Verification({ codeHash }: { codeHash: string }) {
  if (compilers.length === 0) return <><p class="dim"><span class="badge">{T.contract.notVerified}</span> {T.verify.noCompilers}</p><p><a href="/docs/sources">{T.verify.documentation}</a></p></>;
  return <Later>{({ Verify }) => <Verify codeHash={codeHash} />}</Later>;
}

/** What the registry on the chain says of the sources. This service compiles nothing. */
function Registry({ codeHash }: { codeHash: string }) {
  const query = useQuery<{ codeSources: Source[] | null }>('code_sources', { codeHash });
  return (
    <Loaded of={query} within>{({ codeSources: list }) => (list?.length ? (
      <>
        {list.map((s) => <Facts key={s.verifier} of={[[T.contract.verifier, <span class="badge ok">{s.verifier}</span>], [T.contract.sourcesAt, <FullAddress of={s.uri} what={T.contract.sourcesAt} />], [T.contract.record, <Address of={s.itemAccount.address} />]]} />)}
        <p class="dim">{T.contract.signed}</p>
        <Opened title={T.verify.show}>{() => <Later>{({ SourceFiles }) => <SourceFiles codeHash={codeHash} />}</Later>}</Opened>
      </>
    ) : <p class="dim"><span class="badge">{T.contract.notVerified}</span> {list ? T.contract.noRecord : T.contract.noRegistry}</p>)}</Loaded>
  );
}

export function Code({ address, codeHash }: { address: string; codeHash: string }) {
  return (
    <>
      <Opened title={T.contract.disassembly}>{() => <Instructions address={address} />}</Opened>
      <Opened title={T.contract.sources}>{() => <Registry codeHash={codeHash} />}</Opened>
      <Opened title={T.verify.title}>{() => <Verification codeHash={codeHash} />}</Opened>
      <Opened title={T.contract.sameCode}>{() => <Accounts codeHash={codeHash} me={address} />}</Opened>
    </>
  );
}
