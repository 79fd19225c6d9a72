import { useEffect, useState } from 'preact/hooks';
import { T, fill } from '../text';
import { Icon } from './icon';

/** Copies by a selection. Browsers offer the clipboard to pages from HTTPS and from this machine only. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  try { return document.execCommand('copy'); } finally { area.remove(); }
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A button that copies text to the clipboard and confirms it briefly. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <button type="button" class={done ? 'copy done' : 'copy'} onClick={(e) => { const button = e.currentTarget; void copy(text).then((ok) => { setDone(ok); button.focus(); }); }}
      title={fill(T.copy.copy, { what })} aria-label={done ? T.copy.done : fill(T.copy.copy, { what })}>
      <Icon name={done ? 'done' : 'copy'} />
    </button>
  );
}
