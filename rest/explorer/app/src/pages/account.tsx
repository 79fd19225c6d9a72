import { useEffect } from 'preact/hooks';
import { shown, who } from '../book';
import { Loaded, useQuery } from '../load';
import { short } from '../format';
import { Link, toAccount } from '../router';
import { Head } from '../account/head';
import { tabsOf } from '../account/tabs';
import type { AccountAnswer } from '../account/types';

/** All of one account: what it is, and lists of what belongs to it under tabs. */
export function AccountPage({ address, tab }: { address: string; tab?: string | undefined }) {
  const query = useQuery<AccountAnswer>('account', { address });
  const raw = query.data?.account.address;
  useEffect(() => { document.title = `${raw ? who(raw).name || short(shown(raw)) : short(address)} · Explorer`; }, [address, raw]);
  return <Loaded of={query}>{({ account }) => <Shown a={account} chosen={tab} />}</Loaded>;
}

function Shown({ a, chosen }: { a: AccountAnswer['account']; chosen: string | undefined }) {
  const tabs = tabsOf(a);
  const tab = tabs.find((t) => t.id === chosen) ?? tabs[0]!;
  return (
    <>
      <Head a={a} />
      <nav class="tabs" aria-label="Of this account">
        {tabs.map((t) => <Link key={t.id} to={toAccount(a.address) + (t === tabs[0] ? '' : `/${t.id}`)} stay aria-current={t === tab ? 'page' : undefined}>{t.name}</Link>)}
      </nav>
      <section class="card" aria-label={tab.name}>{tab.show(a)}</section>
    </>
  );
}
