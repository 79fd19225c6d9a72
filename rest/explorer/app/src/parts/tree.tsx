// A trace as a tree: each transaction is a child of the one that sent its message.
import { useMemo, useState } from 'preact/hooks';
import type { Tx } from '../types';
import { shown, who } from '../addressbook';
import { brief, hex, short } from '../format';
import { toTx, useGo } from '../router';
import { failed } from './outcome';
import { labelOf } from './transactions';
import { T, fill } from '../text';

type Node = { tx: Tx; children: Node[] };

function grow(txs: Tx[]): Node[] {
  const nodes = txs.map((tx): Node => ({ tx, children: [] }));
  const sender = new Map<string, Node>();
  for (const n of nodes) for (const m of n.tx.outMessages) sender.set(m.hash, n);
  const roots: Node[] = [];
  for (const n of nodes) {
    const parent = n.tx.inMessage ? sender.get(n.tx.inMessage.hash) : undefined;
    if (parent && parent !== n) parent.children.push(n);
    else roots.push(n);
  }
  return roots;
}

const width = 204, height = 46, gapX = 28, gapY = 12;

type Placed = { node: Node; x: number; y: number; hidden: number; from?: Placed };

/** Places boxes in columns by depth and in rows by the order of messages. */
function layout(roots: Node[], folded: Set<string>): { boxes: Placed[]; rows: number; columns: number } {
  const boxes: Placed[] = [];
  let rows = 0, columns = 0;
  const count = (n: Node): number => n.children.reduce((sum, c) => sum + 1 + count(c), 0);
  const todo: { node: Node; depth: number; from?: Placed }[] = roots.map((node) => ({ node, depth: 0 })).reverse();
  let last: { depth: number } | undefined;
  while (todo.length > 0) {
    const { node, depth, from } = todo.pop()!;
    if (last && depth <= last.depth) rows++;
    last = { depth };
    const shut = folded.has(node.tx.hash);
    const box: Placed = { node, x: depth * (width + gapX), y: rows * (height + gapY), hidden: shut ? count(node) : 0, ...(from ? { from } : {}) };
    boxes.push(box);
    columns = Math.max(columns, depth + 1);
    if (!shut) for (const child of [...node.children].reverse()) todo.push({ node: child, depth: depth + 1, from: box });
  }
  return { boxes, rows: rows + 1, columns };
}

/** Names a box for screen readers. */
function nameOf(label: string, address: string, bad: boolean): string {
  const text = fill(T.trace.at, { label, account: who(address).name || shown(address) });
  return bad ? fill(T.trace.failed, { label: text }) : text;
}

export function Tree({ txs, current }: { txs: Tx[]; current?: string }) {
  const go = useGo();
  const [folded, setFolded] = useState<Set<string>>(new Set());
  const roots = useMemo(() => grow(txs), [txs]);
  const { boxes, rows, columns } = useMemo(() => layout(roots, folded), [roots, folded]);
  const fold = (hash: string) => {
    const next = new Set(folded);
    if (!next.delete(hash)) next.add(hash);
    setFolded(next);
  };
  return (
    <div class="tree" tabIndex={0} role="group" aria-label={fill(T.trace.of, { n: txs.length })}>
      <svg width={columns * (width + gapX)} height={rows * (height + gapY)}>
        {boxes.map((b) => b.from && (
          <path key={'l' + b.node.tx.hash} class="wire" d={`M${b.from.x + width} ${b.from.y + height / 2} h${gapX / 2} V${b.y + height / 2} h${gapX / 2}`} />
        ))}
        {boxes.map((b) => {
          const t = b.node.tx;
          const bad = failed(t.description);
          const label = labelOf(t.inMessage);
          const sum = t.inMessage?.value ? `${brief(t.inMessage.value)} ${T.money.ton}` : '';
          const room = sum.length > 11 ? 3 : 5; // beside a long amount
          const name = short(who(t.account.address).name || short(shown(t.account.address), room), room + 4);
          return (
            <g key={t.hash} transform={`translate(${b.x} ${b.y})`}>
              <a href={'/explorer' + toTx(t.hash)} class={(bad ? 'box failed' : 'box') + (t.hash === current ? ' current' : '')}
                onClick={(e) => { e.preventDefault(); go(toTx(t.hash)); }}
                aria-label={nameOf(label, t.account.address, bad)}>
                <title>{shown(t.account.address)} {hex(t.hash)}</title>
                <rect width={width} height={height} rx="8" />
                <text x="10" y="19" class="label">{label.length > 23 ? label.slice(0, 22) + '…' : label}{bad ? ' ✕' : ''}</text>
                <text x="10" y="36" class="sub">{name}</text>
                {sum && <text x={width - 14} y="36" class="sub" text-anchor="end">{sum}</text>}
              </a>
              {b.node.children.length > 0 && (
                <g role="button" tabindex={0} class="fold" transform={`translate(${width} ${height / 2})`} aria-expanded={b.hidden === 0}
                  aria-label={b.hidden > 0 ? fill(T.trace.show, { n: b.hidden }) : T.trace.hide} onClick={() => fold(t.hash)}
                  onKeyDown={(e) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); fold(t.hash); } }}>
                  <circle r="9" /><text y="4" text-anchor="middle">{b.hidden > 0 ? '+' : '−'}</text>
                </g>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
