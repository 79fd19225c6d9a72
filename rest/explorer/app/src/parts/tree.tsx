// A trace as a tree, however large: each transaction is a child of the one that sent its message. Boxes that are not in sight are not
// in the document.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasUnknown, lookUp, shown, who } from '../addressbook';
import { brief, hex, short } from '../format';
import { toTx, useGo } from '../router';
import { gapX, height, inSight, place, stem, width, type Box, type Spine, type View } from './layout';
import { shapeOf, titleOf, wordsOf, type Shape, type Step } from './step';
import { savePNG, saveSVG } from './treeimage';
import { T, fill } from '../text';

const margin = 4, cut = 10; // px

/** Where the texts of an edge begin, from the box that it leads to. */
export const edgeX = stem - gapX + 6;

/** The outline of a box: rounded, with cut corners for a failure, dashed for code that did not run, pointed for a return. */
export function outline(shape: Shape): string {
  if (shape === 'failed') return `M${cut} 0H${width - cut}L${width} ${cut}V${height - cut}L${width - cut} ${height}H${cut}L0 ${height - cut}V${cut}Z`;
  if (shape === 'returned') return `M14 0H${width}V${height}H14L0 ${height / 2}Z`;
  return `M8 0H${width - 8}a8 8 0 0 1 8 8V${height - 8}a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8V8a8 8 0 0 1 8 -8Z`;
}

const clipped = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);

/** The texts of a box. */
export function textsOf(s: Step): { title: string; account: string; state: string; fee: string; value: string; messageFee: string } {
  const title = titleOf(s), state = wordsOf(s);
  return {
    title: clipped(title, 25), account: short(who(s.address).name || short(shown(s.address), 8), 12),
    state: clipped(state, 33), fee: state ? '' : fill(T.trace.fee, { coins: brief(s.totalFees) }),
    value: s.value ? `${brief(s.value)} ${T.money.ton}` : '', messageFee: s.messageFee && s.messageFee !== '0' ? fill(T.trace.fee, { coins: brief(s.messageFee) }) : '',
  };
}

/** Names a box for screen readers. */
function nameOf(s: Step): string {
  const text = fill(T.trace.at, { label: titleOf(s), account: who(s.address).name || shown(s.address) }), state = wordsOf(s);
  return state ? fill(T.trace.failed, { label: text, state }) : text;
}

export const spinePath = (s: Spine): string => `M${s.x} ${s.top}V${s.bottom}`;
export const wirePath = (b: Box): string => `M${b.x - gapX + stem} ${b.y + height / 2}h${gapX - stem}`;
export const stemPath = (b: Box): string => `M${b.x + width} ${b.y + height / 2}h${stem}`;

function BoxView({ of: b, current, open, fold }: { of: Box; current: boolean; open: () => void; fold: () => void }) {
  const s = b.step, shape = shapeOf(s), t = textsOf(s);
  const indent = shape === 'returned' ? 20 : 10;
  return (
    <g transform={`translate(${b.x} ${b.y})`}>
      {b.from && t.value && <text x={edgeX} y={height / 2 - 6} class="edge">{t.value}</text>}
      {b.from && t.messageFee && <text x={edgeX} y={height / 2 + 15} class="edge dimmed">{t.messageFee}</text>}
      <a href={`/explorer${toTx(s.hash)}`} class={`box ${shape}${current ? ' current' : ''}`} onClick={(e) => { e.preventDefault(); open(); }} aria-label={nameOf(s)}>
        <title>{shown(s.address)} {hex(s.hash)} {wordsOf(s)}</title>
        <path d={outline(shape)} />
        <text x={indent} y="18" class="label">{t.title}</text>
        <text x={indent} y="35" class="sub">{t.account}</text>
        <text x={indent} y="52" class="sub state">{t.state || t.fee}</text>
        {!b.from && t.value && <text x={width - 12} y="18" class="sub" text-anchor="end">{t.value}</text>}
      </a>
      {b.children > 0 && (
        <g role="button" tabindex={0} class="fold" transform={`translate(${width} ${height / 2})`} aria-expanded={b.hidden === 0}
          aria-label={b.hidden > 0 ? fill(T.trace.show, { n: b.hidden }) : T.trace.hide} onClick={fold}
          onKeyDown={(e) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); fold(); } }}>
          <circle r="9" /><text y="4" text-anchor="middle">{b.hidden > 0 ? '+' : '−'}</text>
        </g>
      )}
    </g>
  );
}

const zooms = [0.1, 0.25, 0.5, 0.75, 1, 1.5];
const ahead = 400; // px around what is in sight that is drawn, too

export function Tree({ steps, current }: { steps: Step[]; current?: string }) {
  const go = useGo();
  const frame = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [zoom, setZoom] = useState(1);
  const [view, setView] = useState<View>({ left: 0, top: 0, right: 1600, bottom: 900 });
  const [, setNamed] = useState(0);
  const layout = useMemo(() => place(steps, folded), [steps, folded]);
  const look = () => {
    const f = frame.current;
    if (!f) return;
    // Steps of the size of what is drawn ahead: most scrolling changes nothing.
    const floor = (n: number) => Math.floor(n / ahead) * ahead, ceil = (n: number) => Math.ceil(n / ahead) * ahead;
    const next = { left: floor(f.scrollLeft - ahead) / zoom, top: floor(f.scrollTop - ahead) / zoom, right: ceil(f.scrollLeft + f.clientWidth + ahead) / zoom, bottom: ceil(f.scrollTop + f.clientHeight + ahead) / zoom };
    setView((v) => (v.left === next.left && v.top === next.top && v.right === next.right && v.bottom === next.bottom ? v : next));
  };
  useLayoutEffect(look, [zoom, layout]);
  useEffect(() => {
    let requested = 0;
    const later = () => { if (!requested) requested = requestAnimationFrame(() => { requested = 0; look(); }); };
    const f = frame.current!;
    f.addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    return () => { f.removeEventListener('scroll', later); removeEventListener('resize', later); cancelAnimationFrame(requested); };
  }, [zoom]);
  // The transaction of the page is in sight at first.
  useEffect(() => {
    const box = current && layout.boxes.find((b) => b.step.hash === current), f = frame.current;
    if (!box || !f) return;
    f.scrollTop = Math.max(0, box.y * zoom - f.clientHeight / 2);
    f.scrollLeft = Math.max(0, box.x * zoom - f.clientWidth / 3);
  }, [current]);
  const visible = useMemo(() => inSight(layout.boxes, view), [layout, view]);
  useEffect(() => {
    const addresses = visible.map((b) => b.step.address);
    if (!hasUnknown(addresses)) return undefined;
    const timer = setTimeout(() => { void lookUp(addresses).then(() => setNamed((n) => n + 1)); }, 200); // once the scrolling has ended
    return () => clearTimeout(timer);
  }, [visible]);
  const fold = (hash: string) => {
    const next = new Set(folded);
    if (!next.delete(hash)) next.add(hash);
    setFolded(next);
  };
  const change = (by: number) => setZoom(zooms[Math.min(zooms.length - 1, Math.max(0, zooms.indexOf(zoom) + by))]!);
  const fit = () => {
    const f = frame.current!;
    setZoom([...zooms].reverse().find((z) => layout.width * z <= f.clientWidth && layout.height * z <= f.clientHeight) ?? zooms[0]!);
  };
  const keys = (e: KeyboardEvent) => {
    const by = e.key === '+' || e.key === '=' ? 1 : e.key === '-' ? -1 : 0;
    if (by && !e.ctrlKey && !e.metaKey) { e.preventDefault(); change(by); }
  };
  const spines = layout.spines.filter((s) => s.top <= view.bottom && s.bottom >= view.top && s.x >= view.left && s.x <= view.right);
  return (
    <>
      <div class="toolbar" role="group" aria-label={T.trace.tools}>
        <button type="button" class="quiet" onClick={() => change(-1)} disabled={zoom === zooms[0]} aria-label={T.trace.smaller}>−</button>
        <span class="dim" aria-live="polite">{Math.round(zoom * 100)} %</span>
        <button type="button" class="quiet" onClick={() => change(1)} disabled={zoom === zooms.at(-1)} aria-label={T.trace.larger}>+</button>
        <button type="button" class="quiet" onClick={fit}>{T.trace.fit}</button>
        <button type="button" class="quiet" onClick={() => saveSVG(layout, current)}>{T.trace.svg}</button>
        <button type="button" class="quiet" onClick={() => void savePNG(layout, current)}>{T.trace.png}</button>
      </div>
      <div ref={frame} class="tree" tabIndex={0} role="group" aria-label={fill(T.trace.of, { n: steps.length })} onKeyDown={keys}>
        <svg width={(layout.width + 2 * margin + 10) * zoom} height={(layout.height + 2 * margin) * zoom} viewBox={`${-margin} ${-margin} ${layout.width + 2 * margin + 10} ${layout.height + 2 * margin}`}>
          {spines.map((s) => <path key={`s${s.x} ${s.top}`} class="wire" d={spinePath(s)} />)}
          {visible.map((b) => b.from && <path key={`w${b.step.hash}`} class="wire" d={wirePath(b)} />)}
          {visible.map((b) => b.children > 0 && b.hidden === 0 && <path key={`t${b.step.hash}`} class="wire" d={stemPath(b)} />)}
          {visible.map((b) => <BoxView key={b.step.hash} of={b} current={b.step.hash === current} open={() => go(toTx(b.step.hash))} fold={() => fold(b.step.hash)} />)}
        </svg>
      </div>
      <ul class="legend dim">
        {(['success', 'failed', 'skipped', 'returned'] as const).map((s) => (
          <li key={s}><svg viewBox={`-8 -8 ${width + 16} ${height + 16}`} aria-hidden="true" class="tree"><g class={`box ${s}`}><path d={outline(s)} /></g></svg>{T.trace.shapes[s]}</li>
        ))}
      </ul>
    </>
  );
}
