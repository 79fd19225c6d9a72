import { useState } from 'preact/hooks';
import { inUTC, setUTC } from '../clock';
import { T } from '../text';

/** The choice between relative times and UTC. */
export function Times() {
  const [utc, set] = useState(inUTC());
  return <label class="switch"><input type="checkbox" checked={utc} onChange={(e) => { setUTC(e.currentTarget.checked); set(e.currentTarget.checked); }} /> {T.time.utc}</label>;
}
