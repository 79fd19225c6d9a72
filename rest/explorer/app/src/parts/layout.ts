// Places the steps of a trace as a tree: columns by depth, rows by the order of messages. Only what is in sight is drawn.
import type { Step } from './step';

/** The line from a step to its children leaves stem px, the rest of the gap is for the texts of an edge. */
export const width = 216, height = 62, gapX = 134, gapY = 14, stem = 22;

export type Box = { step: Step; index: number; x: number; y: number; children: number; hidden: number; from: Box | undefined };

/** The vertical line from a step to its last child. */
export type Spine = { x: number; top: number; bottom: number };

export type Layout = { boxes: Box[]; spines: Spine[]; width: number; height: number };

/** The children of each step, and the steps without a sender in the list. */
function grow(steps: Step[]): { roots: number[]; children: number[][]; below: number[] } {
  const children: number[][] = steps.map(() => []);
  const roots: number[] = [];
  steps.forEach((s, i) => {
    if (s.parent !== null && s.parent < i) children[s.parent]!.push(i);
    else roots.push(i);
  });
  // Messages go forward in time, so that a step is after its sender.
  const below = steps.map(() => 0);
  for (let i = steps.length - 1; i >= 0; i--) {
    const parent = steps[i]!.parent;
    if (parent !== null && parent < i) below[parent]! += 1 + below[i]!;
  }
  return { roots, children, below };
}

export function place(steps: Step[], folded: ReadonlySet<string>): Layout {
  const { roots, children, below } = grow(steps);
  const boxes: Box[] = [], spineOf = new Map<number, Spine>();
  let row = 0, columns = 0, last = -1;
  const todo: { index: number; depth: number; from: Box | undefined }[] = roots.map((index) => ({ index, depth: 0, from: undefined })).reverse();
  while (todo.length > 0) {
    const { index, depth, from } = todo.pop()!;
    if (last >= 0 && depth <= last) row++;
    last = depth;
    const step = steps[index]!, shut = folded.has(step.hash);
    const box: Box = { step, index, x: depth * (width + gapX), y: row * (height + gapY), children: children[index]!.length, hidden: shut ? below[index]! : 0, from };
    boxes.push(box);
    columns = Math.max(columns, depth + 1);
    if (from) {
      const spine = spineOf.get(from.index), bottom = box.y + height / 2;
      if (spine) spine.bottom = bottom;
      else spineOf.set(from.index, { x: from.x + width + stem, top: from.y + height / 2, bottom });
    }
    if (!shut) for (const child of [...children[index]!].reverse()) todo.push({ index: child, depth: depth + 1, from: box });
  }
  return { boxes, spines: [...spineOf.values()], width: columns * (width + gapX) - gapX, height: (row + 1) * (height + gapY) - gapY };
}

export type View = { left: number; top: number; right: number; bottom: number };

/** The boxes in sight. Rows never go up, so that the first one is found by bisection. */
export function inSight(boxes: Box[], v: View): Box[] {
  let low = 0, high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boxes[middle]!.y + height < v.top) low = middle + 1;
    else high = middle;
  }
  const found: Box[] = [];
  for (let i = low; i < boxes.length && boxes[i]!.y <= v.bottom; i++) {
    const { x } = boxes[i]!;
    if (x + width + gapX >= v.left && x - gapX <= v.right) found.push(boxes[i]!);
  }
  return found;
}
