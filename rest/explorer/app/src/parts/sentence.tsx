// Renders an action by its template in texts.json ("actions"). In a template @a is an account (or several), @a>@b one
// account and another, $a an amount of TON, $a/b an amount of the asset b, +a a list of amounts, #a a number, =a an enum value, "a
// user text; everything else is literal. Clauses are separated by " · "; a clause with a missing value is omitted.
import type { ComponentChildren } from 'preact';
import texts from '../texts.json';
import type { Action, Details } from '../types';
import { grouped, words } from '../format';
import { hasLink, plain } from '../names';
import { Address } from './address';
import { LinkBadge } from './badge';
import { Money } from './money';
import { T, entry } from '../text';

type Sentence = [title: string, icon: string, sum: string, text: string];
const byKind = texts.actions as unknown as Record<string, Sentence>;

/** The first 32 bits of the body of a message that a failed transaction sent back. */
const returned = '0xffffffff';

const { opcodes } = texts as unknown as { opcodes: Record<string, string> };

export function sentenceOf(a: Action): Sentence {
  if (a.details?.__typename === 'CallContractDetails' && a.details['opcode'] === returned) return [T.actions.returned, 'repeat', '$value', '@source>@destination'];
  return byKind[a.details?.__typename.replace(/Details$/, '') ?? ''] ?? [words(a.type), 'call', '', ''];
}

function read(d: Details, path: string): unknown {
  return path.split('.').reduce<unknown>((v, name) => (v as Record<string, unknown> | null | undefined)?.[name], d);
}

const missing = (v: unknown): boolean => v === null || v === undefined || v === '' || (Array.isArray(v) && v.length === 0);
const text = (v: unknown): string => String(v);

/** Renders one word of a template; null when the field that it names is missing. */
function Word(token: string, d: Details, me: string | undefined): ComponentChildren {
  const pair = /^@([\w.]+)>@([\w.]+)$/.exec(token);
  if (pair) {
    const [from, to] = [read(d, pair[1]!), read(d, pair[2]!)];
    if (missing(from) && missing(to)) return null;
    return <><Address of={from as string} me={me} /> <span class="arrow" aria-label={T.address.to}>→</span> <Address of={to as string} me={me} nobody="nobody" /></>;
  }
  const [, sign, path, asset] = /^([@$#="+])([\w.]+)(?:\/([\w.]+))?$/.exec(token) ?? [];
  if (!sign || !path) return token;
  const v = read(d, path);
  if (missing(v)) return null;
  switch (sign) {
    case '@': return [v].flat().slice(0, 5).map((a, i) => <>{i > 0 && ', '}<Address of={text(a)} me={me} /></>);
    case '$': return <Money of={text(v)} master={asset ? (read(d, asset) as string | null) : null} />;
    case '+': return (v as { jetton: string; amount: string }[]).slice(0, 5).map((m, i) => <>{i > 0 && ', '}<Money of={m.amount} master={m.jetton} /></>);
    case '#': return grouped(text(v));
    case '"': return <><q>{plain(text(v)).slice(0, 200)}</q>{hasLink(text(v)) && <> <LinkBadge /></>}</>;
    default: return path === 'opcode' ? entry(opcodes, text(v)) ?? text(v) : text(v).slice(0, 80);
  }
}

function Clause(clause: string, d: Details, me: string | undefined): ComponentChildren[] | null {
  const said = clause.split(' ').map((token) => Word(token, d, me));
  return said.some((w) => w === null) ? null : said.flatMap((w, i) => (i > 0 ? [' ', w] : [w]));
}

export function Say({ what, of, me }: { what: string; of: Details; me?: string | undefined }) {
  if (!what || !of) return null;
  const clauses = what.split(' · ').map((c) => Clause(c, of, me)).filter((c) => c !== null);
  return <>{clauses.map((c, i) => <span key={i} class="clause">{c}</span>)}</>;
}

/** Returns the direction of an action for an account: + for incoming, − for outgoing, or neither. */
export function direction(a: Action, me: string | undefined): '' | '+' | '−' {
  const [, , sum, said] = sentenceOf(a);
  const pair = /@([\w.]+)>@([\w.]+)/.exec(said);
  if (!me || !pair || !a.success || !sum.startsWith('$')) return '';
  if (missing(read(a.details, /^\$([\w.]+)/.exec(sum)?.[1] ?? ''))) return '';
  const [from, to] = [read(a.details, pair[1]!), read(a.details, pair[2]!)];
  return from === to ? '' : to === me ? '+' : from === me ? '−' : '';
}
