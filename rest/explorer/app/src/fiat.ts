// Prices in a currency of states, when the operator of the service has configured a source. They are read once in a visit, and
// again after some minutes; without a source nothing is requested.
import { useEffect, useState } from 'preact/hooks';
import { send } from './api';

/** Whether there are prices; the server sets it in the page. */
const priced = document.documentElement.dataset['priced'] === 'true';

type Rates = { currency: string; updatedAt: string; ton: string | null; tokens: { account: { address: string }; price: string }[] };
export type Prices = { currency: string; updatedAt: string; of: (master: string | null | undefined) => string | undefined };

const maxAge = 300_000; // ms
let read: Promise<Prices | undefined> | undefined;
let readAt = 0;

function prices(): Promise<Prices | undefined> {
  if (!read || Date.now() - readAt > maxAge) {
    readAt = Date.now();
    read = send<{ fiatRates: Rates | null }>('fiat_rates', {}).then(({ fiatRates: r }) => {
      if (!r) return undefined;
      const tokens = new Map(r.tokens.map((t) => [t.account.address, t.price]));
      return { currency: r.currency, updatedAt: r.updatedAt, of: (master) => (master ? tokens.get(master) : r.ton ?? undefined) };
    }, () => undefined); // a page without prices is complete
  }
  return read;
}

/** Returns the prices; undefined until they are there, and without a source. */
export function usePrices(): Prices | undefined {
  const [state, setState] = useState<Prices>();
  useEffect(() => {
    if (!priced) return undefined;
    let gone = false;
    void prices().then((p) => { if (!gone) setState(p); });
    return () => { gone = true; };
  }, []);
  return state;
}

const digits = 12; // of the fraction of a price that count

/** Multiplies an amount in its smallest unit by a price, exactly, and rounds down to hundredths: cents of most currencies. */
export function worth(raw: string, decimals: number, price: string): { units: string; cents: string } {
  const [integer = '0', fraction = ''] = price.split('.');
  const scaled = BigInt(integer + fraction.padEnd(digits, '0').slice(0, digits));
  const cents = (BigInt(raw) * scaled * 100n) / 10n ** BigInt(digits + decimals);
  return { units: (cents / 100n).toString(), cents: (cents % 100n).toString().padStart(2, '0') };
}
