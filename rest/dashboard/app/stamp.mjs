// Writes the hashes of the sources and of the built script next to it; a Go test compares them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const files = ['package-lock.json', 'package.json', 'tsconfig.json', ...readdirSync('src').map((name) => `src/${name}`)].sort();
const hash = createHash('sha256');
for (const name of files) hash.update(`${name}\n`).update(readFileSync(name));
const built = createHash('sha256').update(readFileSync('../dist/connect.js'));
writeFileSync('../dist/source.sha256', `${hash.digest('hex')}\n${built.digest('hex')}\n`);
