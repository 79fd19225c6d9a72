// The hash of the cell in a bag of cells, as a compiler returns it. Code of compilers has ordinary cells only.
import { sha256 } from '@noble/hashes/sha2.js';

const magic = 0xb5ee9c72;
const maxCells = 10_000;

type Cell = { refs: number[]; d1: number; d2: number; data: Uint8Array; hash?: Uint8Array; depth: number };

/** Returns the representation hash of the root. Throws for a bag that is damaged or has other than ordinary cells. */
export function rootHash(boc: Uint8Array): Uint8Array {
  let at = 0;
  const number = (bytes: number): number => {
    let n = 0;
    for (let i = 0; i < bytes; i++) {
      const byte = boc[at++];
      if (byte === undefined) throw new Error('the bag of cells ends too early');
      n = n * 256 + byte;
    }
    return n;
  };
  if (number(4) !== magic) throw new Error('no bag of cells');
  const flags = number(1), refBytes = flags & 7, indexed = (flags & 128) !== 0;
  const offsetBytes = number(1), count = number(refBytes), roots = number(refBytes);
  if (count > maxCells || roots !== 1) throw new Error('a bag of cells with other bounds');
  number(refBytes); // absent cells
  number(offsetBytes); // size of all cells
  const root = number(refBytes);
  if (indexed) at += count * offsetBytes;
  const cells: Cell[] = [];
  for (let i = 0; i < count; i++) {
    const d1 = number(1), d2 = number(1), size = Math.ceil(d2 / 2);
    if (d1 > 4) throw new Error('a cell that is not ordinary');
    const data = boc.subarray(at, at + size);
    at += size;
    const refs = Array.from({ length: d1 }, () => number(refBytes));
    if (data.length !== size || refs.some((r) => r <= i || r >= count)) throw new Error('a damaged cell');
    cells.push({ refs, d1, d2, data, depth: 0 });
  }
  // References point to later cells, so that the hashes of those are there already.
  for (const cell of cells.reverse()) {
    const below = cell.refs.map((r) => cells[count - 1 - r]!);
    cell.depth = below.reduce((most, c) => Math.max(most, c.depth + 1), 0);
    cell.hash = sha256(new Uint8Array([cell.d1, cell.d2, ...cell.data, ...below.flatMap((c) => [c.depth >> 8, c.depth & 255]), ...below.flatMap((c) => [...c.hash!])]));
  }
  const found = cells[count - 1 - root]?.hash;
  if (!found) throw new Error('a bag of cells without its root');
  return found;
}

/** Returns the hash of the library cell that stands for a cell: its type, 2, and the hash of the cell. */
export function libraryHash(hash: Uint8Array): Uint8Array {
  return sha256(new Uint8Array([8, 66, 2, ...hash]));
}
