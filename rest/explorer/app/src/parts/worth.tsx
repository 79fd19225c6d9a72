import { who } from '../addressbook';
import { usePrices, worth } from '../fiat';
import { grouped, moment } from '../format';
import { T, fill } from '../text';

/** Shows what an amount is worth in a currency of states, where the operator has configured prices; of TON without a master. */
export function Worth({ of, master }: { of: string | null | undefined; master?: string | null | undefined }) {
  const prices = usePrices();
  const price = prices?.of(master);
  const decimals = master ? who(master).decimals : 9;
  if (of == null || !prices || !price || decimals === undefined) return null;
  const { units, cents } = worth(of, decimals, price);
  return <span class="dim worth" title={fill(T.money.price, { price, currency: prices.currency, time: moment(prices.updatedAt) })}>{fill(T.money.worth, { amount: `${grouped(units)}.${cents}`, currency: prices.currency })}</span>;
}
