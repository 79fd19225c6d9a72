// Files to compile: read from the reader's disk or from a record of the registry, within bounds, with a guess of what to start from.
import type { Language } from './protocol';

export type File = { name: string; content: string; chosen: boolean };

export const maxFiles = 100;
export const maxBytes = 2 << 20; // of all files
const maxName = 200;

/** Why files cannot be used; a name of texts.json. */
export type Refusal = 'many' | 'large' | 'notText' | 'badName' | 'twice';

const names = { func: /\.(fc|func)$/i, tolk: /\.tolk$/i };
export const languageOf = (files: { name: string }[]): Language => (files.some((f) => names.tolk.test(f.name)) ? 'tolk' : 'func');

/** Checks the name of a file: a relative path with slashes that stays in its folder. */
export const nameIsFine = (name: string): boolean => name !== '' && name.length <= maxName && !/[\\:\p{C}]/u.test(name)
  && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Returns why a list of files cannot be compiled; undefined if it can. */
export function refusalOf(files: File[]): Refusal | undefined {
  if (files.length > maxFiles) return 'many';
  if (files.reduce((n, f) => n + f.content.length, 0) > maxBytes) return 'large';
  if (!files.every((f) => nameIsFine(f.name))) return 'badName';
  return new Set(files.map((f) => f.name)).size < files.length ? 'twice' : undefined;
}

/** Reads files that the reader chose; those of a folder have their paths below it. Other files of a folder are left out. */
export async function readFiles(list: FileList): Promise<File[] | Refusal> {
  const chosen = [...list].filter((f) => f.webkitRelativePath === '' || /\.(fc|func|tolk)$/i.test(f.name));
  if (chosen.length > maxFiles) return 'many';
  if (chosen.reduce((n, f) => n + f.size, 0) > maxBytes) return 'large';
  try {
    const files = await Promise.all(chosen.map(async (f) => ({
      name: f.webkitRelativePath.split('/').slice(1).join('/') || f.name, chosen: false,
      content: new TextDecoder('utf-8', { fatal: true }).decode(await f.arrayBuffer()),
    })));
    return guess(files.sort((a, b) => (a.name < b.name ? -1 : 1)));
  } catch {
    return 'notText';
  }
}

const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.tolk$/, '');

/** Chooses what to start from: of Tolk the first file with an entry point, else the files that no other one includes. */
export function guess(files: File[]): File[] {
  const included = new Set(files.flatMap((f) => [...f.content.matchAll(/^\s*(?:#include|import)\s+"([^"]+)"/gm)].map((m) => base(m[1]!))));
  const roots = files.filter((f) => !included.has(base(f.name)));
  if (languageOf(files) === 'func') return files.map((f) => ({ ...f, chosen: names.func.test(f.name) && roots.includes(f) }));
  const start = roots.find((f) => /\bfun\s+(onInternalMessage|onExternalMessage|main)\b/.test(f.content)) ?? roots[0] ?? files[0];
  return files.map((f) => ({ ...f, chosen: f === start }));
}

/** Shows marks that change the direction of text, which could make code look different from what it is. */
export const visible = (text: string): string => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
