// Exit codes of the compute phase and result codes of the action phase, with the names and causes of texts.json.
import { T, entry, fill } from '../text';
import texts from '../texts.json';

export type Code = { name: string; cause: string };

type Table = Record<string, string[]>;

function find(table: Table | undefined, code: number): Code | undefined {
  const [name, cause] = (table && entry(table, code)) ?? [];
  return name && cause ? { name, cause } : undefined;
}

const { tvm, common, ...contracts } = texts.exitCodes as unknown as Record<string, Table>;

/** Explains an exit code: codes of contracts that the interfaces name come first, then those of the TVM. */
export function exitCode(code: number, interfaces: string[] = []): Code | undefined {
  for (const [prefix, table] of Object.entries(contracts)) {
    const found = interfaces.some((i) => i.startsWith(prefix)) && find(table, code);
    if (found) return found;
  }
  return find(tvm, code) ?? find(common, code);
}

export const actionCode = (code: number): Code | undefined => find(texts.actionCodes, code);

/** Fills a text for a code with its number, and with its name when it has one. */
export function codeText(form: { plain: string; named: string }, code: number, known: Code | undefined): string {
  return known ? fill(form.named, { code, name: known.name }) : fill(form.plain, { code });
}

/** The cause of a code, or that only the contract's source has it. Codes of success have none. */
export const causeOf = (code: number, found: Code | undefined): string | undefined => (code === 0 || code === 1 ? undefined : found?.cause ?? T.codes.own);

export function Cause({ of }: { of: string | undefined }) {
  return of ? <p class="dim cause">{of}</p> : null;
}
