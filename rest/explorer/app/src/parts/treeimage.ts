// A trace as a file: the complete tree as SVG, or as PNG scaled into the size that browsers can draw.
import { shown } from '../addressbook';
import { hex } from '../format';
import { save } from '../save';
import { height, width, type Layout } from './layout';
import { shapeOf } from './step';
import { edgeX, outline, spinePath, stemPath, textsOf, wirePath } from './tree';

const colours = ['--card', '--sunk', '--line', '--edge', '--ink', '--dim', '--accent', '--tint', '--bad', '--bad-tint'];

/** Marks markup. */
const svg = String.raw;

const escaped = (text: string): string => text.replace(/[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? ' ');

const maxSide = 16_384, maxArea = 100_000_000; // px of a canvas

/** Draws the complete tree with the colours of the page. */
function drawing(l: Layout, current: string | undefined): { svg: string; width: number; height: number } {
  const style = getComputedStyle(document.documentElement);
  const [card, sunk, line, edge, ink, dim, accent, tint, bad, badTint] = colours.map((c) => style.getPropertyValue(c).trim());
  const full = { width: l.width + 30, height: l.height + 30 };
  // Attributes, because the policy of the page refuses a style sheet within an image.
  const wire = svg`fill="none" stroke="${edge}"`;
  const box = (shape: string, isCurrent: boolean): string => {
    if (isCurrent) return svg`fill="${tint}" stroke="${accent}" stroke-width="2"`;
    if (shape === 'failed') return svg`fill="${badTint}" stroke="${bad}"`;
    if (shape === 'skipped') return svg`fill="${sunk}" stroke="${edge}" stroke-dasharray="5 4"`;
    return svg`fill="${sunk}" stroke="${shape === 'returned' ? edge : line}"`;
  };
  const kinds = {
    label: svg`fill="${ink}" font-weight="600"`, sub: svg`fill="${dim}" font-size="12"`, edge: svg`fill="${ink}" font-size="12"`,
    failed: svg`fill="${bad}" font-size="12"`,
  };
  const parts = [svg`<svg xmlns="http://www.w3.org/2000/svg" width="${full.width}" height="${full.height}" viewBox="-15 -15 ${full.width} ${full.height}" font-family="system-ui,sans-serif" font-size="13"><rect x="-15" y="-15" width="100%" height="100%" fill="${card}"/>`];
  for (const s of l.spines) parts.push(svg`<path ${wire} d="${spinePath(s)}"/>`);
  for (const b of l.boxes) {
    const shape = shapeOf(b.step), t = textsOf(b.step), indent = shape === 'returned' ? 20 : 10;
    if (b.from) parts.push(svg`<path ${wire} d="${wirePath(b)}"/>`);
    if (b.children > 0 && b.hidden === 0) parts.push(svg`<path ${wire} d="${stemPath(b)}"/>`);
    parts.push(svg`<g transform="translate(${b.x} ${b.y})"><title>${escaped(`${shown(b.step.address)} ${hex(b.step.hash)}`)}</title><path ${box(shape, b.step.hash === current)} d="${outline(shape)}"/>`);
    const text = (x: number, y: number, kind: keyof typeof kinds, value: string, end = '') => { if (value) parts.push(svg`<text x="${x}" y="${y}" ${kinds[kind]}${end}>${escaped(value)}</text>`); };
    text(indent, 18, 'label', t.title);
    text(indent, 35, 'sub', t.account);
    text(indent, 52, shape === 'failed' ? 'failed' : 'sub', t.state || t.fee);
    if (b.from) {
      text(edgeX, height / 2 - 6, 'edge', t.value);
      text(edgeX, height / 2 + 15, 'sub', t.messageFee);
    } else text(width - 12, 18, 'sub', t.value, ' text-anchor="end"');
    parts.push('</g>');
  }
  parts.push('</svg>');
  return { svg: parts.join(''), ...full };
}

const nameOf = (l: Layout): string => `trace-${hex(l.boxes[0]?.step.hash ?? '').slice(0, 16)}`;

export function saveSVG(l: Layout, current: string | undefined): void {
  save(`${nameOf(l)}.svg`, new Blob([drawing(l, current).svg], { type: 'image/svg+xml' }));
}

export async function savePNG(l: Layout, current: string | undefined): Promise<void> {
  const d = drawing(l, current);
  const scale = Math.min(2, maxSide / d.width, maxSide / d.height, Math.sqrt(maxArea / (d.width * d.height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(d.svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(d.width * scale));
  canvas.height = Math.max(1, Math.floor(d.height * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) save(`${nameOf(l)}.png`, blob);
}
