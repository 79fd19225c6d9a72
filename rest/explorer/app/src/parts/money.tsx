// Amounts: a few digits for the eye, all of them for the pointer.
import { who } from '../book';
import { amount, brief, coins } from '../format';
import { Link, toAccount } from '../router';
import { Address } from './address';

export function Coins({ of, whole = false, signed = false }: { of: string | null | undefined; whole?: boolean; signed?: boolean }) {
  if (of == null) return null;
  const text = whole ? amount(of) : brief(of);
  return <span class="money" title={coins(of)}>{signed && !of.startsWith('-') && of !== '0' ? '+' : ''}{text} <span class="unit">TON</span></span>;
}

/** An amount of a Jetton in its own digits and name; of TON when there is no master. */
export function Money({ of, master }: { of: string | null | undefined; master: string | null | undefined }) {
  if (of == null) return null;
  if (!master) return <Coins of={of} />;
  const { symbol, decimals } = who(master);
  return (
    <span class="money" title={`${amount(of, decimals)} ${symbol}`}>{brief(of, decimals)}{' '}
      <span class="unit">{symbol ? <Link to={toAccount(master)} title={who(master).name}>{symbol.slice(0, 12)}</Link> : <Address of={master} />}</span>
    </span>
  );
}
