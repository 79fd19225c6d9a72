// The history of an account: actions, transactions and transfers of Jettons, filtered and exported.
import type { Action, Page, Ref, Tx } from '../types';
import { who } from '../addressbook';
import { hex } from '../format';
import { T } from '../text';
import { Actions } from '../parts/actions';
import { Address } from '../parts/address';
import { Export, type Columns } from '../parts/export';
import { difference } from '../parts/flow';
import { Money } from '../parts/money';
import { Pages } from '../parts/pages';
import { Transactions, labelOf, type OwnTx } from '../parts/transactions';
import { Filters, useFilter } from './filters';
import { Transfers, type Transfer } from './transfers';
import type { Account } from './types';

const actionColumns: Columns<Action> = [
  ['time', (a) => a.endUtime], ['type', (a) => a.type], ['success', (a) => String(a.success)], ['trace', (a) => hex(a.traceHash)], ['action', (a) => hex(a.hash)], ['details', (a) => JSON.stringify(a.details)],
];

export function ActionHistory({ address, state }: Account) {
  const filter = useFilter();
  const some = state !== null || filter.active;
  const list = { query: 'account_actions', variables: { address, types: filter.types, direction: filter.direction, counterparties: filter.counterparties, asset: filter.asset, ...filter.amounts, success: filter.success, ...filter.times }, pick: (d: { actions: Page<Action> }) => d.actions };
  return (
    <>
      {some && <Filters of={filter} fields={['kind', 'direction', 'counterparty', 'asset', 'min', 'max', 'result', 'from', 'to']} />}
      <Pages {...list} live={{ query: 'live_actions', variables: { accounts: [address] } }}>{(rows, fresh) => <Actions rows={rows} fresh={fresh} me={address} empty={filter.active ? T.filters.none : some ? T.actions.noneOfTraces : T.transactions.none} />}</Pages>
      {some && <Export {...list} columns={actionColumns} name="actions" />}
    </>
  );
}

const transactionColumns: Columns<OwnTx> = [
  ['time', (t) => t.now], ['lt', (t) => t.lt], ['hash', (t) => hex(t.hash)], ['message', (t) => labelOf(t.inMessage)], ['outcome', (t) => t.description.outcome], ['exit_code', (t) => t.description.compute?.exitCode],
  ['source', (t) => t.inMessage?.source?.address], ['value', (t) => t.inMessage?.value], ['balance_change', (t) => difference(t)], ['balance', (t) => t.stateAfter?.balance], ['fees', (t) => t.totalFees],
];

export function TransactionHistory({ address, state }: Account) {
  const filter = useFilter();
  const some = state !== null || filter.active; // an account without a state has nothing to filter
  const list = { query: 'account_transactions', variables: { address, direction: filter.direction, counterparties: filter.counterparties, ...filter.amounts, outcomes: filter.outcomes, ...filter.times }, pick: (d: { transactions: Page<OwnTx> }) => d.transactions };
  return (
    <>
      {some && <Filters of={filter} fields={['direction', 'counterparty', 'min', 'max', 'result', 'from', 'to']} unit={T.filters.value} />}
      <Pages {...list} live={{ query: 'live_transactions', variables: { accounts: [address] } }}>{(rows) => <Transactions rows={rows as Tx[]} me={address} {...(filter.active ? { empty: T.filters.none } : {})} />}</Pages>
      {some && <Export {...list} columns={transactionColumns} name="transactions" />}
    </>
  );
}

type Moved = { transactionHash: string; traceHash: string | null; now: string; aborted: boolean; amount: string; source: Ref; destination: Ref | null; jettonAccount: Ref };

const transferColumns: Columns<Moved> = [
  ['time', (t) => t.now], ['transaction', (t) => hex(t.transactionHash)], ['failed', (t) => String(t.aborted)], ['source', (t) => t.source.address], ['destination', (t) => t.destination?.address],
  ['jetton', (t) => t.jettonAccount.address], ['amount', (t) => t.amount], ['symbol', (t) => who(t.jettonAccount.address).symbol],
];

export function TransferHistory({ address }: Account) {
  const filter = useFilter();
  const list = { query: 'account_jetton_transfers', variables: { owner: address, direction: filter.direction, counterparties: filter.counterparties, jetton: filter.asset, ...filter.amounts, ...filter.times }, pick: (d: { jettonTransfers: Page<Moved> }) => d.jettonTransfers };
  const sign = (t: Moved) => (t.aborted || t.source.address === t.destination?.address ? '' : t.destination?.address === address ? '+' : '−');
  return (
    <>
      <Filters of={filter} fields={['direction', 'counterparty', 'asset', 'min', 'max', 'from', 'to']} />
      <Pages {...list} live={{ query: 'live_actions', variables: { accounts: [address] } }}>{(rows) => <Transfers rows={rows.map((t): Transfer => ({ ...t, from: t.source.address, to: t.destination?.address, what: <span class={sign(t) === '+' ? 'ok' : undefined}>{sign(t)}<Money of={t.amount} master={t.jettonAccount.address} /></span> }))} />}</Pages>
      <Export {...list} columns={transferColumns} name="jetton-transfers" />
    </>
  );
}

type ItemMoved = { transactionHash: string; traceHash: string | null; now: string; aborted: boolean; itemAccount: Ref; oldOwner: Ref; newOwner: Ref | null };

const itemColumns: Columns<ItemMoved> = [
  ['time', (t) => t.now], ['transaction', (t) => hex(t.transactionHash)], ['failed', (t) => String(t.aborted)], ['item', (t) => t.itemAccount.address], ['old_owner', (t) => t.oldOwner.address], ['new_owner', (t) => t.newOwner?.address],
];

export function ItemTransferHistory({ address }: Account) {
  const filter = useFilter();
  const list = { query: 'account_nft_transfers', variables: { owner: address, direction: filter.direction, counterparties: filter.counterparties, collection: filter.asset, success: filter.success, ...filter.times }, pick: (d: { nftTransfers: Page<ItemMoved> }) => d.nftTransfers };
  const sign = (t: ItemMoved) => (t.aborted || t.oldOwner.address === t.newOwner?.address ? '' : t.newOwner?.address === address ? '+' : '−');
  return (
    <>
      <Filters of={filter} fields={['direction', 'counterparty', 'asset', 'result', 'from', 'to']} />
      <Pages {...list} live={{ query: 'live_actions', variables: { accounts: [address] } }}>{(rows) => <Transfers rows={rows.map((t): Transfer => ({ ...t, from: t.oldOwner.address, to: t.newOwner?.address, what: <span class={sign(t) === '+' ? 'ok' : undefined}>{sign(t)}<Address of={t.itemAccount.address} /></span> }))} />}</Pages>
      <Export {...list} columns={itemColumns} name="nft-transfers" />
    </>
  );
}
