// What is known of an account's state, in words: whether it is in use, and where the state is from.
import type { Query } from '../load';
import { Retry } from '../load';
import type { Account, NodeAccount } from './types';
import { T, entry } from '../text';

/** Where the state of an account is from: the index, the node, neither because it has none, or not known (yet). */
export type Knowledge = 'index' | 'node' | 'unused' | 'loading' | 'unknown';

export function knowledgeOf(a: Account, lacking: boolean, node: Query<NodeAccount>): Knowledge {
  if (!lacking) return a.state ? 'index' : 'unused';
  if (node.error) return 'unknown';
  if (!node.data) return 'loading';
  return a.state ? 'node' : 'unused';
}

const tones: Record<string, string> = { ACTIVE: 'ok', FROZEN: 'bad' };

/** The status of an account as a chip. */
export function StatusChip({ a, of }: { a: Account; of: Knowledge }) {
  const status = a.state?.status ?? (of === 'unused' ? 'UNUSED' : 'UNKNOWN');
  return <span class={`chip ${tones[status] ?? ''}`} title={entry<string>(T.account.about, status)}>{entry<string>(T.account.statuses, status) ?? status.toLowerCase()}</span>;
}

/** Explains a status that a reader would not expect, and a state that the index does not have. */
export function StatusNote({ a, of, retry }: { a: Account; of: Knowledge; retry: () => void }) {
  const about = a.state && a.state.status !== 'ACTIVE' ? entry<string>(T.account.about, a.state.status) : of === 'unused' ? T.account.about.UNUSED : '';
  const source = of === 'node' ? T.account.fromNode : of === 'unknown' ? T.account.nodeFailed : '';
  if (!about && !source) return null;
  return <p class="dim" role={of === 'unknown' ? 'alert' : undefined}>{[about, source].filter(Boolean).join(' ')} {of === 'unknown' && <Retry retry={retry} />}</p>;
}
