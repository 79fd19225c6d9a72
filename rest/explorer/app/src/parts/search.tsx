// One box for everything. One hit is gone to at once; several are offered.
import { useState } from 'preact/hooks';
import { ask } from '../api';
import { words } from '../format';
import { Link, toAccount, toBlock, toTrace, toTx, useGo } from '../router';

type Hit = {
  kind: string; title: string; account: { address: string } | null;
  block: { workchain: number; shard: string; seqno: number } | null; transaction: { hash: string } | null;
  message: { hash: string; sourceTransaction: { hash: string } | null; destinationTransaction: { hash: string } | null } | null;
  trace: { hash: string } | null;
};

function place(h: Hit): string | undefined {
  if (h.block) return toBlock(h.block);
  if (h.transaction) return toTx(h.transaction.hash);
  if (h.trace) return toTrace(h.trace.hash);
  const tx = h.message?.destinationTransaction ?? h.message?.sourceTransaction;
  if (tx) return toTx(tx.hash);
  return h.account ? toAccount(h.account.address) : undefined;
}

export function Search() {
  const go = useGo();
  const [hits, setHits] = useState<Hit[]>();
  const [error, setError] = useState<string>();
  const submit = async (e: SubmitEvent) => {
    e.preventDefault();
    const text = String(new FormData(e.currentTarget as HTMLFormElement).get('text') ?? '').trim();
    setError(undefined);
    setHits(undefined);
    if (!text) return;
    try {
      const { search } = await ask<{ search: Hit[] }>('search', { text });
      const only = search.length === 1 && search[0] ? place(search[0]) : undefined;
      if (only) go(only);
      else setHits(search);
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
    }
  };
  return (
    <form role="search" onSubmit={submit}>
      <label for="search" class="hidden">Search</label>
      <input id="search" name="text" type="search" placeholder="Address, hash, block, domain or name" autocomplete="off" spellcheck={false} maxLength={200} />
      <button type="submit">Search</button>
      <div role="status" class="hits">
        {error && <p class="bad">{error}</p>}
        {hits?.length === 0 && <p class="dim">Nothing of that name is in the index.</p>}
        {hits && hits.length > 0 && (
          <ul class="rows">
            {hits.map((h) => {
              const to = place(h);
              return to && <li key={to + h.kind}><Link to={to} class="kind" onClickCapture={() => setHits(undefined)}>{h.title}</Link><span class="what dim">{words(h.kind.toLowerCase())}</span></li>;
            })}
          </ul>
        )}
      </div>
    </form>
  );
}
