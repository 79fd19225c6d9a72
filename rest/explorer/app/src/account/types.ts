import type { IndexAge } from '../parts/indexage';
import type { Body, Currency, Ref, Token } from '../types';

export type Sale = {
  kind: string; state: string; account: Ref; itemAccount: Ref | null; seller: Ref | null; marketplace: Ref | null;
  fixedPrice: { isComplete: boolean; fullPrice: string | null; marketplaceFee: string | null; royaltyAmount: string | null } | null;
  auction: { end: boolean; isCanceled: boolean; endTime: string; lastBid: string | null; lastMember: string | null; minBid: string | null; maxBid: string | null } | null;
  telemint: { tokenName: string; bidder: string | null; bid: string | null; minBid: string | null; endTime: string } | null;
};

export type DomainRecord = {
  domain: string; account: Ref; owner: Ref | null; wallet: Ref | null; nextResolver: Ref | null;
  siteAdnl: string | null; storageBag: string | null; text: string | null; renewedAt: string | null; expiresAt: string | null; expired: boolean | null;
};

export type State = {
  status: string; balance: string; extraCurrencies: Currency[]; lt: string; codeHash: string | null; dataHash: string | null; lastPaid: string;
  usedCells: string; usedBits: string; duePayment: string | null;
};

export type Order = {
  multisigAccount: Ref; seqno: string; threshold: number | null; approvalsNum: number | null; approvalsMask: string | null;
  expiration: string | null; state: string; signers: Ref[];
  actions: { destination: Ref | null; value: string | null; error: string; bodyType: string; decodedBody: Body | null }[];
};

type Some = { nodes: { id: string }[] };

export type Account = {
  address: string; domain: string | null; mainInterfaces: string[]; bounceable: string; nonBounceable: string; metadata: Token; state: State | null;
  wallet: { name: string; seqno: number | null; walletId: number | null; publicKey: string | null; isSignatureAllowed: boolean | null } | null;
  jettonMaster: { totalSupply: string; mintable: boolean; canMint: boolean; admin: Ref | null; walletCodeHash: string } | null;
  jettonWallet: { balance: string; owner: Ref; jettonAccount: Ref } | null;
  nftCollection: { nextItemIndex: string; owner: Ref | null } | null;
  nftItem: {
    index: string; init: boolean; domain: string; owner: Ref | null; seller: Ref | null; collection: { account: Ref } | null; sale: Sale | null;
    sbt: { authority: string | null; revokedAt: string } | null; dns: DomainRecord | null;
  } | null;
  nftSale: Sale | null;
  multisig: { nextOrderSeqno: string; threshold: number; signers: Ref[]; proposers: Ref[] } | null;
  multisigOrder: Order | null;
  vesting: {
    startTime: string; totalDuration: number; unlockPeriod: number; cliffDuration: number; totalAmount: string; progress: { lockedAmount: string; nextReleaseAt: string | null } | null; sender: Ref; owner: Ref; whitelist: Ref[];
  } | null;
  jettonWallets: Some; nftItems: Some; dnsRecords: Some; multisigs: Some; vestings: Some;
};

export type AccountData = { account: Account; indexStatus: IndexAge };

/** What the node returns of an account that the index lacks. */
export type NodeAccount = { account: Pick<Account, 'state' | 'wallet'> };
