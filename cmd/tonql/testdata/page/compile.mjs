// Compiles FunC files with the compiler that npm installed here: node compile.mjs FOLDER FILE…
// Prints the code as a BoC in base64.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunc } from '@ton-community/func-js';

const [folder, ...targets] = process.argv.slice(2);
const result = await compileFunc({ targets, sources: (path) => readFileSync(join(folder, path), 'utf8') });
if (result.status !== 'ok') throw new Error(result.message);
console.log(result.codeBoc);
