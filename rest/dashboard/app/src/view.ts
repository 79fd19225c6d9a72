// Draws the part of the page that TON Connect has.
import { encode } from 'uqr';
import { texts } from './texts';

export interface Link { name: string; url: string; press?: () => void }
export interface Button { name: string; quiet?: boolean; press: () => void }

// Shown is what the part shows.
export interface Shown {
  text?: string;
  bad?: boolean; // the text is an error
  detail?: string;
  code?: string; // text of a QR code
  links?: Link[];
  buttons: Button[];
  active: boolean; // the other ways to pay are hidden
}

// View draws into an element. Its status is one element for its lifetime, so that screen readers announce each change.
export class View {
  private readonly status = element('p', { role: 'status' });
  private readonly content = element('div');

  constructor(private readonly section: HTMLElement) {
    section.replaceChildren(this.status, this.content);
    section.hidden = false;
  }

  draw(shown: Shown): void {
    this.status.textContent = shown.text ?? '';
    this.status.className = shown.bad ? 'error' : 'hint';
    this.status.hidden = !shown.text;
    this.section.classList.toggle('active', shown.active);
    const parts: Node[] = [];
    if (shown.code) parts.push(qr(shown.code));
    if (shown.links?.length) parts.push(links(shown.links));
    if (shown.detail) parts.push(element('p', { className: 'hint address' }, shown.detail));
    for (const b of shown.buttons) {
      const button = element('button', { type: 'button', className: b.quiet ? 'wide quiet' : 'wide' }, b.name);
      button.addEventListener('click', b.press);
      parts.push(button);
    }
    this.content.replaceChildren(...parts);
  }
}

function element(tag: string, properties: Record<string, string> = {}, text = ''): HTMLElement {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'className') e.className = value;
    else e.setAttribute(name, value);
  }
  e.textContent = text;
  return e;
}

function links(list: Link[]): HTMLElement {
  const box = element('div', { className: 'wallets' });
  for (const l of list) {
    const a = element('a', { className: 'wallet quiet', href: l.url, rel: 'noreferrer' }, l.name);
    if (l.url.startsWith('http')) a.setAttribute('target', '_blank');
    if (l.press) a.addEventListener('click', l.press);
    box.append(a);
  }
  return box;
}

// qr draws a QR code with a quiet zone of four modules, as ISO/IEC 18004 requires.
function qr(text: string): SVGElement {
  const { data, size } = encode(text, { ecc: 'L', border: 4 });
  let path = '';
  data.forEach((row, y) => row.forEach((dark, x) => { if (dark) path += `M${x} ${y}h1v1h-1z`; }));
  const svg = svgElement('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': texts.qr, 'shape-rendering': 'crispEdges' });
  svg.append(svgElement('rect', { width: String(size), height: String(size), fill: '#fff' }), svgElement('path', { fill: '#000', d: path }));
  return svg;
}

function svgElement(tag: string, attributes: Record<string, string>): SVGElement {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  return e;
}
