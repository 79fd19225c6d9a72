import { useEffect } from 'preact/hooks';
import { Loaded, Callout, useQuery } from '../load';
import type { Block, Page, Tx } from '../types';
import { grouped, moment } from '../format';
import { FullHash } from '../parts/address';
import { Blocks, blockName } from '../parts/blocks';
import { Facts } from '../parts/facts';
import { Pages } from '../parts/pages';
import { Section } from '../parts/section';
import { Transactions } from '../parts/transactions';
import { Link, toBlock } from '../router';

type Full = Block & {
  fileHash: string; startLt: string; endLt: string; keyBlock: boolean; version: number; createdBy: string; parents: Block[]; shardBlocks: Block[];
};

export function BlockPage({ workchain, shard, seqno }: { workchain: string; shard: string; seqno: string }) {
  const id = { workchain: Number(workchain), shard, seqno: Number(seqno) };
  const query = useQuery<{ block: Full | null }>('block', { id });
  useEffect(() => { document.title = `Block ${seqno} · Explorer`; }, [seqno]);
  return <Loaded of={query}>{({ block: b }) => (b ? <Shown b={b} id={id} /> : <Callout title="Block not found">This block does not exist, or is not indexed yet.</Callout>)}</Loaded>;
}

function Shown({ b, id }: { b: Full; id: { workchain: number; shard: string; seqno: number } }) {
  const shards = b.shardBlocks.filter((s) => s.workchain !== -1);
  const after = { ...b, seqno: b.seqno + 1 };
  return (
    <>
      <div class="card">
        <div class="title"><h1>{b.workchain === -1 ? 'Masterchain block' : 'Block'} {b.seqno}</h1>{b.keyBlock && <span class="badge">key block</span>}
          <nav class="steps" aria-label="Adjacent blocks">{b.parents.map((p) => <Link key={p.rootHash} to={toBlock(p)}>← {blockName(p)}</Link>)}{b.workchain === -1 && <Link to={toBlock(after)}>{grouped(after.seqno)} →</Link>}</nav>
        </div>
        <Facts of={[
          ['Shard', <span class="mono">{b.workchain}:{b.shard}</span>],
          ['Time', moment(b.genUtime)],
          ['Transactions', grouped(b.txCount)],
          ['Masterchain', b.workchain !== -1 && <Link to={toBlock({ workchain: -1, shard: '8000000000000000', seqno: b.mcSeqno })}>{grouped(b.mcSeqno)}</Link>],
          ['Root hash', <FullHash of={b.rootHash} what="root hash" />],
          ['File hash', <FullHash of={b.fileHash} what="file hash" />],
          ['Logical time', `${grouped(b.startLt)} to ${grouped(b.endLt)}`],
          ['Created by', <FullHash of={b.createdBy} what="validator's key" />],
        ]} />
      </div>
      {shards.length > 0 && <Section id="shards" title="Shard blocks"><Blocks rows={shards} /></Section>}
      <Section id="transactions" title="Transactions">
        <Pages query="block_transactions" variables={{ id }} next="More" pick={(d: { block: { transactions: Page<Tx> } | null }) => d.block?.transactions}>{(rows) => <Transactions rows={rows} />}</Pages>
      </Section>
    </>
  );
}
