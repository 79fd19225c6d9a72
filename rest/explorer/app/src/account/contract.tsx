// The contract of an account: its code and data, and its get-methods, which the service executes.
import { useState } from 'preact/hooks';
import { request, sentence } from '../load';
import { amount, grouped, moment, words } from '../format';
import { FullHash } from '../parts/address';
import { Facts } from '../parts/facts';
import type { Account } from './types';

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
        ['Kind', a.wallet && `${words(a.wallet.name)}${a.wallet.seqno !== null ? `, seqno ${a.wallet.seqno}` : ''}`],
        ['Wallet id', a.wallet?.walletId !== null && a.wallet?.walletId !== undefined && String(a.wallet.walletId)],
        ['Public key', a.wallet?.publicKey && <FullHash of={a.wallet.publicKey} what="public key" />],
        ['Code hash', s.codeHash && <FullHash of={s.codeHash} what="code hash" />],
        ['Data hash', s.dataHash && <FullHash of={s.dataHash} what="data hash" />],
        ['Size', `${grouped(s.usedCells)} cells, ${grouped(s.usedBits)} bits`],
        ['Storage paid', moment(s.lastPaid)],
        ['Debt', s.duePayment && s.duePayment !== '0' && `${amount(s.duePayment)} TON`],
        ['Last changed', `logical time ${grouped(s.lt)}`],
      ]} />
      <Methods address={a.address} suggested={methodsOf(a)} />
    </>
  );
}

function Methods({ address, suggested }: { address: string; suggested: string[] }) {
  const [ran, setRan] = useState<{ method: string; run?: Run; error?: string }>();
  const run = (method: string) => {
    if (!method) return;
    setRan({ method });
    request<{ runGetMethod: Run }>('run_method', { address, method }).then(
      (d) => setRan({ method, run: d.runGetMethod }), (e: unknown) => setRan({ method, error: sentence(e) }));
  };
  return (
    <div class="methods">
      <h2>Get-methods</h2>
      <form class="inline" onSubmit={(e) => { e.preventDefault(); run(String(new FormData(e.currentTarget).get('method') ?? '').trim()); }}>
        <label for="method" class="hidden">Name of a get-method without arguments</label>
        <input id="method" name="method" placeholder="name of a get-method" autocomplete="off" spellcheck={false} maxLength={100} />
        <button type="submit">Run</button>
        {suggested.map((m) => <button key={m} type="button" class="quiet mono" onClick={() => run(m)}>{m}</button>)}
      </form>
      <div aria-live="polite">
        {ran && !ran.run && !ran.error && <p class="dim">Running {ran.method}…</p>}
        {ran?.error && <p class="callout bad">{ran.error}</p>}
        {ran?.run && (
          <>
            <p class="dim"><span class="mono">{ran.method}</span> ended with exit code {ran.run.exitCode}, {grouped(ran.run.gasUsed)} gas, at masterchain block {grouped(ran.run.mcSeqno)}</p>
            <pre class="code" tabIndex={0}>{JSON.stringify(ran.run.stack, null, 2)}</pre>
          </>
        )}
      </div>
    </div>
  );
}
