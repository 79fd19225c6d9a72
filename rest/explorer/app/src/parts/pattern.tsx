/** Draws a picture derived from an address. */
export function Pattern({ of, large = false }: { of: string; large?: boolean }) {
  const id = of.slice(of.indexOf(':') + 1);
  const byte = (i: number) => parseInt(id.slice(i * 2, i * 2 + 2), 16) || 0;
  const hue = (i: number) => Math.round((byte(i) / 256) * 360);
  const spot = (i: number) => ({ cx: 10 + (byte(i) % 80), cy: 10 + (byte(i + 1) % 80), r: 22 + (byte(i + 2) % 26) });
  return (
    <svg class={large ? 'pattern large' : 'pattern'} viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" fill={`hsl(${hue(0)} 48% 62%)`} />
      <circle {...spot(1)} fill={`hsl(${hue(4)} 60% 72%)`} fill-opacity=".85" />
      <circle {...spot(5)} fill={`hsl(${hue(8)} 55% 46%)`} fill-opacity=".7" />
      <circle {...spot(9)} fill={`hsl(${hue(12)} 70% 84%)`} fill-opacity=".75" />
    </svg>
  );
}
