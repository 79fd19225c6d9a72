// Whether times are shown relative to now or in UTC; remembered by the browser.
const name = 'tonql-times';
const listeners = new Set<() => void>();

function read(): boolean {
  try { return localStorage.getItem(name) === 'utc'; } catch { return false; }
}

let utc = read();

export const inUTC = (): boolean => utc;

export function setUTC(value: boolean): void {
  utc = value;
  try { localStorage.setItem(name, value ? 'utc' : 'ago'); } catch { /* the choice lasts for this visit */ }
  listeners.forEach((f) => f());
}

export function onClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => { listeners.delete(listener); };
}
