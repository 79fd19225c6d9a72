import { useEffect } from 'preact/hooks';
import { shown, who } from '../addressbook';
import { Loaded, useQuery } from '../load';
import { short } from '../format';
import { Link, toAccount } from '../router';
import { Head } from '../account/head';
import { tabsOf } from '../account/tabs';
import type { AccountData } from '../account/types';
import { T, fill } from '../text';

/** The page of an account: its head, and lists under tabs. */
export function AccountPage({ address, tab }: { address: string; tab?: string | undefined }) {
  const query = useQuery<AccountData>('account', { address });
  const raw = query.data?.account.address;
  useEffect(() => { document.title = fill(T.titled, { title: raw ? who(raw).name || short(shown(raw)) : short(address) }); }, [address, raw]);
  return <Loaded of={query}>{({ account }) => <Shown a={account} chosen={tab} />}</Loaded>;
}

function Shown({ a, chosen }: { a: AccountData['account']; chosen: string | undefined }) {
  const tabs = tabsOf(a);
  const tab = tabs.find((t) => t.id === chosen) ?? tabs[0]!;
  return (
    <>
      <Head a={a} />
      <nav class="tabs" aria-label={T.tabs.label}>
        {tabs.map((t) => <Link key={t.id} to={toAccount(a.address) + (t === tabs[0] ? '' : `/${t.id}`)} stay aria-current={t === tab ? 'page' : undefined}>{t.name}</Link>)}
      </nav>
      <section class="card" aria-label={tab.name}>{<tab.show key={tab.id} {...a} />}</section>
    </>
  );
}
