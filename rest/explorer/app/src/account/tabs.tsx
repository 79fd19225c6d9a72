// The tabs of an account; which ones exist depends on its kind and on its assets.
import type { ComponentChildren } from 'preact';
import { AccountCharts, JettonDays } from '../parts/days';
import { Boards } from './boards';
import { Contract } from './contract';
import { ActionHistory, ItemTransferHistory, TransactionHistory, TransferHistory } from './history';
import { Auction, Domains } from './domains';
import { Holders, JettonTransfers, Jettons } from './jettons';
import { Items, NFTTransfers, Owners } from './nfts';
import { Orders } from './orders';
import type { Account } from './types';
import { T } from '../text';

export type Tab = { id: string; name: string; show: (a: Account) => ComponentChildren };

const actions: Tab = { id: 'actions', name: T.tabs.actions, show: ActionHistory };

const transactions: Tab = { id: 'transactions', name: T.tabs.transactions, show: TransactionHistory };

export function tabsOf(a: Account): Tab[] {
  const tabs: Tab[] = [];
  if (a.jettonMaster) tabs.push({ id: 'holders', name: T.tabs.holders, show: Holders }, { id: 'transfers', name: T.tabs.transfers, show: JettonTransfers }, { id: 'days', name: T.charts.jetton, show: JettonDays });
  if (a.nftCollection) tabs.push({ id: 'items', name: T.tabs.items, show: (x) => <Items query="collection_items" address={x.address} /> }, { id: 'transfers', name: T.tabs.transfers, show: (x) => <NFTTransfers query="collection_transfers" address={x.address} /> });
  if (a.nftItem) tabs.push({ id: 'history', name: T.tabs.owners, show: (x) => <NFTTransfers query="item_transfers" address={x.address} /> }, { id: 'owners', name: T.tabs.ownerHistory, show: Owners });
  if (a.nftItem?.dns || a.nftSale?.telemint) tabs.push({ id: 'auction', name: T.tabs.auction, show: Auction });
  if (a.multisig) tabs.push({ id: 'orders', name: T.tabs.orders, show: Orders });
  tabs.push(actions, transactions);
  if (a.jettonWallets.nodes.length > 0) tabs.push({ id: 'jettons', name: T.tabs.jettons, show: Jettons }, { id: 'jetton-transfers', name: T.tabs.jettonTransfers, show: TransferHistory });
  if (a.nftItems.nodes.length > 0) tabs.push({ id: 'nfts', name: T.tabs.nfts, show: (x) => <Items query="account_nfts" address={x.address} /> }, { id: 'nft-transfers', name: T.tabs.nftTransfers, show: ItemTransferHistory });
  if (a.dnsRecords.nodes.length > 0) tabs.push({ id: 'domains', name: T.tabs.domains, show: Domains });
  if (a.multisigs.nodes.length + a.vestings.nodes.length > 0) tabs.push({ id: 'boards', name: T.tabs.boards, show: Boards });
  tabs.push({ id: 'charts', name: T.tabs.chart, show: AccountCharts });
  if (a.state?.codeHash) tabs.push({ id: 'contract', name: T.tabs.contract, show: (x) => <Contract a={x} /> });
  return tabs;
}
