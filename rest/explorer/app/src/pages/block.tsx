import { useEffect } from 'preact/hooks';
import { Loaded, useQuery } from '../load';
import type { Block, Page, Tx } from '../types';
import { hex } from '../format';
import { Blocks, Transactions } from '../parts/rows';
import { Facts } from '../parts/facts';
import { Link, toBlock } from '../router';

type Full = Block & {
  fileHash: string; mcSeqno: number; startLt: string; endLt: string; keyBlock: boolean; parents: Block[]; shardBlocks: Block[];
  transactions: Page<Tx>;
};

export function BlockPage({ workchain, shard, seqno }: { workchain: string; shard: string; seqno: string }) {
  const query = useQuery<{ block: Full | null }>('block', { id: { workchain: Number(workchain), shard, seqno: Number(seqno) } });
  useEffect(() => { document.title = `Block ${seqno} · Explorer`; }, [seqno]);
  return <Loaded of={query}>{({ block: b }) => (b ? <Shown b={b} /> : <p>No such block is in the index.</p>)}</Loaded>;
}

function Shown({ b }: { b: Full }) {
  return (
    <>
      <h1>{b.workchain === -1 ? 'Masterchain block' : 'Block'} {b.seqno}{b.keyBlock && <span class="dim"> key block</span>}</h1>
      <Facts of={[
        ['Shard', <span class="mono">{b.workchain}:{b.shard}</span>],
        ['Time', b.genUtime.replace('T', ' ').replace('Z', ' UTC')],
        ['Transactions', String(b.txCount)],
        ['Root hash', <span class="mono wrap">{hex(b.rootHash)}</span>],
        ['File hash', <span class="mono wrap">{hex(b.fileHash)}</span>],
        ['Logical time', `${b.startLt} – ${b.endLt}`],
        ['Masterchain', b.workchain !== -1 && <Link to={toBlock({ workchain: -1, shard: '8000000000000000', seqno: b.mcSeqno })}>{b.mcSeqno}</Link>],
        ['Before it', b.parents.map((p) => <Link key={p.rootHash} to={toBlock(p)} class="mono">{p.seqno} </Link>)],
      ]} />
      {b.shardBlocks.length > 0 && <section aria-labelledby="shards"><h2 id="shards">Shard blocks</h2><Blocks rows={b.shardBlocks} /></section>}
      <section aria-labelledby="transactions"><h2 id="transactions">Transactions</h2><Transactions rows={b.transactions.nodes} />
        {b.transactions.pageInfo.hasNextPage && <p class="dim">The first 50 are shown.</p>}</section>
    </>
  );
}
