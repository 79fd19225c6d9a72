// Amounts: shortened in the text, complete in the tooltip.
import { who } from '../addressbook';
import type { Currency } from '../types';
import { amount, brief, coins, grouped } from '../format';
import { Link, toAccount } from '../router';
import { Address } from './address';
import { T, fill } from '../text';

export function Coins({ of, full = false, signed = false }: { of: string | null | undefined; full?: boolean; signed?: boolean }) {
  if (of == null) return null;
  const text = full ? amount(of) : brief(of);
  return <span class="money" title={coins(of)}>{signed && !of.startsWith('-') && of !== '0' ? '+' : ''}{text} <span class="unit">{T.money.ton}</span></span>;
}

/** Shows amounts of extra currencies, which have an id and no decimals. */
export function Currencies({ of, signed = false }: { of: Currency[] | null | undefined; signed?: boolean }) {
  if (!of?.length) return null;
  return (
    <>{of.map((c) => (
      <span key={c.id} class="money currency" title={fill(T.money.currencyTitle, { amount: c.amount, id: c.id })}>
        {signed && !c.amount.startsWith('-') ? '+' : ''}{grouped(c.amount)} <span class="unit">{fill(T.money.currency, { id: c.id })}</span>
      </span>
    ))}</>
  );
}

/** Shows an amount of a Jetton with its decimals and symbol, in its smallest units while its decimals are not known; of TON without a master. */
export function Money({ of, master }: { of: string | null | undefined; master: string | null | undefined }) {
  if (of == null) return null;
  if (!master) return <Coins of={of} />;
  const { symbol, decimals, imitates } = who(master);
  const unknown = decimals === undefined ? T.money.units : '';
  return (
    <span class="money" title={unknown ? T.money.unitsCause : `${amount(of, decimals)} ${symbol}`}>{brief(of, decimals ?? 0)}{' '}
      <span class="unit">{unknown && `${unknown} `}{symbol ? <Link to={toAccount(master)} title={who(master).name}>{imitates ? fill(T.money.imitates, { symbol: symbol.slice(0, 12), name: imitates }) : symbol.slice(0, 12)}</Link> : <Address of={master} />}</span>
    </span>
  );
}
