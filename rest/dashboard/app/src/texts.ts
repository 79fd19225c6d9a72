// Every text that the page shows about TON Connect.

const networks: Record<string, string> = { '-239': 'mainnet', '-3': 'testnet', '-777': 'the local chain' };

export function networkName(id: string): string {
  return networks[id] ?? `the network with the id ${id}`;
}

export const texts = {
  connect: 'Connect a wallet',
  again: 'Connect again',
  back: 'Other ways to pay',
  pay: 'Pay',
  restart: 'Start over',
  other: 'Another wallet on this device',
  qr: 'QR code that connects a wallet',
  scan: 'Scan the code with your wallet, or open a wallet on this device. The page then requests the payment from it.',
  unreachable: 'The wallets cannot be reached at this moment. The page tries again; you can also pay in another way.',
  preparing: 'The wallet is connected. Preparing the payment…',
  ready: 'The wallet is connected.',
  confirm: 'Confirm the payment in your wallet.',
  late: 'The wallet did not respond in time. Look into it: if nothing was sent, pay again.',
  sent: 'Your wallet has sent the payment. This page shows when it has arrived.',
  declinedConnection: 'You declined the connection in the wallet.',
  declinedPayment: 'You declined the payment in the wallet.',
  disconnected: 'The wallet has disconnected.',
  unable: 'This wallet cannot send payments for pages. Choose another one.',
  network: (has: string, needs: string) => `The wallet is on ${networkName(has)}. Switch it to ${networkName(needs)} and connect again.`,
  refused: (code: number) => `The wallet could not connect (code ${code}).`,
  failed: (code: number) => `The wallet could not send the payment (code ${code}).`,
  noMessage: 'The payment could not be prepared. Try again.',
  noBridge: 'The wallet could not be reached. Try again.',
  wallet: (address: string) => `Wallet ${address}`,
  open: (name: string) => `Open ${name}`,
};
