import type { Block } from '../types';
import { grouped } from '../format';
import { Link, toBlock } from '../router';
import { When } from './when';
import { T, plural } from '../text';

export const blockName = (b: { workchain: number; shard: string; seqno: number }): string =>
  b.workchain === -1 ? grouped(b.seqno) : `${b.workchain}:${b.shard.replace(/0+$/, '') || '0'}:${b.seqno}`;

/** Lists blocks with their numbers of transactions and times. */
export function Blocks({ rows, count, fresh }: { rows: Block[]; count?: (b: Block) => number; fresh?: Set<string> }) {
  if (rows.length === 0) return <p class="empty">{T.blocks.none}</p>;
  return (
    <ul class="rows lines">
      {rows.map((b) => {
        const n = count?.(b) ?? b.txCount;
        return (
          <li key={b.rootHash} class={fresh?.has(b.rootHash) ? 'line fresh' : 'line'}>
            <Link to={toBlock(b)} class="kind">{blockName(b)}</Link>
            <span class="dim">{plural(n, T.transactions.count)}</span>
            <When at={b.genUtime} />
          </li>
        );
      })}
    </ul>
  );
}
