// The script of TON Connect on the page of a payment. The element #connect has what it needs; see flow.ts for the steps.
import { Flow, type Wallet } from './flow';
import { View } from './view';

const section = document.getElementById('connect');
if (section) {
  const { network = '', manifest = '', message = '', wallets = '[]' } = section.dataset;
  const flow = new Flow(new View(section), { network, manifest, message, wallets: JSON.parse(wallets) as Wallet[] });
  let ended = false;
  document.addEventListener('live', () => {
    if (ended || section.isConnected) return;
    ended = true;
    flow.end();
  });
}
