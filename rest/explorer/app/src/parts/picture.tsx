// Pictures of tokens. The service fetches them from third parties, scales them and encodes them anew; the page requests no
// other host.
import { useState } from 'preact/hooks';
import { who } from '../addressbook';
import { T } from '../text';
import { Pattern } from './pattern';

/** Lengths of the longer side that the service has. */
const pixels = { small: 64, medium: 256, large: 512 };

type Size = keyof typeof pixels;

/** Shows the image in the metadata of a token, or a pattern of its address: images of scams imitate others. An image that is not safe for work is shown after a click. */
export function Picture({ of, size = 'small' }: { of: string; size?: Size }) {
  const { image, nsfw, scam } = who(of);
  const [missing, setMissing] = useState('');
  const [revealed, setRevealed] = useState('');
  const path = image.replace('/64?', `/${pixels[size]}?`);
  if (!path || missing === path || scam) return <Pattern of={of} large={size === 'large'} />;
  if (nsfw && revealed !== path) {
    if (size === 'small') return <Pattern of={of} />;
    return (
      <span class={`picture ${size} covered`}>
        <button type="button" class="quiet" onClick={(e) => { e.preventDefault(); e.stopPropagation(); setRevealed(path); }}>{T.picture.reveal}</button>
      </span>
    );
  }
  return <img class={`picture ${size}`} src={path} alt={''} loading="lazy" decoding="async" onError={() => setMissing(path)} />;
}
