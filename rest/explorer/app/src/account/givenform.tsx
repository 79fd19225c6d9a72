// The form of the address by which a reader opened an account: it may differ from the form shown, or be marked for another network.
import { network, testOnlyOf } from '../address';
import { T, entry, fill } from '../text';

/** Says that the form of a user-friendly address that was opened is the account of the page, and warns when it is marked for another network. */
export function GivenForm({ given, form }: { given: string; form: string }) {
  const marked = testOnlyOf(given), address = given.replaceAll('+', '-').replaceAll('/', '_');
  if (marked === undefined || address === form) return null;
  if (marked !== (network !== 'mainnet')) return <p class="callout warn">{fill(marked ? T.account.markedTest : T.account.markedMain, { address, network: entry<string>(T.network, network) ?? network })}</p>;
  return <p class="dim note">{fill(T.account.sameAccount, { address })}</p>;
}
