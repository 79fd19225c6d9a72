// The state of an order of a multisig wallet, as the service derives it.
const states: Record<string, [tone: string, text: string]> = {
  UNINITIALIZED: ['', 'not initialised'], OPEN: ['', 'open'], EXPIRED: ['', 'expired'], SENT: ['', 'sent for execution'], EXECUTED: [' ok', 'executed'], FAILED: [' bad', 'execution failed'],
};

export function OrderBadge({ state }: { state: string }) {
  const [tone, text] = states[state] ?? ['', state.toLowerCase()];
  return <span class={`badge${tone}`}>{text}</span>;
}
