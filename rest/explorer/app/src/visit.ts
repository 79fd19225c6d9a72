// What the page shows at each entry of the browser's history, so that going back restores rows and position without a request.

type Visit = { y: number; data: Map<string, unknown> };

const maxVisits = 30;

const visits = new Map<number, Visit>();
let current = 0, newest = 0;

function open(id: number): void {
  current = id;
  newest = Math.max(newest, id);
  if (!visits.has(id)) visits.set(id, { y: 0, data: new Map() });
  const oldest = visits.keys().next().value;
  if (visits.size > maxVisits && oldest !== undefined) visits.delete(oldest);
}

const idOf = (state: unknown): number => Number((state as { visit?: number } | null)?.visit ?? 0);

/** The state of the present entry. */
export function visit(): Visit {
  if (!visits.has(current)) open(current);
  return visits.get(current)!;
}

/** Adds an entry for a path. */
export function push(path: string): void {
  visit().y = scrollY;
  open(newest + 1);
  history.pushState({ visit: current }, '', path);
}

/** Changes to the entry that the browser went to; scrolls to where the user was, once the page is high enough. */
export function restore(state: unknown): void {
  visit().y = scrollY;
  open(idOf(state));
  const { y } = visit(), until = Date.now() + 2000;
  const scroll = () => {
    if (document.documentElement.scrollHeight < y + innerHeight && Date.now() < until) requestAnimationFrame(scroll);
    else scrollTo(0, y);
  };
  requestAnimationFrame(scroll);
}

history.scrollRestoration = 'manual';
open(idOf(history.state));
history.replaceState({ visit: current }, '');
