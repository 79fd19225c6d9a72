// What the index does not have: blocks before its first one, gaps, and what has happened since its newest block.
import type { ComponentChildren } from 'preact';
import { grouped, moment, span } from '../format';
import { network } from '../address';
import { T, entry, fill } from '../text';

export type IndexAge = { lagSeconds: number | null; first: { seqno: number; genUtime: string } | null; ranges: { first: number; last: number }[] };

const maxLag = 60; // seconds; the chain makes a block every few seconds

/** Reports whether the index holds every block of the chain up to its newest one. */
export const isComplete = (s: IndexAge): boolean => s.ranges.length === 1 && s.ranges[0]!.first <= 1;

/** A message while the index is behind the chain: balances and lists are those of its newest block. */
export function Stale({ of: s }: { of: IndexAge }) {
  if (s.lagSeconds === null) return <p role="status" class="callout">{T.index.empty}</p>;
  return s.lagSeconds > maxLag ? <p role="status" class="callout warn">{fill(T.index.stale, { span: span(s.lagSeconds) })}</p> : null;
}

/** Says which part of the history the index has; empty when it has all. */
export function historyOf(s: IndexAge): string {
  if (!s.first || isComplete(s)) return '';
  const since = s.first.seqno > 1 ? fill(T.index.begins, { seqno: grouped(s.first.seqno), time: moment(s.first.genUtime) }) : '';
  return [since, s.ranges.length > 1 ? T.index.gaps : ''].filter(Boolean).join(' ');
}

/** The history that a list of an account can have. */
export function History({ of: s }: { of: IndexAge }) {
  const text = historyOf(s);
  return text ? <p class="dim note">{text}</p> : null;
}

/** Why an object may not be found: it is not there yet, is before the index, or is of another network. */
export function Absent({ text, of: s }: { text: string; of: IndexAge }): ComponentChildren {
  return <>{[text, fill(T.index.network, { network: entry<string>(T.network, network) ?? network }), historyOf(s)].filter(Boolean).join(' ')}</>;
}
