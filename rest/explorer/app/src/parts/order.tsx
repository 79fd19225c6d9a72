// The state of an order of a multisig wallet, as the service derives it.
import { T, entry } from '../text';

const tones: Record<string, string> = { EXECUTED: ' ok', FAILED: ' bad' };

export function OrderBadge({ state }: { state: string }) {
  return <span class={`badge${tones[state] ?? ''}`}>{entry<string>(T.order, state) ?? state.toLowerCase()}</span>;
}
