import { useEffect } from 'preact/hooks';
import { shown, who } from '../addressbook';
import { isAddress, wrongChecksum } from '../address';
import { Callout, Loaded, useQuery } from '../load';
import { short } from '../format';
import { Link, toAccount } from '../router';
import { GivenForm } from '../account/givenform';
import { Head, formOf } from '../account/head';
import { knowledgeOf } from '../account/status';
import { tabsOf } from '../account/tabs';
import type { AccountData, NodeAccount } from '../account/types';
import { History, Stale, isComplete } from '../parts/indexage';
import { T, fill } from '../text';

/** The page of an account: its head, and lists under tabs; of a text that is no address, what is wrong with it. */
export function AccountPage(of: { address: string; tab?: string | undefined }) {
  if (isAddress(of.address)) return <OfAddress {...of} />;
  return <Callout title={T.account.noAddress} bad>{wrongChecksum(of.address) ? T.search.checksum : ''} {T.account.noAddressCause}</Callout>;
}

function OfAddress({ address, tab }: { address: string; tab?: string | undefined }) {
  const query = useQuery<AccountData>('account', { address });
  const raw = query.data?.account.address;
  useEffect(() => { document.title = fill(T.titled, { title: raw ? who(raw).name || short(shown(raw)) : short(address) }); }, [address, raw]);
  return <Loaded of={query}>{(data) => <Shown {...data} given={address} chosen={tab} />}</Loaded>;
}

/** Of an account that the index lacks although it may exist, the node is queried for the state. */
function Shown({ account, indexStatus, given, chosen }: AccountData & { given: string; chosen: string | undefined }) {
  const lacking = account.state === null && !isComplete(indexStatus);
  const node = useQuery<NodeAccount>('account_state', { address: account.address }, !lacking);
  const a = node.data ? { ...account, ...node.data.account } : account;
  const of = knowledgeOf(a, lacking, node);
  const tabs = tabsOf(a);
  const tab = tabs.find((t) => t.id === chosen) ?? tabs[0]!;
  return (
    <>
      <Stale of={indexStatus} />
      <Head a={a} of={of} retry={node.retry} />
      <GivenForm given={given} form={formOf(a, of).form} />
      <nav class="tabs" aria-label={T.tabs.label}>
        {tabs.map((t) => <Link key={t.id} to={toAccount(given) + (t === tabs[0] ? '' : `/${t.id}`)} stay aria-current={t === tab ? 'page' : undefined}>{t.name}</Link>)}
      </nav>
      <section class="card" aria-label={tab.name}>
        <History of={indexStatus} />
        {<tab.show key={tab.id} {...a} />}
      </section>
    </>
  );
}
