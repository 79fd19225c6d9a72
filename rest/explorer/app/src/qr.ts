// Draws a QR code with a quiet zone of four modules, as ISO/IEC 18004 requires.
import { encode } from 'uqr';

export function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  let path = '';
  data.forEach((row, y) => row.forEach((dark, x) => { if (dark) path += `M${x} ${y}h1v1h-1z`; }));
  return { size, path };
}
