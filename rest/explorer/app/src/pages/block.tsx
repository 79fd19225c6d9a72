import { useEffect } from 'preact/hooks';
import { Loaded, Callout, useQuery } from '../load';
import type { Block, Page, Tx } from '../types';
import { grouped, moment } from '../format';
import { FullHash } from '../parts/address';
import { Blocks, blockName } from '../parts/blocks';
import { Absent, type IndexAge } from '../parts/indexage';
import { Facts } from '../parts/facts';
import { Pages } from '../parts/pages';
import { Section } from '../parts/section';
import { Transactions } from '../parts/transactions';
import { Since } from '../parts/when';
import { Link, toBlock } from '../router';
import { T, fill } from '../text';

type Full = Block & {
  fileHash: string; startLt: string; endLt: string; keyBlock: boolean; version: number; createdBy: string; parents: Block[]; shardBlocks: Block[];
};

export function BlockPage({ workchain, shard, seqno }: { workchain: string; shard: string; seqno: string }) {
  const id = { workchain: Number(workchain), shard, seqno: Number(seqno) };
  const query = useQuery<{ block: Full | null; indexStatus: IndexAge }>('block', { id });
  useEffect(() => { document.title = fill(T.titled, { title: fill(T.block.title, { n: seqno }) }); }, [seqno]);
  return <Loaded of={query}>{({ block: b, indexStatus: s }) => (b ? <Shown b={b} id={id} /> : <Callout title={T.block.notFound}><Absent text={T.block.absent} of={s} /></Callout>)}</Loaded>;
}

function Shown({ b, id }: { b: Full; id: { workchain: number; shard: string; seqno: number } }) {
  const shards = b.shardBlocks.filter((s) => s.workchain !== -1);
  const after = { ...b, seqno: b.seqno + 1 };
  return (
    <>
      <div class="card">
        <div class="title"><h1>{b.workchain === -1 ? T.block.masterchain : T.block.block} {b.seqno}</h1>{b.keyBlock && <span class="badge">{T.block.key}</span>}
          <nav class="steps" aria-label={T.block.adjacent}>{b.parents.map((p) => <Link key={p.rootHash} to={toBlock(p)}>← {blockName(p)}</Link>)}{b.workchain === -1 && <Link to={toBlock(after)}>{grouped(after.seqno)} →</Link>}</nav>
        </div>
        <Facts of={[
          [T.block.shard, <span class="mono">{b.workchain}:{b.shard}</span>],
          [T.block.time, <>{moment(b.genUtime)} <Since at={b.genUtime} /></>],
          [T.block.transactions, grouped(b.txCount)],
          [T.block.mc, b.workchain !== -1 && <Link to={toBlock({ workchain: -1, shard: '8000000000000000', seqno: b.mcSeqno })}>{grouped(b.mcSeqno)}</Link>],
          [T.block.rootHash, <FullHash of={b.rootHash} what={T.copy.rootHash} />],
          [T.block.fileHash, <FullHash of={b.fileHash} what={T.copy.fileHash} />],
          [T.block.lt, fill(T.block.ltRange, { first: grouped(b.startLt), last: grouped(b.endLt) })],
          [T.block.createdBy, <FullHash of={b.createdBy} what={T.copy.validatorKey} />],
        ]} />
      </div>
      {shards.length > 0 && <Section id="shards" title={T.block.shards}><Blocks rows={shards} /></Section>}
      <Section id="transactions" title={T.block.transactions}>
        <Pages query="block_transactions" variables={{ id }} next={T.more.more} pick={(d: { block: { transactions: Page<Tx> } | null }) => d.block?.transactions}>{(rows) => <Transactions rows={rows} />}</Pages>
      </Section>
    </>
  );
}
