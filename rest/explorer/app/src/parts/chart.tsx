// A chart of values over time, with the same values as a table. The library is loaded with the first chart.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { moment } from '../format';
import { T, fill, render } from '../text';

export type Point = { time: string; value: string | null; shown: ComponentChildren; note?: string };

export type Series = { id: string; name: string; decimals: number; points: Point[] };

const dark = matchMedia('(prefers-color-scheme:dark)');
const height = 220; // px
const day = 86400; // s

/** Labels of the time axis, every step seconds: dates, or times with the date below the first one. */
function labels(times: number[], step: number): string[] {
  return times.map((seconds, i) => {
    const [date = '', time = ''] = new Date(seconds * 1000).toISOString().split('T');
    return step >= day || seconds % day === 0 ? date : time.slice(0, 5) + (i === 0 ? `\n${date}` : '');
  });
}

const dayOf = (time: string): string => (time.endsWith('T00:00:00Z') ? time.slice(0, 10) : moment(time));

/** Draws a line. Values become floats here alone: the table has them in full. pick receives the point below the pointer. */
function Plot({ of, pick }: { of: Series; pick: (point: Point | undefined) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [scheme, setScheme] = useState(dark.matches);
  useEffect(() => {
    const change = () => setScheme(dark.matches);
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  useEffect(() => {
    let gone = false, end = () => {};
    void import('uplot').then(({ default: UPlot }) => {
      const element = place.current;
      if (gone || !element) return;
      const style = getComputedStyle(document.documentElement), colour = (name: string) => style.getPropertyValue(name).trim();
      const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } };
      const plot = new UPlot({
        width: element.clientWidth, height, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false } }, tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        axes: [{ ...axis, space: 90, values: (_, times, __, ___, step) => labels(times, step) }, { ...axis, size: 70 }],
        hooks: { setCursor: [({ cursor }) => pick(cursor.idx == null ? undefined : of.points[cursor.idx])] },
        series: [{}, { stroke: colour('--tone0'), width: 2, points: { show: of.points.length < 60 } }],
      }, [of.points.map((p) => Date.parse(p.time) / 1000), of.points.map((p) => (p.value === null ? null : Number(p.value) / 10 ** of.decimals))], element);
      const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
      resized.observe(element);
      end = () => { resized.disconnect(); plot.destroy(); pick(undefined); };
    });
    return () => { gone = true; end(); };
  }, [of, scheme]);
  return <div ref={place} class="plot" role="img" aria-label={fill(T.charts.plot, { name: of.name })} />;
}

/** Shows one of several series, and all of its values as a table. */
export function Chart({ of, until, label }: { of: Series[]; until: string | null; label: string }) {
  const [chosen, choose] = useState(of[0]!.id);
  const [point, pick] = useState<Point>();
  const series = of.find((s) => s.id === chosen) ?? of[0]!;
  if (of.every((s) => s.points.length === 0)) return <p class="empty">{T.charts.none}</p>;
  return (
    <div class="chart">
      {of.length > 1 && (
        <div class="choices" role="group" aria-label={label}>
          {of.map((s) => <button key={s.id} type="button" aria-pressed={s === series} onClick={() => choose(s.id)}>{s.name}</button>)}
        </div>
      )}
      <Plot of={series} pick={pick} />
      <p class="point" aria-hidden="true">{point && render(T.charts.point, { time: dayOf(point.time), value: <strong>{point.shown ?? T.charts.missing}</strong> })}</p>
      {until && <p class="dim">{fill(T.charts.until, { time: moment(until) })}</p>}
      <details>
        <summary>{T.charts.table}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={series.name}>
          <table>
            <thead><tr><th scope="col">{T.charts.time}</th><th scope="col">{series.name}</th></tr></thead>
            <tbody>{series.points.map((p, i) => <tr key={i}><td>{dayOf(p.time)}</td><td>{p.shown ?? T.charts.missing}{p.note && <span class="dim"> {p.note}</span>}</td></tr>)}</tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
