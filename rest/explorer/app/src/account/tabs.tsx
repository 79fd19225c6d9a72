// The tabs of an account; which ones exist depends on its kind and on its assets.
import type { ComponentChildren } from 'preact';
import type { Action, Page, Tx } from '../types';
import { Actions } from '../parts/actions';
import { Pages } from '../parts/pages';
import { Transactions } from '../parts/transactions';
import { Boards } from './boards';
import { Contract } from './contract';
import { Domains } from './domains';
import { Holders, JettonTransfers, Jettons } from './jettons';
import { Items, NFTTransfers } from './nfts';
import { Orders } from './orders';
import type { Account } from './types';

export type Tab = { id: string; name: string; show: (a: Account) => ComponentChildren };

const actions: Tab = {
  id: 'actions', name: 'Actions', show: ({ address }) => (
    <Pages query="account_actions" variables={{ address }} pick={(d: { account: { actions: Page<Action> } }) => d.account.actions}>
      {(rows) => <Actions rows={rows} me={address} empty="No actions of complete traces." />}
    </Pages>
  ),
};

const transactions: Tab = {
  id: 'transactions', name: 'Transactions', show: ({ address }) => (
    <Pages query="account_transactions" variables={{ address }} pick={(d: { account: { transactions: Page<Tx> } }) => d.account.transactions}>
      {(rows) => <Transactions rows={rows} me={address} />}
    </Pages>
  ),
};

export function tabsOf(a: Account): Tab[] {
  const tabs: Tab[] = [];
  if (a.jettonMaster) tabs.push({ id: 'holders', name: 'Holders', show: Holders }, { id: 'transfers', name: 'Transfers', show: JettonTransfers });
  if (a.nftCollection) tabs.push({ id: 'items', name: 'Items', show: (x) => <Items query="collection_items" address={x.address} /> }, { id: 'transfers', name: 'Transfers', show: (x) => <NFTTransfers query="collection_transfers" address={x.address} /> });
  if (a.nftItem) tabs.push({ id: 'history', name: 'Owners', show: (x) => <NFTTransfers query="item_transfers" address={x.address} /> });
  if (a.multisig) tabs.push({ id: 'orders', name: 'Orders', show: Orders });
  tabs.push(actions, transactions);
  if (a.jettonWallets.nodes.length > 0) tabs.push({ id: 'jettons', name: 'Jettons', show: Jettons });
  if (a.nftItems.nodes.length > 0) tabs.push({ id: 'nfts', name: 'NFTs', show: (x) => <Items query="account_nfts" address={x.address} /> });
  if (a.dnsRecords.nodes.length > 0) tabs.push({ id: 'domains', name: 'Domains', show: Domains });
  if (a.multisigs.nodes.length + a.vestings.nodes.length > 0) tabs.push({ id: 'boards', name: 'Shared wallets', show: Boards });
  if (a.state?.codeHash) tabs.push({ id: 'contract', name: 'Contract', show: (x) => <Contract a={x} /> });
  return tabs;
}
