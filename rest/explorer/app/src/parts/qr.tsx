// A QR code as an image. The encoder is loaded when the first code is opened.
import { useEffect, useState } from 'preact/hooks';
import { T, fill } from '../text';

type Code = { size: number; path: string };

export function QR({ text, what }: { text: string; what: string }) {
  const [open, setOpen] = useState(false);
  const [code, setCode] = useState<Code>();
  useEffect(() => {
    if (!open) return;
    let gone = false;
    void import('../qr').then(({ draw }) => { if (!gone) setCode(draw(text)); });
    return () => { gone = true; };
  }, [open, text]);
  const label = fill(T.qr.of, { what });
  return (
    <details class="qr" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{T.qr.show}</summary>
      {open && code && <svg role="img" aria-label={label} viewBox={`0 0 ${code.size} ${code.size}`} shape-rendering="crispEdges"><rect width={code.size} height={code.size} fill="#fff" /><path d={code.path} fill="#000" /></svg>}
    </details>
  );
}
