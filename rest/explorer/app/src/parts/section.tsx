import type { ComponentChildren } from 'preact';

/** A section of a page with a heading. */
export function Section({ id, title, aside, children }: { id: string; title: ComponentChildren; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="cardhead"><h2 id={id}>{title}</h2>{aside}</div>
      {children}
    </section>
  );
}
