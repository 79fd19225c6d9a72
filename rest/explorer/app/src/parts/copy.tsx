import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon';

/** A button that copies text to the clipboard and confirms it briefly. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => navigator.clipboard?.writeText(text).then(() => setDone(true), () => {});
  return (
    <button type="button" class={done ? 'copy done' : 'copy'} onClick={copy} title={`Copy ${what}`} aria-label={done ? 'Copied' : `Copy ${what}`}>
      <Icon name={done ? 'done' : 'copy'} />
    </button>
  );
}
