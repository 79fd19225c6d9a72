// The contract of an account: its code and data, and its get-methods, which the service executes.
import { useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { coins, grouped, moment, words } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import { Cells } from './cells';
import type { Account } from './types';
import { Cause, causeOf, codeText, exitCode } from '../parts/exitcode';
import { T, fill, render } from '../text';

type Run = { exitCode: number; gasUsed: string; stack: unknown; mcSeqno: number };

/** Get-methods without arguments that contracts of this kind have. */
function methodsOf(a: Account): string[] {
  const has = (name: string) => a.mainInterfaces.some((i) => i.startsWith(name));
  return [
    ...(a.wallet?.seqno != null ? ['seqno'] : []), ...(has('wallet') ? ['get_public_key'] : []),
    ...(a.jettonMaster ? ['get_jetton_data'] : []), ...(a.jettonWallet ? ['get_wallet_data'] : []),
    ...(a.nftCollection ? ['get_collection_data'] : []), ...(a.nftItem ? ['get_nft_data'] : []),
    ...(a.nftSale ? ['get_sale_data'] : []), ...(a.multisig ? ['get_multisig_data'] : []), ...(a.multisigOrder ? ['get_order_data'] : []),
    ...(a.vesting ? ['get_vesting_data'] : []),
  ];
}

export function Contract({ a }: { a: Account }) {
  const s = a.state!;
  return (
    <>
      <Facts of={[
        [T.contract.kind, a.wallet && (a.wallet.seqno !== null ? fill(T.contract.kindSeqno, { name: words(a.wallet.name), n: a.wallet.seqno }) : words(a.wallet.name))],
        [T.contract.walletId, a.wallet?.walletId !== null && a.wallet?.walletId !== undefined && String(a.wallet.walletId)],
        [T.contract.publicKey, a.wallet?.publicKey && <FullHash of={a.wallet.publicKey} what={T.copy.publicKey} />],
        [T.contract.codeHash, s.codeHash && <FullHash of={s.codeHash} what={T.copy.codeHash} />],
        [T.contract.dataHash, s.dataHash && <FullHash of={s.dataHash} what={T.copy.dataHash} />],
        [T.contract.size, fill(T.contract.cells, { cells: grouped(s.usedCells), bits: grouped(s.usedBits) })],
        [T.contract.storagePaid, moment(s.lastPaid)],
        [T.contract.debt, s.duePayment && s.duePayment !== '0' && coins(s.duePayment)],
        [T.contract.changed, fill(T.contract.atLt, { lt: grouped(s.lt) })],
      ]} />
      <Cells address={a.address} />
      <Methods address={a.address} interfaces={a.mainInterfaces} suggested={methodsOf(a)} />
    </>
  );
}

function Methods({ address, interfaces, suggested }: { address: string; interfaces: string[]; suggested: string[] }) {
  const [ran, setRan] = useState<{ method: string; run?: Run; error?: string }>();
  const run = (method: string) => {
    if (!method) return;
    setRan({ method });
    request<{ runGetMethod: Run }>('run_method', { address, method }).then(
      (d) => setRan({ method, run: d.runGetMethod }), (e: unknown) => setRan({ method, error: sentence(e) }));
  };
  return (
    <div class="methods">
      <h2>{T.contract.methods}</h2>
      <form class="inline" onSubmit={(e) => { e.preventDefault(); run(String(new FormData(e.currentTarget).get('method') ?? '').trim()); }}>
        <label for="method" class="hidden">{T.contract.methodLabel}</label>
        <input id="method" name="method" placeholder={T.contract.method} autocomplete="off" spellcheck={false} maxLength={100} />
        <button type="submit">{T.contract.run}</button>
        {suggested.map((m) => <button key={m} type="button" class="quiet mono" onClick={() => run(m)}>{m}</button>)}
      </form>
      <div aria-live="polite">
        {ran && !ran.run && !ran.error && <p class="dim">{fill(T.contract.running, { method: ran.method })}</p>}
        {ran?.error && <p class="callout bad">{ran.error}</p>}
        {ran?.run && (
          <>
            <p class="dim">{render(T.contract.ended, { method: <span class="mono">{ran.method}</span>, code: codeText(T.codes.exit, ran.run.exitCode, exitCode(ran.run.exitCode, interfaces)), gas: grouped(ran.run.gasUsed), seqno: grouped(ran.run.mcSeqno) })}</p>
            <Cause of={causeOf(ran.run.exitCode, exitCode(ran.run.exitCode, interfaces))} />
            <pre class="code" tabIndex={0}>{JSON.stringify(ran.run.stack, null, 2)}</pre>
          </>
        )}
      </div>
    </div>
  );
}
