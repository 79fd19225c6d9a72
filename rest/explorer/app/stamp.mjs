// Writes the hash of the sources next to the built page; a Go test compares it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const files = ['index.html', 'package-lock.json', 'tsconfig.json', 'vite.config.ts',
  ...readdirSync('src', { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => `${e.parentPath}/${e.name}`)].sort();
const hash = createHash('sha256');
for (const name of files) hash.update(`${name}\n`).update(readFileSync(name));
writeFileSync('../dist/source.sha256', hash.digest('hex') + '\n');
