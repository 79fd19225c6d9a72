// Amounts: shortened in the text, complete in the tooltip.
import { who } from '../addressbook';
import { amount, brief, coins } from '../format';
import { Link, toAccount } from '../router';
import { Address } from './address';

export function Coins({ of, full = false, signed = false }: { of: string | null | undefined; full?: boolean; signed?: boolean }) {
  if (of == null) return null;
  const text = full ? amount(of) : brief(of);
  return <span class="money" title={coins(of)}>{signed && !of.startsWith('-') && of !== '0' ? '+' : ''}{text} <span class="unit">TON</span></span>;
}

/** Shows an amount of a Jetton with its decimals and symbol; of TON without a master. */
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
