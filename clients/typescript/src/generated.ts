// Written by generate.mjs from graph/*.graphqls and src/operations/*.graphql.
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An account address. Input is accepted in the raw form, `0:ABC…` with 64 hexadecimal digits, and in the user-friendly form of 48 base64 characters, whose checksum is verified. Output is the raw form with upper-case digits. */
  Address: { input: string; output: string; }
  /** A 256-bit hash. Input is 64 hexadecimal digits, or 44 characters of base64 or base64url. Output is standard base64. */
  Hash: { input: string; output: string; }
  /** An integer of any size as a decimal string: logical times, amounts in nanotons, gas. Input may also be a number. */
  BigInt: { input: string; output: string; }
  /** A serialized bag of cells in standard base64. */
  Boc: { input: string; output: string; }
  /** A time with second precision in ISO 8601, UTC: `2026-01-31T12:00:00Z`. Input may also be a number of Unix seconds. */
  DateTime: { input: string; output: string; }
  /** A shard prefix in upper-case hexadecimal without leading zeros; `8000000000000000` is an undivided workchain. Input may also be a signed decimal string. */
  Shard: { input: string; output: string; }
  /** The first 32 bits of a message body: `0x` and eight hexadecimal digits. Input may also be a decimal number. */
  Opcode: { input: string; output: string; }
  /** An unsigned 32-bit integer: seqnos, versions and counters that can exceed the range of Int. */
  UInt32: { input: number; output: number; }
  /** Any JSON value. Its members cannot be selected by a query. */
  JSON: { input: unknown; output: unknown; }
};

/** An account. Every address has one, also an address that never received a message. */
export type Account = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Address in the raw form. */
  readonly address: Scalars['Address']['output'];
  /** Address in the user-friendly form (TEP-2). Without arguments the flags match the address book of /api/v3: bounceable unless the contract is a wallet, and marked test-only on every network except mainnet. */
  readonly friendly: Scalars['String']['output'];
  /** Seqno of the masterchain block that the query requested with `at`; null for the newest. */
  readonly mcSeqno: Maybe<Scalars['UInt32']['output']>;
  /** Newest indexed state, or the state at the block that the query requested with `at`; null when there is none. */
  readonly state: Maybe<AccountState>;
  /** Data of a recognised wallet contract; null when the account is not one. */
  readonly wallet: Maybe<WalletInfo>;
  /** Get-methods of the account's newest code, by id. Empty when it has none, or dispatches them in a form of its own. */
  readonly getMethods: ReadonlyArray<GetMethod>;
  /** Transactions of the account, newest first by default. */
  readonly transactions: TransactionConnection;
  /** Messages sent by the account, newest first by default. */
  readonly sentMessages: MessageConnection;
  /** Messages sent to the account, newest first by default. */
  readonly receivedMessages: MessageConnection;
  /** Actions in which the account takes part, of the types in the set `latest`, newest first by default. */
  readonly actions: ActionConnection;
  /** Domains that resolve to the account, shortest name first. */
  readonly dnsRecords: DnsRecordConnection;
  /** Balance of the account after each of its transactions, newest first by default. Cursors are interchangeable with those of `transactions`. */
  readonly balanceHistory: BalancePointConnection;
  /** Number of transactions of the account, counted up to 10000. */
  readonly transactionCount: CappedCount;
  /** Jetton master at this address; null when the account is not a Jetton master. */
  readonly jettonMaster: Maybe<JettonMaster>;
  /** Jetton wallet at this address; null when the account is not a Jetton wallet. */
  readonly jettonWallet: Maybe<JettonWallet>;
  /** Jetton wallets that the account owns, by Jetton by default. */
  readonly jettonWallets: JettonWalletConnection;
  /** Executed Jetton transfers that the account received or sent, newest first by default. */
  readonly jettonTransfers: JettonTransferConnection;
  /** Jetton burns ordered by the account, including aborted ones, newest first by default. */
  readonly jettonBurns: JettonBurnConnection;
  /** Multisig wallet at this address; null when the account is not a multisig wallet. */
  readonly multisig: Maybe<Multisig>;
  /** Multisig order at this address; null when the account is not an order. */
  readonly multisigOrder: Maybe<MultisigOrder>;
  /** Multisig wallets with the account as signer or proposer, by address. */
  readonly multisigs: MultisigConnection;
  /** NFT collection at this address; null when the account is not an NFT collection. */
  readonly nftCollection: Maybe<NftCollection>;
  /** NFT item at this address; null when the account is not an NFT item. */
  readonly nftItem: Maybe<NftItem>;
  /** NFT sale at this address; null when the account is not a sale contract. */
  readonly nftSale: Maybe<NftSale>;
  /** NFT items that the account owns, by collection and index. */
  readonly nftItems: NftItemConnection;
  /** NFT transfers that the account received or sent, including aborted ones, newest first by default. */
  readonly nftTransfers: NftTransferConnection;
  /** Pool of nominators at this address; null when the account is none. */
  readonly nominatorPool: Maybe<NominatorPool>;
  /** What the account has in pools as a nominator, by pool. */
  readonly nominatorPositions: NominatorPositionConnection;
  /** Shortest domain that the account owns and that resolves to it; null when there is none. */
  readonly domain: Maybe<Scalars['String']['output']>;
  /** Interfaces that the account's code implements, such as `wallet_v4r2` or `jetton_master`; empty when none is recognised. */
  readonly interfaces: ReadonlyArray<Scalars['String']['output']>;
  /** Most specific interfaces of the account: `interfaces` without those that another one includes. Versions that get-methods cannot distinguish share one name, such as `wallet`. */
  readonly mainInterfaces: ReadonlyArray<Scalars['String']['output']>;
  /** Metadata of the account as a Jetton master, NFT collection or NFT item; null when it is none of them. */
  readonly metadata: Maybe<TokenMetadata>;
  /** What the operator of this service states about the account. */
  readonly reputation: Reputation;
  /** Complete traces with a transaction of the account, newest end first by default. */
  readonly traces: TraceConnection;
  /** Vesting wallet at this address; null when the account is not a vesting wallet. */
  readonly vesting: Maybe<Vesting>;
  /** Vesting wallets with the account as owner or sender, by address. */
  readonly vestings: VestingConnection;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountFriendlyArgs = {
  bounceable?: InputMaybe<Scalars['Boolean']['input']>;
  testOnly?: InputMaybe<Scalars['Boolean']['input']>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountTransactionsArgs = {
  where?: InputMaybe<TransactionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountSentMessagesArgs = {
  where?: InputMaybe<MessageWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountReceivedMessagesArgs = {
  where?: InputMaybe<MessageWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountActionsArgs = {
  where?: InputMaybe<ActionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountDnsRecordsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountBalanceHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountJettonWalletsArgs = {
  excludeZero?: InputMaybe<Scalars['Boolean']['input']>;
  byBalance?: InputMaybe<Scalars['Boolean']['input']>;
  at?: InputMaybe<AtBlock>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountJettonTransfersArgs = {
  direction?: InputMaybe<TransferDirection>;
  where?: InputMaybe<JettonTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountJettonBurnsArgs = {
  where?: InputMaybe<JettonBurnWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountMultisigsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountNftItemsArgs = {
  at?: InputMaybe<AtBlock>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountNftTransfersArgs = {
  direction?: InputMaybe<TransferDirection>;
  where?: InputMaybe<NftTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountNominatorPositionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountTracesArgs = {
  where?: InputMaybe<TraceWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An account. Every address has one, also an address that never received a message. */
export type AccountVestingsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** Status of an account. */
export type AccountStatus =
  /** The account has a balance but no code. */
  | 'UNINIT'
  /** The account is frozen because of its storage debt; only the hash of its state remains. */
  | 'FROZEN'
  /** The account has code. */
  | 'ACTIVE'
  /** The account does not exist. */
  | 'NONEXIST';

/** The state of an account after one of its transactions. */
export type AccountState = {
  /** Logical time of the transaction that produced this state; 0 when no transaction did. */
  readonly lt: Scalars['BigInt']['output'];
  /** Hash of that transaction. */
  readonly txHash: Scalars['Hash']['output'];
  /** Representation hash of the account cell. */
  readonly hash: Scalars['Hash']['output'];
  /** Status of the account. */
  readonly status: AccountStatus;
  /** Balance in nanotons. */
  readonly balance: Scalars['BigInt']['output'];
  /** Balances of extra currencies, by currency id. */
  readonly extraCurrencies: ReadonlyArray<ExtraCurrency>;
  /** Hash of the code; null unless the account is active. */
  readonly codeHash: Maybe<Scalars['Hash']['output']>;
  /** Hash of the data; null unless the account is active. */
  readonly dataHash: Maybe<Scalars['Hash']['output']>;
  /** Hash of the frozen state; null unless the account is frozen. */
  readonly frozenHash: Maybe<Scalars['Hash']['output']>;
  /** Time at which storage fees were last collected. */
  readonly lastPaid: Scalars['DateTime']['output'];
  /** Storage fees owed, in nanotons; null when there are none. */
  readonly duePayment: Maybe<Scalars['BigInt']['output']>;
  /** Number of cells that the account occupies. */
  readonly usedCells: Scalars['BigInt']['output'];
  /** Number of bits that the account occupies. */
  readonly usedBits: Scalars['BigInt']['output'];
  /** The code; null unless the account is active and the index stores the cell. The query cost is 50. Large code and data of one request have at most 16 MiB. */
  readonly code: Maybe<Scalars['Boc']['output']>;
  /** The data; null unless the account is active and the index stores the cell. The query cost is 50. Large code and data of one request have at most 16 MiB. */
  readonly data: Maybe<Scalars['Boc']['output']>;
  /** Whether the node returned this state because the index lacks it. */
  readonly fromNode: Scalars['Boolean']['output'];
};

/** Data of a wallet contract. A field is null when this kind of wallet does not have it. */
export type WalletInfo = {
  /** Name of the contract, such as `wallet_v4r2`. */
  readonly name: Scalars['String']['output'];
  /** Seqno that the next message must carry. */
  readonly seqno: Maybe<Scalars['UInt32']['output']>;
  /** Number that distinguishes wallets with the same key; for v5, the id that messages sign. */
  readonly walletId: Maybe<Scalars['UInt32']['output']>;
  /** Whether the wallet accepts messages signed with its key (v5). */
  readonly isSignatureAllowed: Maybe<Scalars['Boolean']['output']>;
  /** Ed25519 public key. */
  readonly publicKey: Maybe<Scalars['Hash']['output']>;
};

/** A get-method of a contract. */
export type GetMethod = {
  /** Id of the method, which follows from its name. */
  readonly id: Scalars['Int']['output'];
  /** Name of the method; null when no published standard has one with this id. */
  readonly name: Maybe<Scalars['String']['output']>;
  /** Arguments of the method; null when they are not known. */
  readonly arguments: Maybe<ReadonlyArray<MethodArgument>>;
};

/** An argument of a get-method of a published standard. */
export type MethodArgument = {
  /** Name of the argument. */
  readonly name: Scalars['String']['output'];
  /** Type of the argument: `int`, `bool`, `coins` (nanotons), `time` (Unix seconds), `hash`, `address`, `text`, `cell`, `slice`, `list` or `tuple`. */
  readonly type: Scalars['String']['output'];
};

/** A page of accounts. */
export type AccountConnection = {
  /** The accounts with their cursors. */
  readonly edges: ReadonlyArray<AccountEdge>;
  /** The accounts alone. */
  readonly nodes: ReadonlyArray<Account>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An account in a page. */
export type AccountEdge = {
  /** Position of this account in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The account. */
  readonly node: Account;
};

/** Queries of the index. */
export type Query = {
  /** One account. Never null: for an address without history the state is null and the lists are empty. */
  readonly account: Account;
  /** Several accounts, in the order of `addresses`. */
  readonly accounts: ReadonlyArray<Account>;
  /** Accounts with the same code, by address. */
  readonly accountsByCode: AccountConnection;
  /** Accounts by balance, largest first. */
  readonly topAccounts: AccountConnection;
  /** One action by its hash; null when it is not indexed. */
  readonly action: Maybe<Action>;
  /** Actions by the end of their trace, newest first by default. */
  readonly actions: ActionConnection;
  /** One block; null when it is not indexed. */
  readonly block: Maybe<Block>;
  /** Blocks by time, newest first by default. */
  readonly blocks: BlockConnection;
  /** Transactions, fees and active accounts per day, ascending. A day is a UTC date. Days without any indexed transaction are left out unless they are complete. */
  readonly networkDays: NetworkDays;
  /** Transfers, holders and supply of a Jetton per day, ascending; complete days only. A day is a UTC date. */
  readonly jettonDays: JettonDays;
  /** Accounts with which an account exchanged most messages, most messages first. Counts the internal ones among its newest 4000 messages in each direction. */
  readonly counterparties: Counterparties;
  /** Prices in a currency of states, from the source that the operator has configured; null without one, or when it is older than a day. */
  readonly fiatRates: Maybe<FiatRates>;
  /** Configuration in force at a masterchain block. */
  readonly config: Config;
  /** Newest block of every shard, as recorded by a masterchain block; that block is included. */
  readonly shards: ReadonlyArray<Block>;
  /** Domains by length of the name, then by name. */
  readonly dnsRecords: DnsRecordConnection;
  /** Auctions of domains that are open, or that have ended and whose winner has not claimed the domain; the first to end first. */
  readonly dnsAuctions: DnsAuctionConnection;
  /** Runs a get-method of a contract in the TVM of this service. A method that fails is not an error of the query: check `exitCode`. */
  readonly runGetMethod: MethodRun;
  /** Estimates the fees of an external message. The message is executed in the TVM of this service, together with the messages that its receiver sends, but not those that these cause. */
  readonly estimateFee: FeeEstimate;
  /** Code of a contract as text, one instruction a line; null when the account has no code. The query cost is 500. */
  readonly disassembly: Maybe<Disassembly>;
  /** Records of verified sources of a code, from the registry on the chain; empty when no known verifier has one, null on networks without a registry. The query cost is 500. */
  readonly codeSources: Maybe<ReadonlyArray<CodeSource>>;
  /** Decodes opcodes to names and message bodies to objects. */
  readonly decode: Decoded;
  /** One Jetton master; null when the account is not a Jetton master. */
  readonly jettonMaster: Maybe<JettonMaster>;
  /** Jetton masters by address, ascending, or as `orderBy` says. */
  readonly jettonMasters: JettonMasterConnection;
  /** One Jetton wallet; null when the account is not a Jetton wallet. */
  readonly jettonWallet: Maybe<JettonWallet>;
  /** Jetton wallets by address, ascending. With `owners` the order is owner, Jetton, address. */
  readonly jettonWallets: JettonWalletConnection;
  /** Executed Jetton transfers, newest first by default. */
  readonly jettonTransfers: JettonTransferConnection;
  /** Jetton burns, including aborted ones, newest first by default. */
  readonly jettonBurns: JettonBurnConnection;
  /** State of the masterchain at one of its blocks; null while the index is empty. */
  readonly masterchain: Maybe<Masterchain>;
  /** One message by its plain or normalised hash; null when it is not indexed. If an external message was accepted more than once, the newest one. */
  readonly message: Maybe<Message>;
  /** Messages by logical time, newest first by default. */
  readonly messages: MessageConnection;
  /** Multisig wallets by address. */
  readonly multisigs: MultisigConnection;
  /** Orders by seqno, newest first by default. */
  readonly multisigOrders: MultisigOrderConnection;
  /** One NFT collection; null when the account is not an NFT collection. */
  readonly nftCollection: Maybe<NftCollection>;
  /** NFT collections by address, ascending, or as `orderBy` says. */
  readonly nftCollections: NftCollectionConnection;
  /** One NFT item; null when the account is not an NFT item. */
  readonly nftItem: Maybe<NftItem>;
  /** NFT items by address, ascending. With `owners` the order is owner, collection, index; with `collections` it is index. */
  readonly nftItems: NftItemConnection;
  /** Traits of the items of a collection, as far as their metadata was fetched: the first 30 names, in the order of their bytes. `nftItems` finds the items of a trait by `trait`. */
  readonly nftTraits: ReadonlyArray<TraitCounts>;
  /** NFT transfers, including aborted ones, newest first by default. */
  readonly nftTransfers: NftTransferConnection;
  /** One NFT sale by the address of its contract; null when the account is not a sale contract. */
  readonly nftSale: Maybe<NftSale>;
  /** NFT sales by the address of their contract, including closed ones. */
  readonly nftSales: NftSaleConnection;
  /** Owner of an NFT item at a masterchain block; null when the account was not an NFT item at that block. */
  readonly nftOwner: Maybe<NftOwnership>;
  /** Deposits, rewards and withdrawals of nominators in a pool, newest first. Transactions whose states are not indexed have none. */
  readonly poolEvents: PoolEventConnection;
  /** Deposits, rewards, penalties and withdrawals of validators in pools, newest first. Transactions whose states are not indexed have none. */
  readonly poolValidatorEvents: PoolValidatorEventConnection;
  /** Traces that are not complete, newest end first: those of messages that were sent through this service and are not in a block yet, and indexed traces with messages in flight. The part that is not in a block is emulated. Exactly one of `account` and `messages` must be given; `messages` takes plain or normalised hashes of external messages, at most 100. A trace whose message expired or had another outcome is returned only for its hash, with finality `INVALIDATED`. Complete traces are not returned. */
  readonly pendingTraces: ReadonlyArray<Trace>;
  /** Rate limit of this request's API key, or of the client address when there is no key, at the time the request was admitted. The response headers `RateLimit-Policy` and `RateLimit` carry the same values. Null when requests are not limited. */
  readonly rateLimit: Maybe<RateLimit>;
  /** Object with this global id; null when there is none. */
  readonly node: Maybe<Node>;
  /** Objects with these global ids, in the order of `ids`; null for each id without an object, and with an error for each that is not one. */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** Status of the index: indexed ranges, lag and verification counts. */
  readonly indexStatus: IndexStatus;
  /** Digests of what the index has derived from the ranges of 1,000 masterchain blocks between two seqnos, in order: 1 to 999, 1000 to 1999 and so on. Two services that have indexed a range have the same digest of it. The ranges must be indexed completely; the indexer computes their digests some time after that. */
  readonly indexDigest: ReadonlyArray<RangeDigest>;
  /** Limits that this service applies to requests. */
  readonly serviceConfig: ServiceConfig;
  /** Searches for a text: an address in any form, a hash or the first 8 or more hexadecimal digits of one, a block as `(workchain,shard,seqno)`, `workchain:shard:seqno` or seqno, a domain with or without its suffix, the name of a system contract, or the beginning of a token's name, of a word of it, or of its symbol. Returns at most 30 results, at most 10 of a kind, best match first. */
  readonly search: ReadonlyArray<SearchHit>;
  /** Simulates a message: executes it, and every message that it causes, in the TVM of this service on the account states of a block. Nothing is sent to the network. `serviceConfig` returns the limits of a simulation. The query cost is 5000. It is an error if neither the index nor a node has the state of an account. */
  readonly simulate: Simulation;
  /** One trace; null when it is not indexed. */
  readonly trace: Maybe<Trace>;
  /** Traces by their end, newest first by default. Lists contain complete traces only; a filter by hashes returns traces in every state. */
  readonly traces: TraceConnection;
  /** One transaction by its hash; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
  /** Transactions by logical time, newest first by default. */
  readonly transactions: TransactionConnection;
  /** Validation cycles, newest first, which key blocks of the index name. Earlier ones follow by `endUtime`. */
  readonly validatorCycles: ReadonlyArray<ValidatorCycle>;
  /** Elections of validators, newest first: the current one, and those of validation cycles. Earlier ones follow by `endUtime`. */
  readonly validatorElections: ReadonlyArray<ValidatorElection>;
  /** Complaints about validators, newest first. Earlier ones follow by `endUtime`. */
  readonly validatorComplaints: ReadonlyArray<ValidatorComplaint>;
  /** Stakes that accounts sent to the elector or requested back, newest first. Earlier ones follow by `endUtime`. */
  readonly stakeEvents: ReadonlyArray<StakeEvent>;
  /** Vesting wallets by address. */
  readonly vestings: VestingConnection;
};


/** Queries of the index. */
export type QueryAccountArgs = {
  address: Scalars['Address']['input'];
  at?: InputMaybe<AtBlock>;
  fromNode?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Queries of the index. */
export type QueryAccountsArgs = {
  addresses: ReadonlyArray<Scalars['Address']['input']>;
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryAccountsByCodeArgs = {
  codeHash: Scalars['Hash']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryTopAccountsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryActionArgs = {
  hash: Scalars['Hash']['input'];
};


/** Queries of the index. */
export type QueryActionsArgs = {
  where?: InputMaybe<ActionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryBlockArgs = {
  by: BlockBy;
};


/** Queries of the index. */
export type QueryBlocksArgs = {
  where?: InputMaybe<BlockWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryNetworkDaysArgs = {
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** Queries of the index. */
export type QueryJettonDaysArgs = {
  jetton: Scalars['Address']['input'];
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** Queries of the index. */
export type QueryCounterpartiesArgs = {
  address: Scalars['Address']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryConfigArgs = {
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryShardsArgs = {
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryDnsRecordsArgs = {
  where: DnsRecordWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryDnsAuctionsArgs = {
  where: DnsAuctionWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryRunGetMethodArgs = {
  address: Scalars['Address']['input'];
  method: Scalars['String']['input'];
  stack?: InputMaybe<ReadonlyArray<StackInput>>;
  mcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryEstimateFeeArgs = {
  address: Scalars['Address']['input'];
  body: Scalars['Boc']['input'];
  initCode?: InputMaybe<Scalars['Boc']['input']>;
  initData?: InputMaybe<Scalars['Boc']['input']>;
  ignoreSignature?: InputMaybe<Scalars['Boolean']['input']>;
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryDisassemblyArgs = {
  address: Scalars['Address']['input'];
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryCodeSourcesArgs = {
  codeHash: Scalars['Hash']['input'];
};


/** Queries of the index. */
export type QueryDecodeArgs = {
  opcodes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  bodies?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Queries of the index. */
export type QueryJettonMasterArgs = {
  address: Scalars['Address']['input'];
};


/** Queries of the index. */
export type QueryJettonMastersArgs = {
  where?: InputMaybe<JettonMasterWhere>;
  orderBy?: InputMaybe<TokenOrder>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryJettonWalletArgs = {
  address: Scalars['Address']['input'];
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryJettonWalletsArgs = {
  where?: InputMaybe<JettonWalletWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryJettonTransfersArgs = {
  where?: InputMaybe<JettonTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryJettonBurnsArgs = {
  where?: InputMaybe<JettonBurnWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryMasterchainArgs = {
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryMessageArgs = {
  hash: Scalars['Hash']['input'];
};


/** Queries of the index. */
export type QueryMessagesArgs = {
  where?: InputMaybe<MessageWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryMultisigsArgs = {
  where: MultisigWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryMultisigOrdersArgs = {
  where: MultisigOrderWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryNftCollectionArgs = {
  address: Scalars['Address']['input'];
};


/** Queries of the index. */
export type QueryNftCollectionsArgs = {
  where?: InputMaybe<NftCollectionWhere>;
  orderBy?: InputMaybe<TokenOrder>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryNftItemArgs = {
  address: Scalars['Address']['input'];
};


/** Queries of the index. */
export type QueryNftItemsArgs = {
  where?: InputMaybe<NftItemWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryNftTraitsArgs = {
  collection: Scalars['Address']['input'];
};


/** Queries of the index. */
export type QueryNftTransfersArgs = {
  where?: InputMaybe<NftTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryNftSaleArgs = {
  address: Scalars['Address']['input'];
};


/** Queries of the index. */
export type QueryNftSalesArgs = {
  where: NftSaleWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryNftOwnerArgs = {
  address: Scalars['Address']['input'];
  at: AtBlock;
};


/** Queries of the index. */
export type QueryPoolEventsArgs = {
  where: PoolEventWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryPoolValidatorEventsArgs = {
  where: PoolValidatorEventWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Queries of the index. */
export type QueryPendingTracesArgs = {
  account?: InputMaybe<Scalars['Address']['input']>;
  messages?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Queries of the index. */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Queries of the index. */
export type QueryIndexDigestArgs = {
  from: Scalars['UInt32']['input'];
  to: Scalars['UInt32']['input'];
};


/** Queries of the index. */
export type QuerySearchArgs = {
  text: Scalars['String']['input'];
};


/** Queries of the index. */
export type QuerySimulateArgs = {
  message: SimulatedMessage;
  ignoreSignature?: InputMaybe<Scalars['Boolean']['input']>;
  at?: InputMaybe<AtBlock>;
};


/** Queries of the index. */
export type QueryTraceArgs = {
  by: TraceBy;
};


/** Queries of the index. */
export type QueryTracesArgs = {
  where?: InputMaybe<TraceWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryTransactionArgs = {
  hash: Scalars['Hash']['input'];
};


/** Queries of the index. */
export type QueryTransactionsArgs = {
  where?: InputMaybe<TransactionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Queries of the index. */
export type QueryValidatorCyclesArgs = {
  where?: InputMaybe<ValidatorCycleWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryValidatorElectionsArgs = {
  where?: InputMaybe<ValidatorElectionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryValidatorComplaintsArgs = {
  where?: InputMaybe<ValidatorComplaintWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryStakeEventsArgs = {
  where?: InputMaybe<StakeEventWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries of the index. */
export type QueryVestingsArgs = {
  where: VestingWhere;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** A high-level operation, such as a Jetton transfer or a swap, that was recognised in a trace. */
export type Action = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Hash that identifies the action. It is unique within the trace and does not change. */
  readonly hash: Scalars['Hash']['output'];
  /** Type of the action, such as `jetton_transfer`; docs/action-details.md lists all types. */
  readonly type: Scalars['String']['output'];
  /** Whether the operation succeeded. */
  readonly success: Scalars['Boolean']['output'];
  /** Details of the action; their type depends on `type`. Null when there are none. */
  readonly details: Maybe<ActionDetails>;
  /** Logical time at which the action starts, that of its first message. */
  readonly startLt: Scalars['BigInt']['output'];
  /** Logical time of the last transaction. */
  readonly endLt: Scalars['BigInt']['output'];
  /** Time of the first message. */
  readonly startUtime: Scalars['DateTime']['output'];
  /** Time of the last transaction. */
  readonly endUtime: Scalars['DateTime']['output'];
  /** Seqno of the masterchain block that committed the last of its transactions. */
  readonly mcSeqnoEnd: Scalars['UInt32']['output'];
  /** Hashes of the transactions that the action covers, ascending. */
  readonly transactionHashes: ReadonlyArray<Scalars['Hash']['output']>;
  /** Transactions that the action covers, by logical time. Transactions that are not indexed are left out. */
  readonly transactions: ReadonlyArray<Transaction>;
  /** Accounts that take part in the action. */
  readonly accounts: ReadonlyArray<Account>;
  /** Action that contains this one; null for a top-level action. */
  readonly parent: Maybe<Action>;
  /** Types of all actions that contain this one. */
  readonly ancestors: ReadonlyArray<Scalars['String']['output']>;
  /** Opcode of the first message; null for types that have none. */
  readonly opcode: Maybe<Scalars['Opcode']['output']>;
  /** Hash of the trace that the action belongs to. */
  readonly traceHash: Scalars['Hash']['output'];
  /** The trace. */
  readonly trace: Maybe<Trace>;
  /** Logical time of the trace's last transaction. */
  readonly traceEndLt: Scalars['BigInt']['output'];
  /** Time of the trace's last transaction. */
  readonly traceEndUtime: Scalars['DateTime']['output'];
  /** Seqno of the masterchain block that committed the trace's last transaction. */
  readonly traceMcSeqnoEnd: Scalars['UInt32']['output'];
  /** Hash of the message that started the trace; null for a tick-tock transaction. */
  readonly traceExternalHash: Maybe<Scalars['Hash']['output']>;
  /** Normalised hash (TEP-467) of that message; null unless it is external. */
  readonly traceExternalHashNorm: Maybe<Scalars['Hash']['output']>;
  /** Finality: whether this can still change. */
  readonly finality: Finality;
  /** Balance changes by the transactions that the action covers, by account; null when they are not indexed. */
  readonly balanceChanges: Maybe<ReadonlyArray<BalanceChange>>;
};

/** A page of actions. */
export type ActionConnection = {
  /** The actions with their cursors. */
  readonly edges: ReadonlyArray<ActionEdge>;
  /** The actions alone. */
  readonly nodes: ReadonlyArray<Action>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An action in a page. */
export type ActionEdge = {
  /** Position of this action in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The action. */
  readonly node: Action;
};

/** Filter for actions. All given fields must match. Ranges include both ends; those of time refer to the end of the trace. The conditions from `success` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type ActionWhere = {
  /** With this account among the participants. */
  readonly account?: InputMaybe<Scalars['Address']['input']>;
  /** Covering one of these transactions; at most 100. */
  readonly transactions?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** Covering a transaction that sent or received one of these messages; plain or normalised hashes, at most 100. */
  readonly messages?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** With one of these hashes; at most 100. */
  readonly hashes?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** In one of these traces; at most 100. */
  readonly traces?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** In traces whose last transaction was committed by this masterchain block. */
  readonly mcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  /** In traces that ended at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In traces that ended at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In traces that ended at this logical time or later. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** In traces that ended at this logical time or earlier. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Of one of these types, even if `supported` excludes it; at most 100. */
  readonly types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of none of these types; at most 100. `ton_transfer` and `call_contract` stand for `extra_currency_transfer` too. */
  readonly excludeTypes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Action types that the client supports, or names of sets of types such as `v1`; at most 100, `latest` when omitted; `v1` is always supported. An action of an unsupported type is replaced by the actions it consists of. */
  readonly supported?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** true: only successful actions; false: only failed ones. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
  /** With this opcode of the first message. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** Direction relative to `account`; requires `account`. `OUT`: the account is where the action starts, such as its source, sender or owner; `IN`: it is where the action leads, such as its destination, receiver or new owner. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** With one of these accounts among the participants, besides `account`; requires `account`; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With this asset: a Jetton, an NFT item or a collection. */
  readonly asset?: InputMaybe<Scalars['Address']['input']>;
  /** With an amount of at least this, in the smallest unit of its asset; with `asset`, of that asset. */
  readonly minAmount?: InputMaybe<Scalars['BigInt']['input']>;
  /** With an amount of at most this, in the smallest unit of its asset; with `asset`, of that asset. */
  readonly maxAmount?: InputMaybe<Scalars['BigInt']['input']>;
};

/** A transaction: the processing of one message, or of a tick or tock, by one account. */
export type Transaction = Node & {
  /** Actions that cover the transaction, of the types in the set `latest`, by logical time. */
  readonly actions: ReadonlyArray<Action>;
  /** Result of the re-execution by this service; null unless `verification` is `MISMATCH`. */
  readonly mismatch: Maybe<ReplayMismatch>;
  /** Budget that the re-execution exceeded; null unless `verification` is `UNVERIFIED`. */
  readonly unverified: Maybe<UnverifiedTransaction>;
  /** Finality of the transaction. A pending transaction was emulated on the newest account states; its `block` is the block whose states were used. */
  readonly finality: Finality;
  /** Trace that contains the transaction; null when the first transaction of the trace is not indexed. */
  readonly trace: Maybe<Trace>;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Representation hash of the transaction. */
  readonly hash: Scalars['Hash']['output'];
  /** Logical time, unique within the account. */
  readonly lt: Scalars['BigInt']['output'];
  /** Account of the transaction. */
  readonly account: Account;
  /** Time of the block. */
  readonly now: Scalars['DateTime']['output'];
  /** Hash of the account's previous transaction; zero for the first. */
  readonly prevHash: Scalars['Hash']['output'];
  /** Logical time of the account's previous transaction; 0 for the first. */
  readonly prevLt: Scalars['BigInt']['output'];
  /** Account status before the transaction. */
  readonly origStatus: AccountStatus;
  /** Account status after the transaction. */
  readonly endStatus: AccountStatus;
  /** Total fees of the transaction in nanotons. */
  readonly totalFees: Scalars['BigInt']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Outcome of the transaction and its phases. */
  readonly description: TransactionDescription;
  /** How this service verified the transaction. */
  readonly verification: Verification;
  /** Number of messages sent. */
  readonly outMsgCount: Scalars['Int']['output'];
  /** The account's previous transaction; null for the first, or when it is not indexed. */
  readonly previous: Maybe<Transaction>;
  /** Block that contains the transaction. */
  readonly block: Maybe<Block>;
  /** Message that caused the transaction; null for tick-tock transactions. */
  readonly inMessage: Maybe<Message>;
  /** Messages sent, by logical time of creation. */
  readonly outMessages: ReadonlyArray<Message>;
  /** Account state before the transaction; null when the account did not exist, see `origStatus`, or its state is not indexed. */
  readonly stateBefore: Maybe<AccountState>;
  /** Account state after the transaction, also of an account that it destroyed; null when it is not indexed. */
  readonly stateAfter: Maybe<AccountState>;
  /** Serialized transaction; null when the index does not store it. */
  readonly boc: Maybe<Scalars['Boc']['output']>;
};

/** The details of an action. The `type` of the action selects the member of the union. A field without a value is null. An asset that is null is TON. */
export type ActionDetails = AuctionBidDetails | AuctionOutbidDetails | CallContractDetails | ChangeDnsDetails | ChangeWalletKeyDetails | CocoonClientChangeSecretHashDetails | CocoonClientIncreaseStakeDetails | CocoonClientRegisterDetails | CocoonClientRequestRefundDetails | CocoonClientTopUpDetails | CocoonClientWithdrawDetails | CocoonGrantRefundDetails | CocoonProxyChargeDetails | CocoonProxyPayoutDetails | CocoonRegisterProxyDetails | CocoonUnregisterProxyDetails | CocoonWorkerPayoutDetails | CoffeeCreatePoolDetails | CoffeeCreatePoolCreatorDetails | CoffeeCreateVaultDetails | CoffeeMevProtectFailedSwapDetails | CoffeeMevProtectHoldFundsDetails | CoffeeStakingClaimRewardsDetails | CoffeeStakingDepositDetails | CoffeeStakingWithdrawDetails | ContractDeployDetails | DnsPurchaseDetails | DnsReleaseDetails | DedustV2ClaimFeesDetails | DedustV2ClaimRewardDetails | DeleteDnsDetails | DexDepositLiquidityDetails | DexWithdrawLiquidityDetails | ElectionDepositDetails | ElectionRecoverDetails | EvaaLiquidateDetails | EvaaSupplyDetails | EvaaWithdrawDetails | GaslessRequestDetails | JVaultClaimDetails | JVaultStakeDetails | JVaultUnstakeDetails | JVaultUnstakeRequestDetails | JettonBurnDetails | JettonMintDetails | JettonSwapDetails | JettonTransferDetails | LayerZeroCommitPacketDetails | LayerZeroDvnVerifyDetails | LayerZeroReceiveDetails | LayerZeroSendDetails | LayerZeroSendTokensDetails | MultisigApproveDetails | MultisigCreateOrderDetails | MultisigExecuteDetails | NftCancelAuctionDetails | NftCancelSaleDetails | NftDiscoveryDetails | NftFinishAuctionDetails | NftMintDetails | NftPurchaseDetails | NftPutOnAuctionDetails | NftPutOnSaleDetails | NftTransferDetails | NftUpdateSaleDetails | RenewDnsDetails | StakeDepositDetails | StakeWithdrawalDetails | StakeWithdrawalRequestDetails | SubscribeDetails | TeleitemCancelAuctionDetails | TeleitemStartAuctionDetails | TgBtcBurnDetails | TgBtcBurnFallbackDetails | TgBtcDkgLogFallbackDetails | TgBtcMintDetails | TgBtcMintFallbackDetails | TgBtcNewKeyDetails | TgBtcNewKeyFallbackDetails | TickTockDetails | TonTransferDetails | ToncoDeployPoolDetails | UnknownDetails | UnsubscribeDetails | VestingAddWhitelistDetails | VestingSendMessageDetails;

/** A bid for an NFT item. */
export type AuctionBidDetails = {
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The account that made the bid. */
  readonly bidder: Maybe<Scalars['Address']['output']>;
  /** The auction contract, or the NFT item itself. */
  readonly auction: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
};

/** The return of a bid after a higher bid. */
export type AuctionOutbidDetails = {
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** The account that made the bid. */
  readonly bidder: Maybe<Scalars['Address']['output']>;
  /** The account that made the higher bid. */
  readonly newBidder: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Always null. */
  readonly comment: Maybe<Scalars['String']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** A call of a contract that no other type of action describes. External messages have neither source nor value. */
export type CallContractDetails = {
  /** First 32 bits of the message body; null when the body is shorter. */
  readonly opcode: Maybe<Scalars['Opcode']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Value of the message, in nanotons. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
  /** Amounts of extra currencies in their smallest units, by currency id. */
  readonly extraCurrencies: Scalars['JSON']['output'];
};

/** A change of a DNS record of a domain. */
export type ChangeDnsDetails = {
  /** Key of the record: SHA-256 of its category, in hexadecimal. */
  readonly key: Maybe<Scalars['String']['output']>;
  /** Value of the record. */
  readonly record: DnsValue;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
};

/** The value of a DNS record; sumType names the field that is set. Text records are in dnsStorageAddress. */
export type DnsValue = {
  /** Type of the record. */
  readonly sumType: Maybe<Scalars['String']['output']>;
  /** The account that the domain points to. */
  readonly dnsSmcAddress: Maybe<Scalars['String']['output']>;
  /** ADNL address of a site, in hexadecimal. */
  readonly dnsAdnlAddress: Maybe<Scalars['String']['output']>;
  /** Always null: the text of a text record is in dnsStorageAddress. */
  readonly dnsText: Maybe<Scalars['String']['output']>;
  /** The contract that resolves subdomains. */
  readonly dnsNextResolverAddress: Maybe<Scalars['String']['output']>;
  /** Identifier of a bag in TON Storage in hexadecimal, or the text of a text record. */
  readonly dnsStorageAddress: Maybe<Scalars['String']['output']>;
  /** Flags of the record. */
  readonly flags: Maybe<Scalars['Int']['output']>;
};

/** The replacement of the key that a wallet accepts. */
export type ChangeWalletKeyDetails = {
  /** The relayer that paid for the gas; null when the owner sent the request. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The wallet. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** The key that the wallet accepts now, in hexadecimal. */
  readonly newPublicKey: Maybe<Scalars['String']['output']>;
  /** Signature of the address of the wallet by the new key, in hexadecimal. */
  readonly rotationSignature: Maybe<Scalars['String']['output']>;
  /** The private key that the wallet accepted before, encrypted with the new one, in hexadecimal. */
  readonly encryptedOldPrivateKey: Maybe<Scalars['String']['output']>;
};

/** A change of the hash of the secret that authenticates a client. */
export type CocoonClientChangeSecretHashDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The new hash of the secret. */
  readonly newSecretHash: Maybe<Scalars['String']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** An increase of a client's stake. */
export type CocoonClientIncreaseStakeDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The stake after the change, in nanotons. */
  readonly newStake: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The registration of a client at a Cocoon proxy. */
export type CocoonClientRegisterDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Sequence number of the message. */
  readonly nonce: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** A request to refund a client's remaining balance. */
export type CocoonClientRequestRefundDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Whether the request was sent through the client's wallet. */
  readonly viaWallet: Maybe<Scalars['Boolean']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** A payment into a client's balance at a Cocoon proxy. */
export type CocoonClientTopUpDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A withdrawal from a client's balance. */
export type CocoonClientWithdrawDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Amount withdrawn, in nanotons. */
  readonly withdrawAmount: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The refund of a client's remaining balance. */
export type CocoonGrantRefundDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Tokens used. */
  readonly newTokensUsed: Maybe<Scalars['BigInt']['output']>;
  /** The expected address: raw, or LENGTH;HEX for an external address. */
  readonly expectedAddress: Maybe<Scalars['String']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A charge to a client for used tokens. */
export type CocoonProxyChargeDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Tokens used. */
  readonly newTokensUsed: Maybe<Scalars['BigInt']['output']>;
  /** The expected address: raw, or LENGTH;HEX for an external address. */
  readonly expectedAddress: Maybe<Scalars['String']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The payment of a proxy's earnings. */
export type CocoonProxyPayoutDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The registration of a Cocoon proxy. */
export type CocoonRegisterProxyDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The removal of a Cocoon proxy from the registry. */
export type CocoonUnregisterProxyDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Sequence number of the proxy. */
  readonly seqno: Maybe<Scalars['UInt32']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The payment of a worker's earnings. */
export type CocoonWorkerPayoutDetails = {
  /** Type of the payout: regular or last. */
  readonly payoutType: Maybe<Scalars['String']['output']>;
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Tokens earned. */
  readonly newTokens: Maybe<Scalars['BigInt']['output']>;
  /** State of the worker. */
  readonly workerState: Maybe<Scalars['Int']['output']>;
  /** Tokens of the worker. */
  readonly workerTokens: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The creation of a pool of swap.coffee from two deposits. */
export type CoffeeCreatePoolDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The account that paid the first asset. */
  readonly initiator1: Maybe<Scalars['Address']['output']>;
  /** The account that paid the second asset. */
  readonly initiator2: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Always null in the published format. */
  readonly poolCreatorContract: Maybe<Scalars['Address']['output']>;
  /** The asset that was paid. */
  readonly providedAsset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The first asset: address of the Jetton master; null for TON. */
  readonly asset1: Maybe<Scalars['Address']['output']>;
  /** The second asset: address of the Jetton master; null for TON. */
  readonly asset2: Maybe<Scalars['Address']['output']>;
  /** Amount of the first asset, in its smallest unit. */
  readonly amount1: Maybe<Scalars['BigInt']['output']>;
  /** Amount of the second asset, in its smallest unit. */
  readonly amount2: Maybe<Scalars['BigInt']['output']>;
  /** LP tokens minted for the depositor, in their smallest unit. */
  readonly lpTokensMinted: Maybe<Scalars['BigInt']['output']>;
};

/** The first of the two deposits that create a pool of swap.coffee. */
export type CoffeeCreatePoolCreatorDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The account that receives the share. */
  readonly depositRecipient: Maybe<Scalars['Address']['output']>;
  /** The contract that creates the pool. */
  readonly poolCreatorContract: Maybe<Scalars['Address']['output']>;
  /** Always null in the published format: asset1 is the asset that was paid. */
  readonly providedAsset: Maybe<Scalars['Address']['output']>;
  /** The first asset: address of the Jetton master; null for TON. */
  readonly asset1: Maybe<Scalars['Address']['output']>;
  /** The second asset: address of the Jetton master; null for TON. */
  readonly asset2: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The creation of a vault of swap.coffee. */
export type CoffeeCreateVaultDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The vault. */
  readonly vault: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Value of the message, in nanotons. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
};

/** The return of the locked funds after a failed swap; it has no details. */
export type CoffeeMevProtectFailedSwapDetails = {
  /** States that this type has no details. */
  readonly error: Scalars['String']['output'];
};

/** The lock of a swap's funds in a contract of swap.coffee that protects against front-running. */
export type CoffeeMevProtectHoldFundsDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The contract that holds the funds. */
  readonly mevContract: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the contract that holds the funds. */
  readonly mevContractJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The payment of the rewards of a stake in swap.coffee. */
export type CoffeeStakingClaimRewardsDetails = {
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the pool. */
  readonly poolJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The account that receives the asset. */
  readonly recipient: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the recipient. */
  readonly recipientJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A deposit into a staking pool of swap.coffee, which mints an NFT item for it. */
export type CoffeeStakingDepositDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the pool. */
  readonly poolJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The NFT item that represents the stake. */
  readonly mintedItemAddress: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item that represents the stake. */
  readonly mintedItemIndex: Maybe<Scalars['BigInt']['output']>;
};

/** The withdrawal of a stake from swap.coffee in return for its NFT item. */
export type CoffeeStakingWithdrawDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the pool. */
  readonly poolJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The NFT item. */
  readonly nftAddress: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item. */
  readonly nftIndex: Maybe<Scalars['BigInt']['output']>;
  /** Points earned. */
  readonly points: Maybe<Scalars['BigInt']['output']>;
};

/** A message that deployed a contract on the receiving account. */
export type ContractDeployDetails = {
  /** First 32 bits of the message body; null when the body is shorter. */
  readonly opcode: Maybe<Scalars['Opcode']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Value of the message, in nanotons. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
};

/** The transfer of a domain to the winner of its auction. */
export type DnsPurchaseDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The new owner. */
  readonly newOwner: Maybe<Scalars['Address']['output']>;
  /** Price in nanotons. */
  readonly price: Maybe<Scalars['BigInt']['output']>;
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Amount paid to the seller, in nanotons. */
  readonly payoutAmount: Maybe<Scalars['BigInt']['output']>;
};

/** The start of an auction of a domain that was not renewed. */
export type DnsReleaseDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** Value of the message, in nanotons. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
};

/** A claim of the fees that a position in a pool of DeDust v2 has earned. */
export type DedustV2ClaimFeesDetails = {
  /** Name of the exchange. */
  readonly dex: Maybe<Scalars['String']['output']>;
  /** Amount of the first asset, in its smallest unit. */
  readonly amount1: Maybe<Scalars['BigInt']['output']>;
  /** Amount of the second asset, in its smallest unit. */
  readonly amount2: Maybe<Scalars['BigInt']['output']>;
  /** The first asset: address of the Jetton master; null for TON, and when it was not paid. */
  readonly asset1: Maybe<Scalars['Address']['output']>;
  /** The second asset: address of the Jetton master; null for TON, and when it was not paid. */
  readonly asset2: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the first Jetton. */
  readonly userJettonWallet1: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the second Jetton. */
  readonly userJettonWallet2: Maybe<Scalars['Address']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The contract with the liquidity of the owner. */
  readonly position: Maybe<Scalars['Address']['output']>;
};

/** A claim of a reward that a position in a pool of DeDust v2 has earned. */
export type DedustV2ClaimRewardDetails = {
  /** Name of the exchange. */
  readonly dex: Maybe<Scalars['String']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON, and when nothing was paid. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the user. */
  readonly userJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The contract with the liquidity of the owner. */
  readonly position: Maybe<Scalars['Address']['output']>;
};

/** The removal of a DNS record of a domain. */
export type DeleteDnsDetails = {
  /** Key of the record, in hexadecimal. */
  readonly hash: Maybe<Scalars['String']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
};

/** A deposit of liquidity into a pool. Ticks and the NFT item belong to pools of concentrated liquidity. */
export type DexDepositLiquidityDetails = {
  /** Name of the exchange. */
  readonly dex: Maybe<Scalars['String']['output']>;
  /** Amount of the first asset, in its smallest unit. */
  readonly amount1: Maybe<Scalars['BigInt']['output']>;
  /** Amount of the second asset, in its smallest unit. */
  readonly amount2: Maybe<Scalars['BigInt']['output']>;
  /** The first asset: address of the Jetton master; null for TON. */
  readonly asset1: Maybe<Scalars['Address']['output']>;
  /** The second asset: address of the Jetton master; null for TON. */
  readonly asset2: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the first Jetton. */
  readonly userJettonWallet1: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the second Jetton. */
  readonly userJettonWallet2: Maybe<Scalars['Address']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The deposit contract for dedust, otherwise the pool. */
  readonly destinationLiquidity: Maybe<Scalars['Address']['output']>;
  /** LP tokens minted for the depositor, in their smallest unit. */
  readonly lpTokensMinted: Maybe<Scalars['BigInt']['output']>;
  /** First asset of the pool. */
  readonly targetAsset1: Maybe<Scalars['Address']['output']>;
  /** Second asset of the pool. */
  readonly targetAsset2: Maybe<Scalars['Address']['output']>;
  /** Intended amount of the first asset, in its smallest unit. */
  readonly targetAmount1: Maybe<Scalars['BigInt']['output']>;
  /** Intended amount of the second asset, in its smallest unit. */
  readonly targetAmount2: Maybe<Scalars['BigInt']['output']>;
  /** Assets returned because the pool did not need them. */
  readonly vaultExcesses: ReadonlyArray<VaultExcess>;
  /** Lower tick of the price range. */
  readonly tickLower: Maybe<Scalars['BigInt']['output']>;
  /** Upper tick of the price range. */
  readonly tickUpper: Maybe<Scalars['BigInt']['output']>;
  /** Index of the NFT item. */
  readonly nftIndex: Maybe<Scalars['BigInt']['output']>;
  /** The NFT item. */
  readonly nftAddress: Maybe<Scalars['Address']['output']>;
};

/** The part of a deposit that the pool did not need and returned. */
export type VaultExcess = {
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A withdrawal of liquidity from a pool. Ticks and the NFT item belong to pools of concentrated liquidity. */
export type DexWithdrawLiquidityDetails = {
  /** Name of the exchange. */
  readonly dex: Maybe<Scalars['String']['output']>;
  /** Amount of the first asset, in its smallest unit. */
  readonly amount1: Maybe<Scalars['BigInt']['output']>;
  /** Amount of the second asset, in its smallest unit. */
  readonly amount2: Maybe<Scalars['BigInt']['output']>;
  /** The first asset: address of the Jetton master; null for TON. */
  readonly asset1: Maybe<Scalars['Address']['output']>;
  /** The second asset: address of the Jetton master; null for TON. */
  readonly asset2: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the first Jetton. */
  readonly userJettonWallet1: Maybe<Scalars['Address']['output']>;
  /** The user's wallet of the second Jetton. */
  readonly userJettonWallet2: Maybe<Scalars['Address']['output']>;
  /** LP tokens burned, in their smallest unit. */
  readonly lpTokensBurnt: Maybe<Scalars['BigInt']['output']>;
  /** Always null in the published format. */
  readonly isRefund: Maybe<Scalars['Boolean']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The contract that received the deposit. */
  readonly destinationLiquidity: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item that represented the share and was burned. */
  readonly burntNftIndex: Maybe<Scalars['BigInt']['output']>;
  /** The NFT item that represented the share and was burned. */
  readonly burntNftAddress: Maybe<Scalars['Address']['output']>;
  /** Lower tick of the price range. */
  readonly tickLower: Maybe<Scalars['BigInt']['output']>;
  /** Upper tick of the price range. */
  readonly tickUpper: Maybe<Scalars['BigInt']['output']>;
};

/** A validator's stake for the next validation round. */
export type ElectionDepositDetails = {
  /** The account that owns the stake. */
  readonly stakeHolder: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The return of a validator's stake from the elector. */
export type ElectionRecoverDetails = {
  /** The account that owns the stake. */
  readonly stakeHolder: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The payment of another account's debt in EVAA in return for collateral. */
export type EvaaLiquidateDetails = {
  /** Reason of the failure; null after success. */
  readonly failReason: Maybe<Scalars['String']['output']>;
  /** Amount of the debt that was paid, in the smallest unit of its asset. */
  readonly debtAmount: Maybe<Scalars['BigInt']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The account whose debt was paid. */
  readonly borrower: Maybe<Scalars['Address']['output']>;
  /** The borrower's contract in the protocol. */
  readonly borrowerContract: Maybe<Scalars['Address']['output']>;
  /** Identifier of the collateral in the protocol, in decimal. */
  readonly collateral: Maybe<Scalars['String']['output']>;
  /** Identifier of the asset in the protocol: 0x and hexadecimal digits. */
  readonly assetId: Maybe<Scalars['String']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Whether the asset identifier is in the list of mainnet assets. */
  readonly isKnownAsset: Scalars['Boolean']['output'];
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A supply of an asset to the EVAA lending protocol. */
export type EvaaSupplyDetails = {
  /** Jetton wallet of the sender. */
  readonly senderJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the recipient. */
  readonly recipientJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the main contract. */
  readonly masterJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The main contract of the protocol. */
  readonly master: Maybe<Scalars['Address']['output']>;
  /** Identifier of the asset in the protocol: 0x and hexadecimal digits. */
  readonly assetId: Maybe<Scalars['String']['output']>;
  /** Whether the asset is TON. */
  readonly isTon: Maybe<Scalars['Boolean']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceWallet: Maybe<Scalars['Address']['output']>;
  /** The account that receives the asset. */
  readonly recipient: Maybe<Scalars['Address']['output']>;
  /** The recipient's contract in the protocol. */
  readonly recipientContract: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A withdrawal of a supplied asset from EVAA, or a loan from it. */
export type EvaaWithdrawDetails = {
  /** Jetton wallet of the recipient. */
  readonly recipientJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the main contract. */
  readonly masterJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The main contract of the protocol. */
  readonly master: Maybe<Scalars['Address']['output']>;
  /** Reason of the failure; null after success. */
  readonly failReason: Maybe<Scalars['String']['output']>;
  /** Identifier of the asset in the protocol: 0x and hexadecimal digits. */
  readonly assetId: Maybe<Scalars['String']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The account that receives the asset. */
  readonly recipient: Maybe<Scalars['Address']['output']>;
  /** The owner's contract in the protocol. */
  readonly ownerContract: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A request of a wallet's owner that a relayer delivered and paid the gas for. The actions of the request are beside it. */
export type GaslessRequestDetails = {
  /** The relayer. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The wallet. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Nanotons that the relayer attached. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
};

/** The payment of the rewards of a stake in JVault. */
export type JVaultClaimDetails = {
  /** The rewards that were paid. */
  readonly claimedRewards: ReadonlyArray<JettonAmount>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The stake wallet: the contract of one stake. */
  readonly stakeWallet: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
};

/** An amount of one Jetton. */
export type JettonAmount = {
  /** Address of the Jetton master. */
  readonly jetton: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A deposit into a staking pool of JVault. */
export type JVaultStakeDetails = {
  /** Lock period, in seconds. */
  readonly period: Maybe<Scalars['BigInt']['output']>;
  /** Always null in the published format. */
  readonly mintedStakeJettons: Maybe<Scalars['BigInt']['output']>;
  /** The stake wallet: the contract of one stake. */
  readonly stakeWallet: Maybe<Scalars['Address']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The withdrawal of a stake from JVault. */
export type JVaultUnstakeDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The stake wallet: the contract of one stake. */
  readonly stakeWallet: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Exit code of the TVM. */
  readonly exitCode: Maybe<Scalars['Int']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The Jetton that represents the stake. */
  readonly stakingAsset: Maybe<Scalars['Address']['output']>;
};

/** A request to withdraw a stake from JVault. */
export type JVaultUnstakeRequestDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The stake wallet: the contract of one stake. */
  readonly stakeWallet: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Exit code of a rejected request. */
  readonly exitCode: Maybe<Scalars['Int']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The Jetton that represents the stake. */
  readonly stakingAsset: Maybe<Scalars['Address']['output']>;
};

/** A burn of Jettons by their owner. */
export type JettonBurnDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the owner. */
  readonly ownerJettonWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A mint of Jettons for an owner. */
export type JettonMintDetails = {
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The new owner. */
  readonly receiver: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the new owner; null when the transfer did not reach it. */
  readonly receiverJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Nanotons sent with the Jettons. */
  readonly tonAmount: Maybe<Scalars['BigInt']['output']>;
};

/** A swap of one asset for another on a decentralized exchange. */
export type JettonSwapDetails = {
  /** Name of the exchange. */
  readonly dex: Maybe<Scalars['String']['output']>;
  /** The sender. */
  readonly sender: Maybe<Scalars['Address']['output']>;
  /** The asset paid in: address of the Jetton master; null for TON. */
  readonly assetIn: Maybe<Scalars['Address']['output']>;
  /** The asset paid out: address of the Jetton master; null for TON. */
  readonly assetOut: Maybe<Scalars['Address']['output']>;
  /** The transfer to the exchange. */
  readonly dexIncomingTransfer: DexTransfer;
  /** The transfer from the exchange. */
  readonly dexOutgoingTransfer: DexTransfer;
  /** The hops of the swap; empty when there was only one. */
  readonly peerSwaps: ReadonlyArray<PeerSwap>;
  /** For tonco only: the amount paid out, or the requested minimum of a failed swap. */
  readonly minOutAmount: Maybe<Scalars['BigInt']['output']>;
};

/** A transfer to or from an exchange. */
export type DexTransfer = {
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the receiving account. */
  readonly destinationJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** One hop of a swap. */
export type PeerSwap = {
  /** The asset paid in: address of the Jetton master; null for TON. */
  readonly assetIn: Maybe<Scalars['Address']['output']>;
  /** Amount paid into the pool, in the smallest unit of the asset. */
  readonly amountIn: Maybe<Scalars['BigInt']['output']>;
  /** The asset paid out: address of the Jetton master; null for TON. */
  readonly assetOut: Maybe<Scalars['Address']['output']>;
  /** Amount paid out by the pool, in the smallest unit of the asset. */
  readonly amountOut: Maybe<Scalars['BigInt']['output']>;
};

/** A transfer of Jettons between owners. */
export type JettonTransferDetails = {
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** The sender. */
  readonly sender: Maybe<Scalars['Address']['output']>;
  /** The new owner. */
  readonly receiver: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sender. */
  readonly senderJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the new owner; null when the transfer did not reach it. */
  readonly receiverJettonWallet: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The comment: text, or base64 of the bytes of an encrypted comment. */
  readonly comment: Maybe<Scalars['String']['output']>;
  /** Whether the comment is encrypted. */
  readonly isEncryptedComment: Maybe<Scalars['Boolean']['output']>;
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the excess coins. */
  readonly responseDestination: Maybe<Scalars['Address']['output']>;
  /** Payload for the Jetton wallet or NFT item itself. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Payload forwarded to the new owner. */
  readonly forwardPayload: Maybe<Scalars['Boc']['output']>;
  /** Nanotons forwarded to the new owner. */
  readonly forwardAmount: Maybe<Scalars['BigInt']['output']>;
};

/** The commit of a verified LayerZero message from another chain. */
export type LayerZeroCommitPacketDetails = {
  /** The sender. */
  readonly sender: Maybe<Scalars['Address']['output']>;
  /** The endpoint contract. */
  readonly endpoint: Maybe<Scalars['Address']['output']>;
  /** The ultra light node contract. */
  readonly uln: Maybe<Scalars['Address']['output']>;
  /** The connection to the ultra light node. */
  readonly ulnConnection: Maybe<Scalars['Address']['output']>;
  /** The channel contract. */
  readonly channel: Maybe<Scalars['Address']['output']>;
  /** The connection to the message library. */
  readonly msglibConnection: Maybe<Scalars['Address']['output']>;
  /** The LayerZero message. */
  readonly layerzeroPacketData: LzPacket;
};

/** A LayerZero message between chains. Texts are 0x and hexadecimal digits. */
export type LzPacket = {
  /** The sending application. */
  readonly srcOapp: Maybe<Scalars['String']['output']>;
  /** The receiving application. */
  readonly dstOapp: Maybe<Scalars['String']['output']>;
  /** LayerZero endpoint id of the source chain. */
  readonly srcEid: Maybe<Scalars['UInt32']['output']>;
  /** LayerZero endpoint id of the destination chain. */
  readonly dstEid: Maybe<Scalars['UInt32']['output']>;
  /** Sequence number of the message. */
  readonly nonce: Maybe<Scalars['BigInt']['output']>;
  /** Identifier of the message. */
  readonly guid: Maybe<Scalars['String']['output']>;
  /** Body of the message: 0x and hexadecimal digits. */
  readonly message: Maybe<Scalars['String']['output']>;
};

/** The verification of a LayerZero message by one decentralized verifier network (DVN). */
export type LayerZeroDvnVerifyDetails = {
  /** The account that started the operation. */
  readonly initiator: Maybe<Scalars['Address']['output']>;
  /** Sequence number of the message. */
  readonly nonce: Maybe<Scalars['BigInt']['output']>;
  /** Status of the verification. */
  readonly status: Maybe<Scalars['String']['output']>;
  /** Contract of the decentralized verifier network. */
  readonly dvn: Maybe<Scalars['Address']['output']>;
  /** The proxy contract. */
  readonly proxy: Maybe<Scalars['Address']['output']>;
  /** The ultra light node contract. */
  readonly uln: Maybe<Scalars['Address']['output']>;
  /** The connection to the ultra light node. */
  readonly ulnConnection: Maybe<Scalars['Address']['output']>;
};

/** The delivery of a LayerZero message from another chain. */
export type LayerZeroReceiveDetails = {
  /** The sender. */
  readonly sender: Maybe<Scalars['Address']['output']>;
  /** Contract of the application. */
  readonly oapp: Maybe<Scalars['Address']['output']>;
  /** The channel contract. */
  readonly channel: Maybe<Scalars['Address']['output']>;
  /** The LayerZero message. */
  readonly layerzeroPacketData: LzPacket;
};

/** A LayerZero message to another chain. */
export type LayerZeroSendDetails = {
  /** The account that started the operation. */
  readonly initiator: Maybe<Scalars['Address']['output']>;
  /** Parameters of the sending. */
  readonly layerzeroSendData: LzSend;
  /** The LayerZero message. */
  readonly layerzeroPacketData: LzPacket;
};

/** The set of parameters with which a message was sent to another chain. Fees are in nanotons. */
export type LzSend = {
  /** Identifier of the send request. */
  readonly sendRequestId: Maybe<Scalars['BigInt']['output']>;
  /** The manager of message libraries. */
  readonly msglibManager: Maybe<Scalars['String']['output']>;
  /** The message library. */
  readonly msglib: Maybe<Scalars['String']['output']>;
  /** The ultra light node contract. */
  readonly uln: Maybe<Scalars['Address']['output']>;
  /** Fee in nanotons. */
  readonly nativeFee: Maybe<Scalars['BigInt']['output']>;
  /** Fee in ZRO. */
  readonly zroFee: Maybe<Scalars['BigInt']['output']>;
  /** The endpoint contract. */
  readonly endpoint: Maybe<Scalars['Address']['output']>;
  /** The channel contract. */
  readonly channel: Maybe<Scalars['Address']['output']>;
};

/** A transfer of Jettons to another chain over LayerZero. */
export type LayerZeroSendTokensDetails = {
  /** The sender. */
  readonly sender: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sender. */
  readonly senderWallet: Maybe<Scalars['Address']['output']>;
  /** Contract of the application. */
  readonly oapp: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the application. */
  readonly oappWallet: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Parameters of the sending. */
  readonly layerzeroSendData: LzSend;
  /** The LayerZero message. */
  readonly layerzeroPacketData: LzPacket;
};

/** An approval of an order by a signer. */
export type MultisigApproveDetails = {
  /** Index of the signer; -1 when the approval was sent as a comment. */
  readonly signerIndex: Maybe<Scalars['Int']['output']>;
  /** Exit code of the TVM. */
  readonly exitCode: Maybe<Scalars['Int']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The creation of an order: actions proposed to the signers of a multisig wallet. */
export type MultisigCreateOrderDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Sequence number of the order. */
  readonly orderSeqno: Maybe<Scalars['BigInt']['output']>;
  /** Whether the creator of the order is a signer. */
  readonly isCreatedBySigner: Maybe<Scalars['Boolean']['output']>;
  /** Whether the creator signed the order when creating it. */
  readonly isSignedByCreator: Maybe<Scalars['Boolean']['output']>;
  /** Index of the creator in the list of signers, or in that of proposers. */
  readonly creatorIndex: Maybe<Scalars['Int']['output']>;
  /** Unix time after which the order can no longer be executed. */
  readonly expirationDate: Maybe<Scalars['BigInt']['output']>;
  /** The order as a bag of cells: the actions to execute. */
  readonly orderBoc: Maybe<Scalars['Boc']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** The order contract. */
  readonly destinationOrder: Maybe<Scalars['Address']['output']>;
};

/** The execution of an order that has enough approvals. */
export type MultisigExecuteDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Sequence number of the order. */
  readonly orderSeqno: Maybe<Scalars['BigInt']['output']>;
  /** Unix time after which the order can no longer be executed. */
  readonly expirationDate: Maybe<Scalars['BigInt']['output']>;
  /** Number of approvals. */
  readonly approvalsNum: Maybe<Scalars['Int']['output']>;
  /** Hash of the list of signers. */
  readonly signersHash: Maybe<Scalars['Hash']['output']>;
  /** The order as a bag of cells: the actions to execute. */
  readonly orderBoc: Maybe<Scalars['Boc']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
};

/** The cancellation of an auction by the owner. */
export type NftCancelAuctionDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** The cancellation of an offer. */
export type NftCancelSaleDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The sale contract. */
  readonly saleAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** A request for the static data of an NFT item. */
export type NftDiscoveryDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
};

/** The transfer of an NFT item to the highest bidder at the end of an auction. */
export type NftFinishAuctionDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** The mint of an NFT item. */
export type NftMintDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
};

/** The sale of an NFT item: its transfer and the payment of the seller. */
export type NftPurchaseDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The previous owner. */
  readonly oldOwner: Maybe<Scalars['Address']['output']>;
  /** The new owner. */
  readonly newOwner: Maybe<Scalars['Address']['output']>;
  /** Whether the item was sold. */
  readonly isPurchase: Maybe<Scalars['Boolean']['output']>;
  /** Price in nanotons. */
  readonly price: Maybe<Scalars['BigInt']['output']>;
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the excess coins. */
  readonly responseDestination: Maybe<Scalars['Address']['output']>;
  /** Payload for the Jetton wallet or NFT item itself. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Payload forwarded to the new owner. */
  readonly forwardPayload: Maybe<Scalars['Boc']['output']>;
  /** Nanotons forwarded to the new owner. */
  readonly forwardAmount: Maybe<Scalars['BigInt']['output']>;
  /** The comment: text, or base64 of the bytes of an encrypted comment. */
  readonly comment: Maybe<Scalars['String']['output']>;
  /** Whether the comment is encrypted. */
  readonly isEncryptedComment: Maybe<Scalars['Boolean']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
  /** The seller. */
  readonly realOldOwner: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Amount paid to the seller, in nanotons. */
  readonly payoutAmount: Maybe<Scalars['BigInt']['output']>;
  /** The account that was paid. */
  readonly payoutAddress: Maybe<Scalars['Address']['output']>;
  /** Comment of the payment to the seller. */
  readonly payoutComment: Maybe<Scalars['String']['output']>;
  /** Whether the comment is encrypted. */
  readonly payoutCommentEncrypted: Maybe<Scalars['Boolean']['output']>;
  /** Whether the comment is base64 of bytes that are not text. */
  readonly payoutCommentEncoded: Maybe<Scalars['Boolean']['output']>;
  /** Royalty in nanotons. */
  readonly royaltyAmount: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
};

/** The start of an auction of an NFT item. */
export type NftPutOnAuctionDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The contract that received the item in order to list it. */
  readonly listingAddress: Maybe<Scalars['Address']['output']>;
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Numerator of the marketplace's share. */
  readonly marketplaceFeeFactor: Maybe<Scalars['BigInt']['output']>;
  /** Denominator of the marketplace's share. */
  readonly marketplaceFeeBase: Maybe<Scalars['BigInt']['output']>;
  /** Denominator of the royalty's share. */
  readonly royaltyFeeBase: Maybe<Scalars['BigInt']['output']>;
  /** Bid that ends the auction at once, in nanotons. */
  readonly maxBid: Maybe<Scalars['BigInt']['output']>;
  /** Minimum bid, in nanotons. */
  readonly minBid: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the fee of the marketplace. */
  readonly marketplaceFeeAddress: Maybe<Scalars['Address']['output']>;
  /** The account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** The offer of an NFT item at a fixed price. */
export type NftPutOnSaleDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The contract that received the item in order to list it. */
  readonly listingAddress: Maybe<Scalars['Address']['output']>;
  /** The sale contract. */
  readonly saleAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Price in nanotons, including fees. */
  readonly fullPrice: Maybe<Scalars['BigInt']['output']>;
  /** Fee of the marketplace, in nanotons. */
  readonly marketplaceFee: Maybe<Scalars['BigInt']['output']>;
  /** Royalty in nanotons. */
  readonly royaltyAmount: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the fee of the marketplace. */
  readonly marketplaceFeeAddress: Maybe<Scalars['Address']['output']>;
  /** The account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** The transfer of an NFT item to another owner. */
export type NftTransferDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The previous owner. */
  readonly oldOwner: Maybe<Scalars['Address']['output']>;
  /** The new owner. */
  readonly newOwner: Maybe<Scalars['Address']['output']>;
  /** Whether the item was sold. */
  readonly isPurchase: Maybe<Scalars['Boolean']['output']>;
  /** Price in nanotons. */
  readonly price: Maybe<Scalars['BigInt']['output']>;
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the excess coins. */
  readonly responseDestination: Maybe<Scalars['Address']['output']>;
  /** Payload for the Jetton wallet or NFT item itself. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Payload forwarded to the new owner. */
  readonly forwardPayload: Maybe<Scalars['Boc']['output']>;
  /** Nanotons forwarded to the new owner. */
  readonly forwardAmount: Maybe<Scalars['BigInt']['output']>;
  /** The comment in the forward payload: text, or base64 of the bytes of an encrypted comment. */
  readonly comment: Maybe<Scalars['String']['output']>;
  /** Whether the comment in the forward payload is encrypted. */
  readonly isEncryptedComment: Maybe<Scalars['Boolean']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
  /** The seller: the owner before the item was transferred to the sale contract. */
  readonly realOldOwner: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Amount paid to the seller, in nanotons. */
  readonly payoutAmount: Maybe<Scalars['BigInt']['output']>;
  /** The account that was paid. */
  readonly payoutAddress: Maybe<Scalars['Address']['output']>;
  /** Comment of the payment to the seller. */
  readonly payoutComment: Maybe<Scalars['String']['output']>;
  /** Whether the comment is encrypted. */
  readonly payoutCommentEncrypted: Maybe<Scalars['Boolean']['output']>;
  /** Whether the comment is base64 of bytes that are not text. */
  readonly payoutCommentEncoded: Maybe<Scalars['Boolean']['output']>;
  /** Royalty in nanotons. */
  readonly royaltyAmount: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
};

/** A change of the price of an offered NFT item. */
export type NftUpdateSaleDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The sale contract. */
  readonly saleContract: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
  /** Price in nanotons, including fees. */
  readonly fullPrice: Maybe<Scalars['BigInt']['output']>;
  /** Fee of the marketplace, in nanotons. */
  readonly marketplaceFee: Maybe<Scalars['BigInt']['output']>;
  /** Royalty in nanotons. */
  readonly royaltyAmount: Maybe<Scalars['BigInt']['output']>;
};

/** The renewal of a domain for another year. */
export type RenewDnsDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
};

/** A deposit into a staking pool. */
export type StakeDepositDetails = {
  /** Staking provider that runs the pool. */
  readonly provider: Maybe<Scalars['String']['output']>;
  /** The account that owns the stake. */
  readonly stakeHolder: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Tokens minted for the stake, in their smallest unit. */
  readonly tokensMinted: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** For ethena only: the asset that was paid. */
  readonly sourceAsset: Maybe<Scalars['Address']['output']>;
};

/** The payment of a withdrawn stake. */
export type StakeWithdrawalDetails = {
  /** Staking provider that runs the pool. */
  readonly provider: Maybe<Scalars['String']['output']>;
  /** The account that owns the stake. */
  readonly stakeHolder: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The NFT item that represents the right to a later payment. */
  readonly payoutNft: Maybe<Scalars['Address']['output']>;
  /** Tokens burned for the stake, in their smallest unit. */
  readonly tokensBurnt: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
};

/** A request to withdraw a stake later. */
export type StakeWithdrawalRequestDetails = {
  /** Staking provider that runs the pool. */
  readonly provider: Maybe<Scalars['String']['output']>;
  /** The account that owns the stake. */
  readonly stakeHolder: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The NFT item that represents the right to a later payment. */
  readonly payoutNft: Maybe<Scalars['Address']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** For hipo only, otherwise null: the burned tokens. */
  readonly tokensBurnt: Maybe<Scalars['BigInt']['output']>;
  /** For ethena only: tokens minted for the request. */
  readonly tokensMinted: Maybe<Scalars['BigInt']['output']>;
};

/** The installation of a wallet plugin that collects a regular payment. */
export type SubscribeDetails = {
  /** The account that pays. */
  readonly subscriber: Maybe<Scalars['Address']['output']>;
  /** The account that receives the payments. */
  readonly beneficiary: Maybe<Scalars['Address']['output']>;
  /** The subscription contract, a plugin of the wallet. */
  readonly subscription: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** The cancellation of an auction of a Telegram user name or number. */
export type TeleitemCancelAuctionDetails = {
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** The start of an auction of a Telegram user name or number. */
export type TeleitemStartAuctionDetails = {
  /** Collection of the NFT item; null for an item without a collection. */
  readonly nftCollection: Maybe<Scalars['Address']['output']>;
  /** The NFT item. */
  readonly nftItem: Maybe<Scalars['Address']['output']>;
  /** Index of the NFT item in its collection. */
  readonly nftItemIndex: Maybe<Scalars['BigInt']['output']>;
  /** The owner. */
  readonly owner: Maybe<Scalars['Address']['output']>;
  /** The contract that received the item in order to list it. */
  readonly listingAddress: Maybe<Scalars['Address']['output']>;
  /** Address of the auction contract. */
  readonly auctionAddress: Maybe<Scalars['Address']['output']>;
  /** Account of the marketplace. */
  readonly marketplaceAddress: Maybe<Scalars['Address']['output']>;
  /** Numerator of the marketplace's share. */
  readonly marketplaceFeeFactor: Maybe<Scalars['BigInt']['output']>;
  /** Denominator of the marketplace's share. */
  readonly marketplaceFeeBase: Maybe<Scalars['BigInt']['output']>;
  /** Denominator of the royalty's share. */
  readonly royaltyFeeBase: Maybe<Scalars['BigInt']['output']>;
  /** Bid that ends the auction at once, in nanotons. */
  readonly maxBid: Maybe<Scalars['BigInt']['output']>;
  /** Minimum bid, in nanotons. */
  readonly minBid: Maybe<Scalars['BigInt']['output']>;
  /** The account that receives the fee of the marketplace. */
  readonly marketplaceFeeAddress: Maybe<Scalars['Address']['output']>;
  /** The account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
  /** Name of the marketplace. */
  readonly marketplace: Maybe<Scalars['String']['output']>;
};

/** A burn of tgBTC in return for bitcoins. */
export type TgBtcBurnDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceWallet: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
};

/** A burn of tgBTC recognized by its log only. */
export type TgBtcBurnFallbackDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** Jetton wallet of the sending account. */
  readonly sourceWallet: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
};

/** The log of a distributed key generation (DKG). */
export type TgBtcDkgLogFallbackDetails = {
  /** The coordinator contract. */
  readonly coordinator: Maybe<Scalars['Address']['output']>;
  /** The public key, in hexadecimal. */
  readonly pubkey: Maybe<Scalars['String']['output']>;
  /** Unix time. */
  readonly timestamp: Maybe<Scalars['BigInt']['output']>;
};

/** A mint of tgBTC for deposited bitcoins. */
export type TgBtcMintDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Identifier of the Bitcoin transaction, in hexadecimal. */
  readonly bitcoinTxId: Maybe<Scalars['String']['output']>;
  /** The receiving Jetton wallet. */
  readonly destinationWallet: Maybe<Scalars['Address']['output']>;
};

/** A mint of tgBTC recognized by its log only. */
export type TgBtcMintFallbackDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
  /** Identifier of the Bitcoin transaction, in hexadecimal. */
  readonly bitcoinTxId: Maybe<Scalars['String']['output']>;
  /** The receiving Jetton wallet. */
  readonly destinationWallet: Maybe<Scalars['Address']['output']>;
};

/** A new key of the group that controls the bitcoins. */
export type TgBtcNewKeyDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The public key, in hexadecimal. */
  readonly pubkey: Maybe<Scalars['String']['output']>;
  /** The coordinator contract. */
  readonly coordinator: Maybe<Scalars['Address']['output']>;
  /** Contract of the Bitcoin payment. */
  readonly pegout: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** Always null in the published format. */
  readonly asset: Maybe<Scalars['Address']['output']>;
};

/** A new key recognized by its log only. */
export type TgBtcNewKeyFallbackDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The public key, in hexadecimal. */
  readonly pubkey: Maybe<Scalars['String']['output']>;
  /** The coordinator contract. */
  readonly coordinator: Maybe<Scalars['Address']['output']>;
  /** Contract of the Bitcoin payment. */
  readonly pegout: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
  /** The asset: address of the Jetton master; null for TON. */
  readonly asset: Maybe<Scalars['Address']['output']>;
};

/** A tick or tock transaction: the masterchain runs a special contract without a message. */
export type TickTockDetails = {
  /** Always null. */
  readonly account: Maybe<Scalars['Address']['output']>;
};

/** A transfer of TON, with or without a comment. */
export type TonTransferDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Value of the message, in nanotons. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
  /** Amounts of extra currencies in their smallest units, by currency id. */
  readonly valueExtraCurrencies: Scalars['JSON']['output'];
  /** The comment: text, or base64 of the bytes of an encrypted comment. */
  readonly comment: Maybe<Scalars['String']['output']>;
  /** Whether the comment is encrypted. */
  readonly encrypted: Maybe<Scalars['Boolean']['output']>;
};

/** The deployment of a TONCO pool. */
export type ToncoDeployPoolDetails = {
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The pool. */
  readonly pool: Maybe<Scalars['Address']['output']>;
  /** The router. */
  readonly router: Maybe<Scalars['Address']['output']>;
  /** The router's wallet of the first Jetton. */
  readonly routerJettonWallet1: Maybe<Scalars['Address']['output']>;
  /** The router's wallet of the second Jetton. */
  readonly routerJettonWallet2: Maybe<Scalars['Address']['output']>;
  /** Master of the first Jetton. */
  readonly jettonMinter1: Maybe<Scalars['Address']['output']>;
  /** Master of the second Jetton. */
  readonly jettonMinter2: Maybe<Scalars['Address']['output']>;
  /** Distance between usable ticks. */
  readonly tickSpacing: Maybe<Scalars['BigInt']['output']>;
  /** Square root of the initial price, times 2^96. */
  readonly initialPriceX96: Maybe<Scalars['BigInt']['output']>;
  /** Fee of the protocol. */
  readonly protocolFee: Maybe<Scalars['BigInt']['output']>;
  /** Initial fee for liquidity providers. */
  readonly lpFeeBase: Maybe<Scalars['BigInt']['output']>;
  /** Current fee for liquidity providers. */
  readonly lpFeeCurrent: Maybe<Scalars['BigInt']['output']>;
  /** Whether the pool is active. */
  readonly poolActive: Maybe<Scalars['Boolean']['output']>;
};

/** A trace in which no action was recognized. */
export type UnknownDetails = {
  /** States that this type has no details. */
  readonly error: Scalars['String']['output'];
};

/** The removal of a subscription plugin from a wallet. */
export type UnsubscribeDetails = {
  /** The account that pays. */
  readonly subscriber: Maybe<Scalars['Address']['output']>;
  /** The account that receives the payments. */
  readonly beneficiary: Maybe<Scalars['Address']['output']>;
  /** The subscription contract, a plugin of the wallet. */
  readonly subscription: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** An addition of accounts that a vesting wallet may pay while its coins are locked. */
export type VestingAddWhitelistDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The accounts added to the whitelist of the vesting wallet. */
  readonly accountsAdded: Maybe<ReadonlyArray<Scalars['Address']['output']>>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The vesting wallet. */
  readonly vesting: Maybe<Scalars['Address']['output']>;
};

/** A request to send a message from a vesting wallet. */
export type VestingSendMessageDetails = {
  /** Query id, chosen by the sender of the request. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** The message as a bag of cells. */
  readonly messageBoc: Maybe<Scalars['Boc']['output']>;
  /** The sending account. */
  readonly source: Maybe<Scalars['Address']['output']>;
  /** The vesting wallet. */
  readonly vesting: Maybe<Scalars['Address']['output']>;
  /** The receiving account. */
  readonly destination: Maybe<Scalars['Address']['output']>;
  /** Amount of the asset, in its smallest unit. */
  readonly amount: Maybe<Scalars['BigInt']['output']>;
};

/** A block of the masterchain or of a shard, with the fields of its header. */
export type Block = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Workchain: -1 for the masterchain, 0 for the basechain. */
  readonly workchain: Scalars['Int']['output'];
  /** Shard prefix. */
  readonly shard: Scalars['Shard']['output'];
  /** Sequence number within the shard. */
  readonly seqno: Scalars['UInt32']['output'];
  /** Representation hash of the block's root cell. */
  readonly rootHash: Scalars['Hash']['output'];
  /** SHA-256 of the serialized block. */
  readonly fileHash: Scalars['Hash']['output'];
  /** Seqno of the masterchain block that committed this block; for a masterchain block, its own seqno. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Network id: -239 for mainnet, -3 for testnet. */
  readonly globalId: Scalars['Int']['output'];
  /** Block format version. */
  readonly version: Scalars['UInt32']['output'];
  /** Whether this is the first block after two shards merged. */
  readonly afterMerge: Scalars['Boolean']['output'];
  /** Whether this is the last block before its shard splits. */
  readonly beforeSplit: Scalars['Boolean']['output'];
  /** Whether this is the first block after its parent shard split. */
  readonly afterSplit: Scalars['Boolean']['output'];
  /** Whether the shard requests a merge with its sibling. */
  readonly wantMerge: Scalars['Boolean']['output'];
  /** Whether the shard requests a split. */
  readonly wantSplit: Scalars['Boolean']['output'];
  /** Whether this is a key block, that is, a masterchain block that carries the configuration. */
  readonly keyBlock: Scalars['Boolean']['output'];
  /** Whether the block increments the vertical seqno. */
  readonly vertSeqnoIncr: Scalars['Boolean']['output'];
  /** Flags of the block header. */
  readonly flags: Scalars['UInt32']['output'];
  /** Vertical seqno; 0 unless the network was rolled back. */
  readonly vertSeqno: Scalars['UInt32']['output'];
  /** Time at which the block was generated. */
  readonly genUtime: Scalars['DateTime']['output'];
  /** Smallest logical time in the block. */
  readonly startLt: Scalars['BigInt']['output'];
  /** Largest logical time in the block. */
  readonly endLt: Scalars['BigInt']['output'];
  /** Short hash of the validator list of the session that generated the block. */
  readonly validatorListHashShort: Scalars['UInt32']['output'];
  /** Seqno of the validator session (catchain). */
  readonly genCatchainSeqno: Scalars['UInt32']['output'];
  /** Seqno of the oldest masterchain block that the shard's state refers to. */
  readonly minRefMcSeqno: Scalars['UInt32']['output'];
  /** Seqno of the last key block before this one. */
  readonly prevKeyBlockSeqno: Scalars['UInt32']['output'];
  /** Seqno of the masterchain block that a shard block refers to; null for masterchain blocks. */
  readonly masterRefSeqno: Maybe<Scalars['UInt32']['output']>;
  /** Seed of the random number generator that contracts use. */
  readonly randSeed: Scalars['Hash']['output'];
  /** Public key of the validator that generated the block. */
  readonly createdBy: Scalars['Hash']['output'];
  /** Number of transactions in the block. */
  readonly txCount: Scalars['Int']['output'];
  /** Previous block of the shard; two blocks after a merge. Blocks that are not indexed are left out. */
  readonly parents: ReadonlyArray<Block>;
  /** Masterchain block that committed this block; null when it is not indexed. */
  readonly masterchainBlock: Maybe<Block>;
  /** Shard blocks that a masterchain block committed; empty for shard blocks. */
  readonly shardBlocks: ReadonlyArray<Block>;
  /** Transactions of the block, by logical time and account. */
  readonly transactions: TransactionConnection;
};


/** A block of the masterchain or of a shard, with the fields of its header. */
export type BlockTransactionsArgs = {
  where?: InputMaybe<TransactionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** A page of blocks. */
export type BlockConnection = {
  /** The blocks with their cursors. */
  readonly edges: ReadonlyArray<BlockEdge>;
  /** The blocks alone. */
  readonly nodes: ReadonlyArray<Block>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A block in a page. */
export type BlockEdge = {
  /** Position of this block in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The block. */
  readonly node: Block;
};

/** Identifies one block. Exactly one field must be given. */
export type BlockBy =
  /** Block with this workchain, shard and seqno. */
  { readonly id: BlockIdInput; readonly rootHash?: never; readonly fileHash?: never; readonly mcSeqno?: never; }
  |  /** Block with this root hash. */
  { readonly id?: never; readonly rootHash: Scalars['Hash']['input']; readonly fileHash?: never; readonly mcSeqno?: never; }
  |  /** Block with this file hash. */
  { readonly id?: never; readonly rootHash?: never; readonly fileHash: Scalars['Hash']['input']; readonly mcSeqno?: never; }
  |  /** Masterchain block with this seqno. */
  { readonly id?: never; readonly rootHash?: never; readonly fileHash?: never; readonly mcSeqno: Scalars['UInt32']['input']; };

/** Workchain, shard and seqno of a block. */
export type BlockIdInput = {
  /** Workchain: -1 or 0. */
  readonly workchain: Scalars['Int']['input'];
  /** Shard prefix; the undivided workchain when omitted. */
  readonly shard?: InputMaybe<Scalars['Shard']['input']>;
  /** Sequence number. */
  readonly seqno: Scalars['UInt32']['input'];
};

/** Filter for blocks. All given fields must match. Ranges include both ends. */
export type BlockWhere = {
  /** Of this workchain. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** Of this shard; requires `workchain`. */
  readonly shard?: InputMaybe<Scalars['Shard']['input']>;
  /** true: only key blocks; false: only other blocks. */
  readonly keyBlock?: InputMaybe<Scalars['Boolean']['input']>;
  /** Committed by this masterchain block, which is included. */
  readonly mcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  /** Generated at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Generated at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Prices in a currency of states. */
export type FiatRates = {
  /** Code of the currency, such as USD. */
  readonly currency: Scalars['String']['output'];
  /** Time at which the source was written. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** Price of one TON in decimal digits; null when the source has none. */
  readonly ton: Maybe<Scalars['String']['output']>;
  /** Prices of Jettons, ascending by address. */
  readonly tokens: ReadonlyArray<FiatRate>;
};

/** The price of a Jetton. */
export type FiatRate = {
  /** The Jetton master. */
  readonly account: Account;
  /** Price of one token in decimal digits. */
  readonly price: Scalars['String']['output'];
};

/** Sums per day. The indexer computes them some time after a block is indexed. */
export type NetworkDays = {
  /** The days. */
  readonly days: ReadonlyArray<NetworkDay>;
  /** Every indexed transaction after this time and before `completeUntil` is part of the sums; null while there are no sums. */
  readonly completeFrom: Maybe<Scalars['DateTime']['output']>;
  /** End of the time in which every transaction is part of the sums; null while there are no sums. */
  readonly completeUntil: Maybe<Scalars['DateTime']['output']>;
};

/** Sums of one day. */
export type NetworkDay = {
  /** Time at which the day begins. */
  readonly date: Scalars['DateTime']['output'];
  /** Whether all transactions of the day are part of its sums. Otherwise the sums are those of the transactions so far. */
  readonly complete: Scalars['Boolean']['output'];
  /** Number of transactions. */
  readonly transactions: Scalars['BigInt']['output'];
  /** Fees of these transactions, in nanotons. */
  readonly fees: Scalars['BigInt']['output'];
  /** Number of accounts with a transaction on the day; null until the day is complete and counted. */
  readonly activeAccounts: Maybe<Scalars['BigInt']['output']>;
};

/** Sums of a Jetton per day. */
export type JettonDays = {
  /** The days, without those that are not complete. */
  readonly days: ReadonlyArray<JettonDay>;
  /** End of the last complete day; null without one. */
  readonly completeUntil: Maybe<Scalars['DateTime']['output']>;
};

/** Sums of a Jetton on one day. */
export type JettonDay = {
  /** Time at which the day begins. */
  readonly date: Scalars['DateTime']['output'];
  /** Number of executed transfers. */
  readonly transfers: Scalars['BigInt']['output'];
  /** Sum of the amounts of these transfers, in the Jetton's smallest unit. */
  readonly amount: Scalars['BigInt']['output'];
  /** Number of indexed Jetton wallets with a balance at the end of the day; null while an earlier day is not counted. An index that begins later than the Jetton has fewer wallets. */
  readonly holders: Maybe<Scalars['BigInt']['output']>;
  /** Sum of the balances of these Jetton wallets, in the Jetton's smallest unit; null while an earlier day is not counted. */
  readonly supply: Maybe<Scalars['BigInt']['output']>;
};

/** The accounts with which an account exchanged most messages. */
export type Counterparties = {
  /** The accounts, most messages first. */
  readonly accounts: ReadonlyArray<Counterparty>;
  /** All messages after this time are counted; null when all messages are. */
  readonly completeFrom: Maybe<Scalars['DateTime']['output']>;
  /** Time of the newest indexed masterchain block; null while the index is empty. */
  readonly completeUntil: Maybe<Scalars['DateTime']['output']>;
};

/** An account with which another one exchanged messages. */
export type Counterparty = {
  /** The account. */
  readonly account: Account;
  /** Number of internal messages that it sent to the other account. */
  readonly received: Scalars['Int']['output'];
  /** Number of internal messages that it received from the other account. */
  readonly sent: Scalars['Int']['output'];
  /** Sum of the values that it sent to the other account, in nanotons. */
  readonly receivedValue: Scalars['BigInt']['output'];
  /** Sum of the values that it received from the other account, in nanotons. */
  readonly sentValue: Scalars['BigInt']['output'];
};

/** Configuration of the network at a masterchain block. */
export type Config = {
  /** Seqno of the masterchain block. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Parameters by index, ascending. Parameters that are not set are left out. */
  readonly params: ReadonlyArray<ConfigParam>;
};


/** Configuration of the network at a masterchain block. */
export type ConfigParamsArgs = {
  indexes?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};

/** One parameter of the network configuration. */
export type ConfigParam = {
  /** Index of the parameter. */
  readonly index: Scalars['Int']['output'];
  /** Value of the parameter. */
  readonly value: Scalars['Boc']['output'];
};

/** A domain, which is an NFT item, with its DNS records (TEP-81). */
export type DnsRecord = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Full domain name, including the zone. */
  readonly domain: Scalars['String']['output'];
  /** Account of the NFT item. */
  readonly account: Account;
  /** The NFT item; null when the newest state of that account is not an NFT item. */
  readonly item: Maybe<NftItem>;
  /** Owner of the domain; null when nobody owns it. */
  readonly owner: Maybe<Account>;
  /** Account that the domain resolves to (record `wallet`); null when the record is not set. */
  readonly wallet: Maybe<Account>;
  /** Contract that resolves subdomains; null when there is none. */
  readonly nextResolver: Maybe<Account>;
  /** ADNL address of a site (record `site`); null when the record is not set. */
  readonly siteAdnl: Maybe<Scalars['Hash']['output']>;
  /** Id of a bag in TON Storage (record `storage`); null when the record is not set. */
  readonly storageBag: Maybe<Scalars['Hash']['output']>;
  /** Text record; null when it is not set. */
  readonly text: Maybe<Scalars['String']['output']>;
  /** Time of the last renewal; null when the zone does not charge for renewals. */
  readonly renewedAt: Maybe<Scalars['DateTime']['output']>;
  /** Expiry time, after which anybody may put the domain up for auction; null when it is unknown. */
  readonly expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether `expiresAt` has passed at the newest indexed block; null when it is unknown. */
  readonly expired: Maybe<Scalars['Boolean']['output']>;
  /** The auction of the domain; null when there is none, or its winner has claimed the domain. */
  readonly auction: Maybe<DnsAuction>;
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};

/** The auction of a domain that nobody owns: open, or ended and not claimed by its winner. */
export type DnsAuction = {
  /** Full domain name, including the zone. */
  readonly domain: Scalars['String']['output'];
  /** The NFT item of the domain; null when the newest state of that account is not an NFT item. */
  readonly item: Maybe<NftItem>;
  /** Account that bid most. */
  readonly bidder: Account;
  /** Highest bid, in nanotons. */
  readonly bid: Scalars['BigInt']['output'];
  /** Time from which no more bids are accepted. */
  readonly endsAt: Scalars['DateTime']['output'];
  /** Whether the auction has ended at the newest indexed block: the bidder can claim the domain. */
  readonly ended: Scalars['Boolean']['output'];
  /** Time of the last renewal; null when the zone does not charge for renewals. */
  readonly renewedAt: Maybe<Scalars['DateTime']['output']>;
};

/** A page of auctions of domains. */
export type DnsAuctionConnection = {
  /** The auctions with their cursors. */
  readonly edges: ReadonlyArray<DnsAuctionEdge>;
  /** The auctions alone. */
  readonly nodes: ReadonlyArray<DnsAuction>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An auction of a domain in a page. */
export type DnsAuctionEdge = {
  /** Position of this auction in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The auction. */
  readonly node: DnsAuction;
};

/** A page of domains. */
export type DnsRecordConnection = {
  /** The domains with their cursors. */
  readonly edges: ReadonlyArray<DnsRecordEdge>;
  /** The domains alone. */
  readonly nodes: ReadonlyArray<DnsRecord>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A domain in a page. */
export type DnsRecordEdge = {
  /** Position of this domain in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The domain. */
  readonly node: DnsRecord;
};

/** Filter for domains. Exactly one field must be given. */
export type DnsRecordWhere =
  /** Resolving to this account. */
  { readonly wallet: Scalars['Address']['input']; readonly domain?: never; }
  |  /** With this full name. */
  { readonly wallet?: never; readonly domain: Scalars['String']['input']; };

/** Filter for auctions of domains. */
export type DnsAuctionWhere = {
  /** Auctions in which this account bid most. */
  readonly bidder: Scalars['Address']['input'];
  /** Auctions that have ended at the newest indexed block (true) or are open (false); null for both. */
  readonly ended?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Record of the registry of verified sources about a code. The verifier signed that the sources compile to it; this service did not compile them. */
export type CodeSource = {
  /** Name of the verifier, which signed the record. */
  readonly verifier: Scalars['String']['output'];
  /** Contract with the record. */
  readonly itemAccount: Account;
  /** Address of the sources, usually of a list of files in IPFS. Untrusted text. */
  readonly uri: Scalars['String']['output'];
  /** Files at uri, fetched through IPFS gateways, at most 100 with 2 MiB; null when this server fetches none. The query cost is 500 for each of up to four records. */
  readonly sources: Maybe<SourceFiles>;
};

/** Files that a record of the registry of verified sources names. All texts are untrusted; this service did not compile the files. */
export type SourceFiles = {
  /** Compiler: func, tolk, tact or fift; empty when the list of files names none. */
  readonly compiler: Scalars['String']['output'];
  /** Version of the compiler; empty when the list of files names none. */
  readonly compilerVersion: Scalars['String']['output'];
  /** Command line of the compiler; empty when the list of files names none. */
  readonly commandLine: Scalars['String']['output'];
  /** Files in the order of the list; empty when they could not be fetched. */
  readonly files: ReadonlyArray<SourceFile>;
  /** Why the files could not be fetched; null when they were. Failures are remembered for a minute to an hour. */
  readonly error: Maybe<Scalars['String']['output']>;
};

/** File of the sources of a contract. */
export type SourceFile = {
  /** Relative path with slashes. */
  readonly name: Scalars['String']['output'];
  /** Text of the file. */
  readonly content: Scalars['String']['output'];
  /** Whether the list of files marks it as the file to start from. */
  readonly entrypoint: Scalars['Boolean']['output'];
  /** Whether the list of files marks it as an argument of the compiler; arguments are in the order of the list. */
  readonly inCommand: Scalars['Boolean']['output'];
};

/** Code of a contract as text. */
export type Disassembly = {
  /** Hash of the code of the account. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the library that contains the code, when the account has only a reference to it; null otherwise. */
  readonly libraryHash: Maybe<Scalars['Hash']['output']>;
  /** Instructions in the notation of Fift, operands first. Blocks of instructions are in `<{` and `}>`. */
  readonly text: Scalars['String']['output'];
  /** Number of instructions. */
  readonly instructionCount: Scalars['Int']['output'];
  /** Whether the text has all instructions: it ends at 50,000 instructions, 2 MiB, or 64 levels of blocks. */
  readonly complete: Scalars['Boolean']['output'];
  /** Seqno of the masterchain block whose state was read. */
  readonly mcSeqno: Scalars['UInt32']['output'];
};

/** Masterchain block at which a query is evaluated. Exactly one field must be given. It is an error if the block is not indexed, or cannot be determined because the block after it is not indexed. */
export type AtBlock =
  /** The block with this seqno. */
  { readonly seqno: Scalars['UInt32']['input']; readonly lt?: never; readonly utime?: never; }
  |  /** The last block whose start logical time is not later than this. */
  { readonly seqno?: never; readonly lt: Scalars['BigInt']['input']; readonly utime?: never; }
  |  /** The last block generated at this time or earlier. */
  { readonly seqno?: never; readonly lt?: never; readonly utime: Scalars['DateTime']['input']; };

/** Estimated fees of a message. */
export type FeeEstimate = {
  /** Fees that the receiver of the message pays. */
  readonly source: Fees;
  /** Fees that the receivers of its outgoing messages pay, in the order of these messages. */
  readonly destinations: ReadonlyArray<Fees>;
  /** Whether the contract accepts the message; if not, it pays only the storage fee due. */
  readonly accepted: Scalars['Boolean']['output'];
  /** Exit code of the contract's code. */
  readonly exitCode: Scalars['Int']['output'];
  /** Gas used by the contract's code. */
  readonly gasUsed: Scalars['BigInt']['output'];
  /** Seqno of the masterchain block whose state was used. */
  readonly mcSeqno: Scalars['UInt32']['output'];
};

/** Fees of one transaction, in nanotons. */
export type Fees = {
  /** Import fee of the message; 0 for an internal message, whose sender paid it. */
  readonly inFwd: Scalars['BigInt']['output'];
  /** Storage fee due at the block. */
  readonly storage: Scalars['BigInt']['output'];
  /** Gas fee. */
  readonly gas: Scalars['BigInt']['output'];
  /** Forwarding fees of the outgoing messages. */
  readonly fwd: Scalars['BigInt']['output'];
};

/** Decoded opcodes and bodies, in the order of the arguments. */
export type Decoded = {
  /** Names of the opcodes; `unknown` for an opcode without a published name. */
  readonly opcodes: ReadonlyArray<Scalars['String']['output']>;
  /** Decoded bodies; an object with the member `error` for a body that cannot be decoded. */
  readonly bodies: ReadonlyArray<Scalars['JSON']['output']>;
};

/** Commands to the network. */
export type Mutation = {
  /** Sends a signed external-in message to the network, after checking that its destination accepts it. A successful result does not mean that the message will be executed. */
  readonly sendMessage: SentMessage;
};


/** Commands to the network. */
export type MutationSendMessageArgs = {
  boc: Scalars['Boc']['input'];
};

/** One stack entry passed to a get-method. */
export type StackInput = {
  /** Type of the entry: `num`, `cell`, `slice`, `address`, `tuple`, `list` or `null`. */
  readonly type: Scalars['String']['input'];
  /** Value of the entry: a decimal or `0x` hexadecimal number, a bag of cells in base64 for a cell or slice, or an address in any form, which is passed as a slice; an empty address is passed as that of nobody. Omitted for a tuple, a list and null. */
  readonly value?: InputMaybe<Scalars['String']['input']>;
  /** Entries of a tuple, at most 255, or of a list, which contracts read as pairs; up to 8 levels, and 1000 entries of all arguments. */
  readonly items?: InputMaybe<ReadonlyArray<StackInput>>;
};

/** Result of a get-method call. */
export type MethodRun = {
  /** Exit code. 0 and 1 mean success, 11 that the contract does not have the method, -13 that the account has no code, -14 that the gas limit was exceeded. */
  readonly exitCode: Scalars['Int']['output'];
  /** Gas used; the limit is 4,000,000. */
  readonly gasUsed: Scalars['BigInt']['output'];
  /** Resulting stack, deepest entry first: objects with `type` and `value`, in the same form as in the REST API. Values that this form lacks have only a type: `builder`, `NaN`, `continuation`. */
  readonly stack: Scalars['JSON']['output'];
  /** The same stack for people: a list of objects with `type` and `value`. For methods of published standards they have a `name` and a type such as `bool`, `coins`, `time`, `hash`, `address`, `text`, `content` or `dictionary` with `entries`. Other values are `int`, `cell` or `slice` with `boc`, `hash`, `bits`, `refs` and the `text` that they may contain, `tuple` or `list` with `items`, `null`, `builder`, `nan` or `continuation`; a slice that is an address is one. */
  readonly values: Scalars['JSON']['output'];
  /** Seqno of the masterchain block whose state the method read. */
  readonly mcSeqno: Scalars['UInt32']['output'];
};

/** A message that was sent to the network. */
export type SentMessage = {
  /** Representation hash of the message. */
  readonly hash: Scalars['Hash']['output'];
  /** Normalised hash (TEP-467) of the message, which does not depend on how the sender serialized it. */
  readonly hashNorm: Scalars['Hash']['output'];
};

/** Contract that holds one owner's balance of a Jetton. Only contracts that the Jetton master confirms as the owner's wallet are indexed. */
export type JettonWallet = Node & {
  /** Balance after each indexed change, newest first by default. Of several changes in one masterchain block only the last is recorded. */
  readonly balanceHistory: JettonBalancePointConnection;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the Jetton wallet. */
  readonly account: Account;
  /** Balance in the Jetton's smallest unit. */
  readonly balance: Scalars['BigInt']['output'];
  /** Owner, who may transfer and burn. */
  readonly owner: Account;
  /** Account of the Jetton master. */
  readonly jettonAccount: Account;
  /** The Jetton master; null when the newest state of that account is not a Jetton master. */
  readonly jetton: Maybe<JettonMaster>;
  /** Unclaimed amount of a mintless Jetton (TEP-177); null when there is none, and when the list of its airdrop, which is not on the chain, is not in the index. */
  readonly mintless: Maybe<MintlessInfo>;
  /** Hash of the contract's code. */
  readonly codeHash: Maybe<Scalars['Hash']['output']>;
  /** Hash of the contract's data. */
  readonly dataHash: Maybe<Scalars['Hash']['output']>;
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
  /** Transfers that this Jetton wallet executed, newest first by default. */
  readonly transfers: JettonTransferConnection;
  /** Burns ordered from this Jetton wallet, including aborted ones, newest first by default. */
  readonly burns: JettonBurnConnection;
};


/** Contract that holds one owner's balance of a Jetton. Only contracts that the Jetton master confirms as the owner's wallet are indexed. */
export type JettonWalletBalanceHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Contract that holds one owner's balance of a Jetton. Only contracts that the Jetton master confirms as the owner's wallet are indexed. */
export type JettonWalletTransfersArgs = {
  where?: InputMaybe<JettonTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Contract that holds one owner's balance of a Jetton. Only contracts that the Jetton master confirms as the owner's wallet are indexed. */
export type JettonWalletBurnsArgs = {
  where?: InputMaybe<JettonBurnWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** An NFT item. An item that claims to be part of a collection is indexed only if the collection confirms its address for its index. */
export type NftItem = Node & {
  /** Owner after each indexed change of the NFT item, newest first by default. Of several changes in one masterchain block only the last is recorded. */
  readonly ownerHistory: NftOwnerPointConnection;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the NFT item. */
  readonly account: Account;
  /** Whether the item is initialised, that is, has an owner and content. */
  readonly init: Scalars['Boolean']['output'];
  /** Index of the item in the collection; up to 256 bits. */
  readonly index: Scalars['BigInt']['output'];
  /** Account of the collection; null for an item without a collection. */
  readonly collectionAccount: Maybe<Account>;
  /** The collection; null for an item without a collection, and when the newest state of that account is not an NFT collection. */
  readonly collection: Maybe<NftCollection>;
  /** Owner as recorded on chain; the sale contract while the item is on sale. Null when nobody owns it. */
  readonly owner: Maybe<Account>;
  /** Account that put the item on sale; null when it is not on sale. */
  readonly seller: Maybe<Account>;
  /** On-chain content of the item (TEP-64): text attributes by name. */
  readonly content: Scalars['JSON']['output'];
  /** Full domain name, including the zone; empty for items that are not domains. */
  readonly domain: Scalars['String']['output'];
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
  /** Sale or auction that holds the item; null when there is none. */
  readonly sale: Maybe<NftSale>;
  /** Soul-bound token data (TEP-85); null for an item that is not soul-bound. */
  readonly sbt: Maybe<Sbt>;
  /** DNS records of the domain; null when the item is not a domain. */
  readonly dns: Maybe<DnsRecord>;
  /** Transfers of the item, including aborted ones, newest first by default. */
  readonly transfers: NftTransferConnection;
  /** What the operator of this service states about the item, or else about its collection. */
  readonly reputation: Reputation;
};


/** An NFT item. An item that claims to be part of a collection is indexed only if the collection confirms its address for its index. */
export type NftItemOwnerHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** An NFT item. An item that claims to be part of a collection is indexed only if the collection confirms its address for its index. */
export type NftItemTransfersArgs = {
  where?: InputMaybe<NftTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** Contract that issues a Jetton (TEP-74). */
export type JettonMaster = Node & {
  /** Number of Jetton wallets of the master, counted up to 10000. */
  readonly walletCount: CappedCount;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the Jetton master. */
  readonly account: Account;
  /** Total supply in the Jetton's smallest unit. */
  readonly totalSupply: Scalars['BigInt']['output'];
  /** Whether the contract allows minting, as its data state. Only the admin can mint; see `canMint`. */
  readonly mintable: Scalars['Boolean']['output'];
  /** Whether minting is still possible: the contract allows it and has an admin. */
  readonly canMint: Scalars['Boolean']['output'];
  /** Account that may mint and change the content; null when there is none. */
  readonly admin: Maybe<Account>;
  /** On-chain content of the master (TEP-64): text attributes by name. */
  readonly content: Scalars['JSON']['output'];
  /** Hash of the code of the Jetton wallets that it deploys. */
  readonly walletCodeHash: Scalars['Hash']['output'];
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
  /** Jetton wallets of this Jetton, by address by default. */
  readonly wallets: JettonWalletConnection;
  /** Numbers of holders and transfers; null until they are counted. */
  readonly counts: Maybe<TokenCounts>;
  /** Executed transfers of this Jetton, newest first by default. */
  readonly transfers: JettonTransferConnection;
  /** Burns of this Jetton, including aborted ones, newest first by default. */
  readonly burns: JettonBurnConnection;
  /** What the operator of this service states about the Jetton. */
  readonly reputation: Reputation;
};


/** Contract that issues a Jetton (TEP-74). */
export type JettonMasterWalletsArgs = {
  excludeZero?: InputMaybe<Scalars['Boolean']['input']>;
  byBalance?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Contract that issues a Jetton (TEP-74). */
export type JettonMasterTransfersArgs = {
  where?: InputMaybe<JettonTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** Contract that issues a Jetton (TEP-74). */
export type JettonMasterBurnsArgs = {
  where?: InputMaybe<JettonBurnWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** An NFT collection: contract that issues NFT items and computes their addresses (TEP-62). */
export type NftCollection = Node & {
  /** Number of indexed items of the collection, counted up to 10000. */
  readonly itemCount: CappedCount;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the collection. */
  readonly account: Account;
  /** Owner of the collection, who may mint and change the content; null when there is none. */
  readonly owner: Maybe<Account>;
  /** Index of the next item; -1 when indexes are not sequential. */
  readonly nextItemIndex: Scalars['BigInt']['output'];
  /** On-chain content of the collection (TEP-64): text attributes by name. */
  readonly content: Scalars['JSON']['output'];
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
  /** Numbers of items, owners and transfers; null until they are counted. */
  readonly counts: Maybe<TokenCounts>;
  /** Items of the collection, by index. */
  readonly items: NftItemConnection;
  /** Transfers of items of the collection, including aborted ones, newest first by default. */
  readonly transfers: NftTransferConnection;
  /** What the operator of this service states about the collection. */
  readonly reputation: Reputation;
};


/** An NFT collection: contract that issues NFT items and computes their addresses (TEP-62). */
export type NftCollectionItemsArgs = {
  where?: InputMaybe<NftItemWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An NFT collection: contract that issues NFT items and computes their addresses (TEP-62). */
export type NftCollectionTransfersArgs = {
  where?: InputMaybe<NftTransferWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** A count with an upper bound. */
export type CappedCount = {
  /** The count, at most the bound. */
  readonly count: Scalars['Int']['output'];
  /** Whether there are more objects than `count`. */
  readonly more: Scalars['Boolean']['output'];
};

/** Result of a re-execution that differs from the chain's. */
export type ReplayMismatch = {
  /** Hash of the transaction that the re-execution produced; null when it produced none. */
  readonly got: Maybe<Scalars['Hash']['output']>;
  /** Hash of the account state that the re-execution produced; null when there is none. */
  readonly gotState: Maybe<Scalars['Hash']['output']>;
  /** What differs, or why the re-execution produced no transaction. */
  readonly reason: Scalars['String']['output'];
};

/** Budget that stopped the re-execution of a transaction. */
export type UnverifiedTransaction = {
  /** Exhausted resource: `time`, `memory` or `cells`. */
  readonly reason: Scalars['String']['output'];
  /** Limit of that resource, formatted for display, such as `10s` or `512 MiB`. */
  readonly limit: Scalars['String']['output'];
};

/** Balance of an account after one of its transactions. */
export type BalancePoint = {
  /** Logical time of the transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of the transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Balance after the transaction, in nanotons; null when that state is not indexed. */
  readonly balance: Maybe<Scalars['BigInt']['output']>;
  /** The transaction. */
  readonly transaction: Transaction;
};

/** A page of balances. */
export type BalancePointConnection = {
  /** The balances with their cursors. */
  readonly edges: ReadonlyArray<BalancePointEdge>;
  /** The balances alone. */
  readonly nodes: ReadonlyArray<BalancePoint>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A balance in a page. */
export type BalancePointEdge = {
  /** Position of this balance in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The balance. */
  readonly node: BalancePoint;
};

/** Balance of a Jetton wallet after a change. */
export type JettonBalancePoint = {
  /** Logical time of the transaction that made the change. */
  readonly lt: Scalars['BigInt']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Balance in the Jetton's smallest unit. */
  readonly balance: Scalars['BigInt']['output'];
  /** The transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
};

/** A page of balances of a Jetton wallet. */
export type JettonBalancePointConnection = {
  /** The balances with their cursors. */
  readonly edges: ReadonlyArray<JettonBalancePointEdge>;
  /** The balances alone. */
  readonly nodes: ReadonlyArray<JettonBalancePoint>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A balance of a Jetton wallet in a page. */
export type JettonBalancePointEdge = {
  /** Position of this balance in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The balance. */
  readonly node: JettonBalancePoint;
};

/** Owner of an NFT item after a change. */
export type NftOwnerPoint = {
  /** Logical time of the transaction that made the change. */
  readonly lt: Scalars['BigInt']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Owner as recorded on chain, which is the sale contract while the item was on sale; null when nobody owned it. */
  readonly owner: Maybe<Account>;
  /** The transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
};

/** A page of owners of an item. */
export type NftOwnerPointConnection = {
  /** The owners with their cursors. */
  readonly edges: ReadonlyArray<NftOwnerPointEdge>;
  /** The owners alone. */
  readonly nodes: ReadonlyArray<NftOwnerPoint>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An owner of an item in a page. */
export type NftOwnerPointEdge = {
  /** Position of this owner in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The owner. */
  readonly node: NftOwnerPoint;
};

/** Amount of a mintless Jetton that its owner has not claimed yet. */
export type MintlessInfo = {
  /** Amount in the Jetton's smallest unit. */
  readonly amount: Scalars['BigInt']['output'];
  /** Unix time from which the amount can be claimed; null when the Jetton does not specify it. */
  readonly startFrom: Maybe<Scalars['BigInt']['output']>;
  /** Unix time until which the amount can be claimed; null when the Jetton does not specify it. */
  readonly expireAt: Maybe<Scalars['BigInt']['output']>;
  /** URLs of the APIs that return the custom payload which claims the amount. */
  readonly customPayloadApis: ReadonlyArray<Scalars['String']['output']>;
};

/** A Jetton transfer, with the parameters of the order to the sender's Jetton wallet. */
export type JettonTransfer = {
  /** `query_id` of the order, chosen by the sender. */
  readonly queryId: Scalars['BigInt']['output'];
  /** Account that sent the order, which is the owner. */
  readonly source: Account;
  /** Account of the new owner; null when the order names none. */
  readonly destination: Maybe<Account>;
  /** Amount in the Jetton's smallest unit. */
  readonly amount: Scalars['BigInt']['output'];
  /** Account of the Jetton wallet that executed the order. */
  readonly sourceWallet: Account;
  /** Account of the Jetton master. */
  readonly jettonAccount: Account;
  /** The Jetton master; null when the newest state of that account is not a Jetton master. */
  readonly jetton: Maybe<JettonMaster>;
  /** Account that receives the remaining coins; null when there is none. */
  readonly responseDestination: Maybe<Account>;
  /** Amount forwarded to the new owner, in nanotons. */
  readonly forwardAmount: Maybe<Scalars['BigInt']['output']>;
  /** Custom payload for the Jetton wallet; null when there is none. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Custom payload as a JSON object whose `@type` names its layout; null when no known layout matches. */
  readonly decodedCustomPayload: Maybe<Scalars['JSON']['output']>;
  /** Forward payload for the new owner, when it is stored in a cell of its own; null when there is none or it is part of the order's body. */
  readonly forwardPayload: Maybe<Scalars['Boc']['output']>;
  /** Forward payload as a JSON object whose `@type` names its layout; null when no known layout matches. */
  readonly decodedForwardPayload: Maybe<Scalars['JSON']['output']>;
  /** Hash of the transaction that executed the order. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of that transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of that transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** Whether that transaction was aborted; then nothing was transferred or burned. */
  readonly aborted: Scalars['Boolean']['output'];
  /** That transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
  /** Hash of the trace; null while no trace is indexed for it. */
  readonly traceHash: Maybe<Scalars['Hash']['output']>;
  /** The trace; null while none is indexed for it. */
  readonly trace: Maybe<Trace>;
};

/** A Jetton burn, with the parameters of the order to the Jetton wallet. */
export type JettonBurn = {
  /** `query_id` of the order, chosen by the sender. */
  readonly queryId: Scalars['BigInt']['output'];
  /** Account that sent the order, which is the owner. */
  readonly owner: Account;
  /** Account of the Jetton wallet that executed the order. */
  readonly jettonWallet: Account;
  /** Account of the Jetton master. */
  readonly jettonAccount: Account;
  /** The Jetton master; null when the newest state of that account is not a Jetton master. */
  readonly jetton: Maybe<JettonMaster>;
  /** Amount in the Jetton's smallest unit. */
  readonly amount: Scalars['BigInt']['output'];
  /** Account that receives the remaining coins; null when there is none. */
  readonly responseDestination: Maybe<Account>;
  /** Custom payload for the Jetton wallet; null when there is none. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Custom payload as a JSON object whose `@type` names its layout; null when no known layout matches. */
  readonly decodedCustomPayload: Maybe<Scalars['JSON']['output']>;
  /** Hash of the transaction that executed the order. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of that transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of that transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** Whether that transaction was aborted; then nothing was transferred or burned. */
  readonly aborted: Scalars['Boolean']['output'];
  /** That transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
  /** Hash of the trace; null while no trace is indexed for it. */
  readonly traceHash: Maybe<Scalars['Hash']['output']>;
  /** The trace; null while none is indexed for it. */
  readonly trace: Maybe<Trace>;
};

/** Direction of a transfer relative to an owner. */
export type TransferDirection =
  /** Both directions. */
  | 'ANY'
  /** Received by the owner. */
  | 'IN'
  /** Sent by the owner. */
  | 'OUT';

/** Order of tokens. The orders by counts are descending; Jettons without a name or holders, and collections without a name or items, come after the others; those that the operator calls a scam come last, across the complete list. A page compares at most 1,000 rows with the operator's list, so that it may have fewer rows than requested and be followed by more (`pageInfo`). */
export type TokenOrder =
  /** By address, ascending. */
  | 'ADDRESS'
  /** By the number of holders. */
  | 'HOLDERS'
  /** By the number of transfers within 24 hours. */
  | 'TRANSFERS'
  /** By total supply with regard to decimals; by the number of items of a collection. */
  | 'SUPPLY';

/** Numbers of a token. The indexer counts them in the background, soon after a change and again from time to time. */
export type TokenCounts = {
  /** Number of accounts with a balance or an item, as far as indexed. */
  readonly holders: Scalars['BigInt']['output'];
  /** Number of executed transfers within the 24 hours before `countedAt`. */
  readonly transfersOfDay: Scalars['BigInt']['output'];
  /** Number of items of a collection; null for a Jetton. */
  readonly items: Maybe<Scalars['BigInt']['output']>;
  /** Time of the newest masterchain block at which they were counted. */
  readonly countedAt: Scalars['DateTime']['output'];
};

/** Filter for Jetton masters. All given fields must match. */
export type JettonMasterWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these admins; at most 100. */
  readonly admins?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
};

/** Filter for Jetton wallets. All given fields must match. */
export type JettonWalletWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of one of these Jetton masters; at most 100. More than one requires exactly one owner. */
  readonly jettons?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Leave out Jetton wallets with neither a balance nor an unclaimed amount. */
  readonly excludeZero?: InputMaybe<Scalars['Boolean']['input']>;
  /** Order by balance instead of by address; `sort` sets the direction. */
  readonly byBalance?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Filter for Jetton transfers. All given fields must match. Ranges include both ends. The conditions from `counterparties` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type JettonTransferWhere = {
  /** Received or sent by one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Direction relative to `owners`; requires `owners`. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** Executed by one of these Jetton wallets; at most 100. */
  readonly jettonWallets?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of the Jetton with this master. */
  readonly jetton?: InputMaybe<Scalars['Address']['input']>;
  /** Executed at this time or later. With a range of times the list is ordered by time. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Executed at this time or earlier. With a range of times the list is ordered by time. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** With this logical time or a later one. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With this logical time or an earlier one. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With one of these accounts on the other side than `owners`; requires `owners`; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of at least this amount in the Jetton's smallest unit. */
  readonly minAmount?: InputMaybe<Scalars['BigInt']['input']>;
  /** Of at most this amount in the Jetton's smallest unit. */
  readonly maxAmount?: InputMaybe<Scalars['BigInt']['input']>;
};

/** Filter for Jetton burns. All given fields must match. Ranges include both ends. The conditions from `success` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type JettonBurnWhere = {
  /** Ordered by one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Executed by one of these Jetton wallets; at most 100. */
  readonly jettonWallets?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of the Jetton with this master. */
  readonly jetton?: InputMaybe<Scalars['Address']['input']>;
  /** Executed at this time or later. With a range of times the list is ordered by time. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Executed at this time or earlier. With a range of times the list is ordered by time. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** With this logical time or a later one. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With this logical time or an earlier one. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** true: only executed burns; false: only aborted ones. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
  /** Of at least this amount in the Jetton's smallest unit. */
  readonly minAmount?: InputMaybe<Scalars['BigInt']['input']>;
  /** Of at most this amount in the Jetton's smallest unit. */
  readonly maxAmount?: InputMaybe<Scalars['BigInt']['input']>;
};

/** A page of Jetton masters. */
export type JettonMasterConnection = {
  /** The masters with their cursors. */
  readonly edges: ReadonlyArray<JettonMasterEdge>;
  /** The masters alone. */
  readonly nodes: ReadonlyArray<JettonMaster>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A Jetton master in a page. */
export type JettonMasterEdge = {
  /** Position of this master in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The master. */
  readonly node: JettonMaster;
};

/** A page of Jetton wallets. */
export type JettonWalletConnection = {
  /** The Jetton wallets with their cursors. */
  readonly edges: ReadonlyArray<JettonWalletEdge>;
  /** The Jetton wallets alone. */
  readonly nodes: ReadonlyArray<JettonWallet>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A Jetton wallet in a page. */
export type JettonWalletEdge = {
  /** Position of this Jetton wallet in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The Jetton wallet. */
  readonly node: JettonWallet;
};

/** A page of transfers. */
export type JettonTransferConnection = {
  /** The transfers with their cursors. */
  readonly edges: ReadonlyArray<JettonTransferEdge>;
  /** The transfers alone. */
  readonly nodes: ReadonlyArray<JettonTransfer>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A transfer in a page. */
export type JettonTransferEdge = {
  /** Position of this transfer in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The transfer. */
  readonly node: JettonTransfer;
};

/** A page of burns. */
export type JettonBurnConnection = {
  /** The burns with their cursors. */
  readonly edges: ReadonlyArray<JettonBurnEdge>;
  /** The burns alone. */
  readonly nodes: ReadonlyArray<JettonBurn>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A burn in a page. */
export type JettonBurnEdge = {
  /** Position of this burn in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The burn. */
  readonly node: JettonBurn;
};

/** State of the masterchain at one of its blocks. */
export type Masterchain = {
  /** The masterchain block at which the state is read. */
  readonly block: Block;
  /** Lowest masterchain block in the index. */
  readonly first: Block;
  /** Highest masterchain block in the index. */
  readonly last: Block;
  /** Initial state of the network; null when this service has no connection to a node. */
  readonly zerostate: Maybe<Zerostate>;
  /** Root hash of the masterchain state after the block; null when this service has no connection to a node. */
  readonly stateRootHash: Maybe<Scalars['Hash']['output']>;
  /** Newest block of every shard, as recorded by the masterchain block, which is included. */
  readonly shards: ReadonlyArray<Block>;
  /** Network configuration in force at the block. */
  readonly config: Config;
};

/** Initial state of a network. */
export type Zerostate = {
  /** Root hash of the state. */
  readonly rootHash: Scalars['Hash']['output'];
  /** SHA-256 of the serialized state. */
  readonly fileHash: Scalars['Hash']['output'];
};

/** A message: internal (between accounts), external-in (into the chain) or external-out (out of the chain). */
export type Message = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Representation hash of the message. */
  readonly hash: Scalars['Hash']['output'];
  /** Normalised hash (TEP-467) of an external-in message, which does not depend on how the sender serialized it. Null for other messages. */
  readonly hashNorm: Maybe<Scalars['Hash']['output']>;
  /** Kind of the message. */
  readonly kind: MessageKind;
  /** Sender; null for an external-in message. */
  readonly source: Maybe<Account>;
  /** Receiver; null for an external-out message. */
  readonly destination: Maybe<Account>;
  /** Value in nanotons; null for external messages. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
  /** Extra currencies that the message carries besides its value, by currency id. */
  readonly valueExtraCurrencies: ReadonlyArray<ExtraCurrency>;
  /** Forwarding fee in nanotons; null for external messages. */
  readonly fwdFee: Maybe<Scalars['BigInt']['output']>;
  /** Fee for instant hypercube routing in nanotons; null for external messages. */
  readonly ihrFee: Maybe<Scalars['BigInt']['output']>;
  /** Import fee of an external-in message in nanotons; null for other messages. */
  readonly importFee: Maybe<Scalars['BigInt']['output']>;
  /** Logical time of creation; null for an external-in message. */
  readonly createdLt: Maybe<Scalars['BigInt']['output']>;
  /** Time of creation; null for an external-in message. */
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether instant hypercube routing is disabled; null for external messages. */
  readonly ihrDisabled: Maybe<Scalars['Boolean']['output']>;
  /** Whether the message bounces when it fails; null for external messages. */
  readonly bounce: Maybe<Scalars['Boolean']['output']>;
  /** Whether this is a bounced message; null for external messages. */
  readonly bounced: Maybe<Scalars['Boolean']['output']>;
  /** Extra flags of the message header; null when there are none. */
  readonly extraFlags: Maybe<Scalars['BigInt']['output']>;
  /** First 32 bits of the body; null when the body is shorter. */
  readonly opcode: Maybe<Scalars['Opcode']['output']>;
  /** Published name of the opcode; null when it has none. */
  readonly decodedOpcode: Maybe<Scalars['String']['output']>;
  /** The decoded body, an object whose `@type` names its layout; null when no known layout matches. The text of a comment is in the member `comment`. */
  readonly decoded: Maybe<Scalars['JSON']['output']>;
  /** Hash of the body. */
  readonly bodyHash: Scalars['Hash']['output'];
  /** The body. */
  readonly body: Scalars['Boc']['output'];
  /** Hash of the StateInit; null when there is none. */
  readonly initHash: Maybe<Scalars['Hash']['output']>;
  /** The StateInit; null when there is none. */
  readonly init: Maybe<Scalars['Boc']['output']>;
  /** Transaction that sent the message; null for an external-in message, or when the transaction is not indexed. */
  readonly sourceTransaction: Maybe<Transaction>;
  /** Transaction that received the message; null for an external-out message, while the message has not been received, or when the transaction is not indexed. */
  readonly destinationTransaction: Maybe<Transaction>;
};

/** An amount of an extra currency, a currency of the chain other than its coins. */
export type ExtraCurrency = {
  /** Id of the currency. */
  readonly id: Scalars['UInt32']['output'];
  /** Amount in the currency's smallest unit; negative for a decrease. */
  readonly amount: Scalars['BigInt']['output'];
};

/** Kind of a message. */
export type MessageKind =
  /** Between two accounts. */
  | 'INTERNAL'
  /** From outside into the chain. */
  | 'EXTERNAL_IN'
  /** Out of the chain, such as a log record. */
  | 'EXTERNAL_OUT';

/** A page of messages. */
export type MessageConnection = {
  /** The messages with their cursors. */
  readonly edges: ReadonlyArray<MessageEdge>;
  /** The messages alone. */
  readonly nodes: ReadonlyArray<Message>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A message in a page. */
export type MessageEdge = {
  /** Position of this message in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The message. */
  readonly node: Message;
};

/** Filter for messages. All given fields must match. Ranges include both ends. The conditions from `workchain` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type MessageWhere = {
  /** With one of these plain or normalised hashes; at most 100. The list is then ordered by hash. */
  readonly hashes?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** With a body of this hash. */
  readonly bodyHash?: InputMaybe<Scalars['Hash']['input']>;
  /** Sent by this account. */
  readonly source?: InputMaybe<Scalars['Address']['input']>;
  /** Sent to this account. */
  readonly destination?: InputMaybe<Scalars['Address']['input']>;
  /** With this opcode. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** Of this kind. */
  readonly kind?: InputMaybe<MessageKind>;
  /** Created at this time or later. External-in messages never match. With a range of times the list is ordered by time. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created at this time or earlier. External-in messages never match. With a range of times the list is ordered by time. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created at this logical time or later. External-in messages never match. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Created at this logical time or earlier. External-in messages never match. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Sent to this workchain; for external-out messages, sent from it. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** true: only bounced messages; false: only others. */
  readonly bounced?: InputMaybe<Scalars['Boolean']['input']>;
  /** With at least this value in nanotons. */
  readonly minValue?: InputMaybe<Scalars['BigInt']['input']>;
  /** With at most this value in nanotons. */
  readonly maxValue?: InputMaybe<Scalars['BigInt']['input']>;
};

/** A multi-signature wallet (multisig v2). */
export type Multisig = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the wallet. */
  readonly account: Account;
  /** Seqno of the next order; -1 when orders may have any seqno. */
  readonly nextOrderSeqno: Scalars['BigInt']['output'];
  /** Number of approvals that an order requires. */
  readonly threshold: Scalars['Int']['output'];
  /** Signers, who may approve orders, by index. */
  readonly signers: ReadonlyArray<Account>;
  /** Proposers, who may create orders but not approve them. */
  readonly proposers: ReadonlyArray<Account>;
  /** Orders of the wallet by seqno, newest first by default. */
  readonly orders: MultisigOrderConnection;
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};


/** A multi-signature wallet (multisig v2). */
export type MultisigOrdersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** An order of a multisig wallet: a list of actions that collects approvals. Only contracts that the multisig wallet confirms for their seqno are indexed. Nullable fields are null until the order is initialised. */
export type MultisigOrder = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the order contract. */
  readonly account: Account;
  /** Account of the multisig wallet. */
  readonly multisigAccount: Account;
  /** The multisig wallet; null when the newest state of that account is not a multisig wallet. */
  readonly multisig: Maybe<Multisig>;
  /** Seqno of the order. */
  readonly seqno: Scalars['BigInt']['output'];
  /** Lifecycle state of the order at the newest indexed block. */
  readonly state: MultisigOrderState;
  /** Number of approvals that the order requires. */
  readonly threshold: Maybe<Scalars['Int']['output']>;
  /** Whether the order was sent to the wallet for execution. The wallet may still refuse it; see `state`. */
  readonly sentForExecution: Maybe<Scalars['Boolean']['output']>;
  /** Bit mask of approvals: bit i is set when the signer with index i approved. */
  readonly approvalsMask: Maybe<Scalars['BigInt']['output']>;
  /** Number of approvals so far. */
  readonly approvalsNum: Maybe<Scalars['Int']['output']>;
  /** Unix time after which the order can no longer be executed. */
  readonly expiration: Maybe<Scalars['BigInt']['output']>;
  /** Actions of the order as a bag of cells. */
  readonly order: Maybe<Scalars['Boc']['output']>;
  /** Signers, who may approve orders, by index. */
  readonly signers: ReadonlyArray<Account>;
  /** Decoded actions of the order. For an action that cannot be decoded the reason is given. */
  readonly actions: ReadonlyArray<OrderAction>;
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};

/** Lifecycle state of an order. */
export type MultisigOrderState =
  /** The order has no actions yet. */
  | 'UNINITIALIZED'
  /** The order is collecting approvals. */
  | 'OPEN'
  /** The order expired before it had enough approvals. */
  | 'EXPIRED'
  /** The order was sent to the wallet; the wallet's transaction is not indexed. */
  | 'SENT'
  /** The wallet executed the order. */
  | 'EXECUTED'
  /** The wallet refused the order, because it was late or the signers had changed, or its actions failed. */
  | 'FAILED';

/** One action of an order. */
export type OrderAction = {
  /** Receiver of the message; null for an update of the wallet's parameters. */
  readonly destination: Maybe<Account>;
  /** Amount sent, in nanotons; null for an update of the wallet's parameters. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
  /** Send mode of the message. */
  readonly sendMode: Scalars['Int']['output'];
  /** Body of the message; null for an update of the wallet's parameters. */
  readonly body: Maybe<Scalars['Boc']['output']>;
  /** Whether the body was decoded. */
  readonly parsed: Scalars['Boolean']['output'];
  /** Why the body could not be decoded; empty when it was. */
  readonly error: Scalars['String']['output'];
  /** Type of the body, such as `jetton_transfer`. */
  readonly bodyType: Scalars['String']['output'];
  /** Decoded body; null when it has no fields. */
  readonly decodedBody: Maybe<Scalars['JSON']['output']>;
};

/** A page of multisig wallets. */
export type MultisigConnection = {
  /** The multisig wallets with their cursors. */
  readonly edges: ReadonlyArray<MultisigEdge>;
  /** The multisig wallets alone. */
  readonly nodes: ReadonlyArray<Multisig>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A multisig wallet in a page. */
export type MultisigEdge = {
  /** Position of this multisig wallet in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The multisig wallet. */
  readonly node: Multisig;
};

/** A page of orders. */
export type MultisigOrderConnection = {
  /** The orders with their cursors. */
  readonly edges: ReadonlyArray<MultisigOrderEdge>;
  /** The orders alone. */
  readonly nodes: ReadonlyArray<MultisigOrder>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An order in a page. */
export type MultisigOrderEdge = {
  /** Position of this order in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The order. */
  readonly node: MultisigOrder;
};

/** Filter for multisig wallets. At least one field is required; all given fields must match. */
export type MultisigWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these accounts as signer or proposer; at most 100. */
  readonly members?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
};

/** Filter for orders. At least one field is required; all given fields must match. */
export type MultisigOrderWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of one of these multisig wallets; at most 100. */
  readonly multisigs?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
};

/** Data of a soul-bound token (TEP-85). */
export type Sbt = {
  /** Account that may revoke the token; null when there is none. */
  readonly authority: Maybe<Scalars['Address']['output']>;
  /** Unix time of the revocation; 0 while the token is valid. */
  readonly revokedAt: Scalars['BigInt']['output'];
};

/** An NFT transfer, with the parameters of the order to the item. */
export type NftTransfer = {
  /** `query_id` of the order, chosen by the sender. */
  readonly queryId: Scalars['BigInt']['output'];
  /** Account of the NFT item. */
  readonly itemAccount: Account;
  /** The NFT item; null when the newest state of that account is not an NFT item. */
  readonly item: Maybe<NftItem>;
  /** Account of the collection; null for an item without a collection. */
  readonly collectionAccount: Maybe<Account>;
  /** Account that sent the order, which is the previous owner. */
  readonly oldOwner: Account;
  /** Account of the new owner; null when the order names none. */
  readonly newOwner: Maybe<Account>;
  /** Account that receives the remaining coins; null when there is none. */
  readonly responseDestination: Maybe<Account>;
  /** Amount forwarded to the new owner, in nanotons. */
  readonly forwardAmount: Maybe<Scalars['BigInt']['output']>;
  /** Custom payload for the NFT item; null when there is none. */
  readonly customPayload: Maybe<Scalars['Boc']['output']>;
  /** Custom payload as a JSON object whose `@type` names its layout; null when no known layout matches. */
  readonly decodedCustomPayload: Maybe<Scalars['JSON']['output']>;
  /** Forward payload for the new owner, when it is stored in a cell of its own; null when there is none or it is part of the order's body. */
  readonly forwardPayload: Maybe<Scalars['Boc']['output']>;
  /** Forward payload as a JSON object whose `@type` names its layout; null when no known layout matches. */
  readonly decodedForwardPayload: Maybe<Scalars['JSON']['output']>;
  /** Hash of the transaction that executed the order. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of that transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of that transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** Whether that transaction was aborted; then nothing was transferred or burned. */
  readonly aborted: Scalars['Boolean']['output'];
  /** That transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
  /** Hash of the trace; null while no trace is indexed for it. */
  readonly traceHash: Maybe<Scalars['Hash']['output']>;
  /** The trace; null while none is indexed for it. */
  readonly trace: Maybe<Trace>;
};

/** A contract that sells an NFT item. Of `fixedPrice`, `auction` and `telemint` exactly the one that matches `kind` is set. */
export type NftSale = {
  /** Kind of the sale contract. */
  readonly kind: NftSaleKind;
  /** State of the sale at the newest indexed block. */
  readonly state: NftSaleState;
  /** Account of the sale contract. */
  readonly account: Account;
  /** Account of the NFT item; null when the contract names none. */
  readonly itemAccount: Maybe<Account>;
  /** The NFT item; null when it is not a verified item. */
  readonly item: Maybe<NftItem>;
  /** Account that put the item on sale. */
  readonly seller: Maybe<Account>;
  /** Account of the marketplace. */
  readonly marketplace: Maybe<Account>;
  /** Unix time at which the sale started; null when the contract does not record it. */
  readonly createdAt: Maybe<Scalars['UInt32']['output']>;
  /** Whether the code is that of a published sale contract, so that its data can be relied on. */
  readonly known: Scalars['Boolean']['output'];
  /** Fixed-price offer; null for other kinds. */
  readonly fixedPrice: Maybe<NftFixedPrice>;
  /** Auction; null for other kinds. */
  readonly auction: Maybe<NftAuction>;
  /** Auction of a user name or number that its own item runs; null for other kinds. */
  readonly telemint: Maybe<TelemintAuction>;
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};

/** Kind of a sale contract. */
export type NftSaleKind =
  /** Sale at a fixed price. */
  | 'FIXED_PRICE'
  /** Auction, sold to the highest bidder. */
  | 'AUCTION'
  /** Item that runs its own auction (Telemint). */
  | 'TELEMINT';

/** State of a sale. */
export type NftSaleState =
  /** The item can be bought, or bids are accepted. */
  | 'OPEN'
  /** The auction has ended but is not settled yet. */
  | 'ENDED'
  /** The item was sold or withdrawn; the contract does not distinguish the two. */
  | 'CLOSED'
  /** The auction was cancelled. */
  | 'CANCELED'
  /** The contract does not own the item, or no auction is running. */
  | 'INACTIVE';

/** A fixed-price offer. Amounts are in nanotons. */
export type NftFixedPrice = {
  /** Whether the offer is closed: the item was sold or withdrawn. */
  readonly isComplete: Scalars['Boolean']['output'];
  /** Price that the buyer pays. */
  readonly fullPrice: Maybe<Scalars['BigInt']['output']>;
  /** Account that receives the marketplace fee. */
  readonly marketplaceFeeAddress: Maybe<Scalars['Address']['output']>;
  /** Marketplace fee. */
  readonly marketplaceFee: Maybe<Scalars['BigInt']['output']>;
  /** Account that receives the royalty. */
  readonly royaltyAddress: Maybe<Scalars['Address']['output']>;
  /** Royalty. */
  readonly royaltyAmount: Maybe<Scalars['BigInt']['output']>;
};

/** An auction. Amounts are in nanotons, times in Unix seconds. */
export type NftAuction = {
  /** Whether the auction was settled. An auction is not settled automatically when its time ends; see `NFTSale.state`. */
  readonly end: Scalars['Boolean']['output'];
  /** Time at which the auction ends. */
  readonly endTime: Scalars['BigInt']['output'];
  /** The highest bid; null when there is none. */
  readonly lastBid: Maybe<Scalars['BigInt']['output']>;
  /** Account of the highest bidder; null when there is no bid. */
  readonly lastMember: Maybe<Scalars['Address']['output']>;
  /** Minimum increase over the last bid; in percent or nanotons, depending on the contract. */
  readonly minStep: Scalars['BigInt']['output'];
  /** Account that receives the marketplace fee. */
  readonly mpFeeAddress: Maybe<Scalars['Address']['output']>;
  /** Numerator of the marketplace fee, whose denominator is `mpFeeBase`. */
  readonly mpFeeFactor: Scalars['BigInt']['output'];
  /** Denominator of the marketplace fee. */
  readonly mpFeeBase: Scalars['BigInt']['output'];
  /** Account that receives the royalty. */
  readonly royaltyFeeAddress: Maybe<Scalars['Address']['output']>;
  /** Numerator of the royalty, whose denominator is `royaltyFeeBase`. */
  readonly royaltyFeeFactor: Scalars['BigInt']['output'];
  /** Denominator of the royalty. */
  readonly royaltyFeeBase: Scalars['BigInt']['output'];
  /** Bid that ends the auction immediately; 0 or null when there is none. */
  readonly maxBid: Maybe<Scalars['BigInt']['output']>;
  /** Minimum bid. */
  readonly minBid: Maybe<Scalars['BigInt']['output']>;
  /** Time of the last bid. */
  readonly lastBidAt: Scalars['BigInt']['output'];
  /** Whether the auction was cancelled. */
  readonly isCanceled: Scalars['Boolean']['output'];
};

/** Auction of a user name or number that its own item runs. Amounts are in nanotons, times in Unix seconds. */
export type TelemintAuction = {
  /** The user name or number. */
  readonly tokenName: Scalars['String']['output'];
  /** Account of the highest bidder; null when there is no bid. */
  readonly bidder: Maybe<Scalars['Address']['output']>;
  /** Highest bid; null when there is none. */
  readonly bid: Maybe<Scalars['BigInt']['output']>;
  /** Time of the highest bid; null when there is none. */
  readonly bidTs: Maybe<Scalars['BigInt']['output']>;
  /** Minimum next bid. */
  readonly minBid: Maybe<Scalars['BigInt']['output']>;
  /** Time at which the auction ends; 0 when no auction is running. */
  readonly endTime: Scalars['BigInt']['output'];
  /** Account that receives the price. */
  readonly beneficiary: Maybe<Scalars['Address']['output']>;
  /** Minimum first bid. */
  readonly initialMinBid: Maybe<Scalars['BigInt']['output']>;
  /** Bid that ends the auction immediately. */
  readonly maxBid: Maybe<Scalars['BigInt']['output']>;
  /** Minimum increase over the last bid, in percent. */
  readonly minBidStep: Maybe<Scalars['BigInt']['output']>;
  /** Seconds by which a late bid extends the auction. */
  readonly minExtendTime: Maybe<Scalars['BigInt']['output']>;
  /** Duration of the auction from the first bid, in seconds. */
  readonly duration: Maybe<Scalars['BigInt']['output']>;
  /** Numerator of the royalty. */
  readonly royaltyNumerator: Scalars['BigInt']['output'];
  /** Denominator of the royalty. */
  readonly royaltyDenominator: Scalars['BigInt']['output'];
  /** Account that receives the royalty. */
  readonly royaltyDestination: Maybe<Scalars['Address']['output']>;
};

/** Ownership of an NFT item at a masterchain block. */
export type NftOwnership = {
  /** Account of the NFT item. */
  readonly account: Account;
  /** Owner as recorded on chain, which is the sale contract while the item was on sale; null when nobody owned it. */
  readonly owner: Maybe<Account>;
  /** Seqno of the masterchain block. */
  readonly mcSeqno: Scalars['UInt32']['output'];
};

/** Filter for NFT collections. All given fields must match. */
export type NftCollectionWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
};

/** Filter for NFT items. All given fields must match. */
export type NftItemWhere = {
  /** With one of these addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of one of these collections; at most 100. More than one requires exactly one owner. */
  readonly collections?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these indexes; at most 100. Requires `collections`. */
  readonly indexes?: InputMaybe<ReadonlyArray<Scalars['BigInt']['input']>>;
  /** Include items of the owners that a sale contract holds for them. */
  readonly onSale?: InputMaybe<Scalars['Boolean']['input']>;
  /** Order by the newest change first. */
  readonly byLastTxLt?: InputMaybe<Scalars['Boolean']['input']>;
  /** With this trait; requires exactly one of `collections`, and no other field can be given. The order is by address. Traits come from metadata, so items whose metadata was not fetched yet do not match. */
  readonly trait?: InputMaybe<TraitInput>;
};

/** A trait by which NFT items are found. */
export type TraitInput = {
  /** Name of the trait, empty for traits without one; at most 200 bytes. */
  readonly name?: Scalars['String']['input'];
  /** Value, as `Trait.value` returns it; at most 200 bytes, not empty. */
  readonly value: Scalars['String']['input'];
};

/** Traits of one name of the items of a collection. */
export type TraitCounts = {
  /** Name of the traits; empty for traits without one. */
  readonly name: Scalars['String']['output'];
  /** The first 50 values that occur, in the order of their bytes. */
  readonly values: ReadonlyArray<TraitValueCount>;
  /** Whether there are more values. */
  readonly moreValues: Scalars['Boolean']['output'];
};

/** A value of traits with the number of items that have it. */
export type TraitValueCount = {
  /** The value. */
  readonly value: Scalars['String']['output'];
  /** Number of items with this value, counted up to 1,000. */
  readonly items: CappedCount;
};

/** Filter for NFT transfers. All given fields must match. Ranges include both ends. The conditions from `counterparties` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type NftTransferWhere = {
  /** Received or sent by one of these owners; at most 100. */
  readonly owners?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Direction relative to `owners`; requires `owners`. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** Of one of these items; at most 100. */
  readonly items?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of items of this collection. */
  readonly collection?: InputMaybe<Scalars['Address']['input']>;
  /** Executed at this time or later. With a range of times the list is ordered by time. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Executed at this time or earlier. With a range of times the list is ordered by time. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** With this logical time or a later one. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With this logical time or an earlier one. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With one of these accounts on the other side than `owners`; requires `owners`; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** true: only executed transfers; false: only aborted ones. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Filter for NFT sales. At least one field is required; all given fields must match. */
export type NftSaleWhere = {
  /** With one of these contract addresses; at most 100. */
  readonly addresses?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of items that one of these accounts put on sale; at most 100. Only contracts with published code match. */
  readonly sellers?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
};

/** A page of sales. */
export type NftSaleConnection = {
  /** The sales with their cursors. */
  readonly edges: ReadonlyArray<NftSaleEdge>;
  /** The sales alone. */
  readonly nodes: ReadonlyArray<NftSale>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A sale in a page. */
export type NftSaleEdge = {
  /** Position of this sale in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The sale. */
  readonly node: NftSale;
};

/** A page of NFT collections. */
export type NftCollectionConnection = {
  /** The collections with their cursors. */
  readonly edges: ReadonlyArray<NftCollectionEdge>;
  /** The collections alone. */
  readonly nodes: ReadonlyArray<NftCollection>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An NFT collection in a page. */
export type NftCollectionEdge = {
  /** Position of this collection in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The collection. */
  readonly node: NftCollection;
};

/** A page of NFT items. */
export type NftItemConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<NftItemEdge>;
  /** The items alone. */
  readonly nodes: ReadonlyArray<NftItem>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An NFT item in a page. */
export type NftItemEdge = {
  /** Position of this item in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: NftItem;
};

/** A page of transfers. */
export type NftTransferConnection = {
  /** The transfers with their cursors. */
  readonly edges: ReadonlyArray<NftTransferEdge>;
  /** The transfers alone. */
  readonly nodes: ReadonlyArray<NftTransfer>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A transfer in a page. */
export type NftTransferEdge = {
  /** Position of this transfer in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The transfer. */
  readonly node: NftTransfer;
};

/** A pool of coins that a validator stakes together with those of nominators. Only contracts with the published code are pools; what their first data contained was chosen by who deployed them. Amounts are in nanotons. */
export type NominatorPool = {
  /** Account of the pool. */
  readonly account: Account;
  /** 0 while nothing is staked, 1 after the stake was sent to the elector, 2 after the elector accepted it. */
  readonly state: Scalars['Int']['output'];
  /** Number of nominators, as the pool counts them. */
  readonly nominatorCount: Scalars['Int']['output'];
  /** Stake that the elector has. */
  readonly stakeAmountSent: Scalars['BigInt']['output'];
  /** The validator's own coins. */
  readonly validatorAmount: Scalars['BigInt']['output'];
  /** Account of the validator. */
  readonly validator: Account;
  /** The validator's share of rewards, in hundredths of a percent. */
  readonly validatorRewardShare: Scalars['Int']['output'];
  /** Maximum number of nominators. */
  readonly maxNominatorCount: Scalars['Int']['output'];
  /** Coins that the validator must have in the pool to stake. */
  readonly minValidatorStake: Scalars['BigInt']['output'];
  /** Coins that a nominator must have in the pool. */
  readonly minNominatorStake: Scalars['BigInt']['output'];
  /** Nominators, by address. */
  readonly nominators: ReadonlyArray<PoolNominator>;
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};

/** What a nominator has in a pool, in nanotons. */
export type PoolNominator = {
  /** Account of the nominator. */
  readonly account: Account;
  /** Coins that take part in validation. */
  readonly balance: Scalars['BigInt']['output'];
  /** Deposits that become part of the balance with the next reward. */
  readonly pendingBalance: Scalars['BigInt']['output'];
  /** Whether the nominator requested its coins back. */
  readonly withdrawalRequested: Scalars['Boolean']['output'];
};

/** What a nominator has in one of its pools, in nanotons. */
export type NominatorPosition = {
  /** Account of the pool. */
  readonly pool: Account;
  /** Coins that take part in validation. */
  readonly balance: Scalars['BigInt']['output'];
  /** Deposits that become part of the balance with the next reward. */
  readonly pendingBalance: Scalars['BigInt']['output'];
  /** Whether the nominator requested its coins back. */
  readonly withdrawalRequested: Scalars['Boolean']['output'];
};

/** Kind of an event of a pool. */
export type PoolEventType =
  /** A reward of a validation cycle; of a nominator also a loss, which is negative. */
  | 'REWARD'
  /** A loss of the validator in a validation cycle. */
  | 'PENALTY'
  /** A deposit. */
  | 'DEPOSIT'
  /** Coins were paid back. */
  | 'WITHDRAWAL'
  /** A pending deposit became part of the balance. */
  | 'ACTIVATION'
  /** A nominator requested its coins while they are staked. */
  | 'WITHDRAWAL_REQUEST';

/** A change of what a nominator has in a pool. It follows from the states of the pool before and after a transaction. Amounts are in nanotons. */
export type PoolEvent = {
  /** Account of the pool. */
  readonly pool: Account;
  /** Kind of the event. */
  readonly type: PoolEventType;
  /** Amount, negative only for a reward that is a loss. */
  readonly amount: Scalars['BigInt']['output'];
  /** Change of the balance. */
  readonly balanceDelta: Scalars['BigInt']['output'];
  /** Change of the pending balance. */
  readonly pendingBalanceDelta: Scalars['BigInt']['output'];
  /** What the nominator had before the event. */
  readonly before: PoolNominator;
  /** What the nominator had after the event. */
  readonly after: PoolNominator;
  /** Hash of the transaction. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of the transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of the transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** The transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
};

/** A change of what a validator has in a pool of its own. It follows from the states of the pool before and after a transaction. Amounts are in nanotons. */
export type PoolValidatorEvent = {
  /** Account of the pool. */
  readonly pool: Account;
  /** Account of the validator. */
  readonly validator: Account;
  /** Kind of the event. */
  readonly type: PoolEventType;
  /** Amount, never negative. */
  readonly amount: Scalars['BigInt']['output'];
  /** Change of the balance. */
  readonly balanceDelta: Scalars['BigInt']['output'];
  /** Balance before the event. */
  readonly balanceBefore: Scalars['BigInt']['output'];
  /** Balance after the event. */
  readonly balanceAfter: Scalars['BigInt']['output'];
  /** `query_id` of the message that caused the event; null when its body is too short. */
  readonly queryId: Maybe<Scalars['BigInt']['output']>;
  /** Unix time at which the validation cycle began, for rewards and penalties; null when the pool does not say. */
  readonly cycleStart: Maybe<Scalars['UInt32']['output']>;
  /** The validator's share of rewards at that time, in hundredths of a percent. */
  readonly rewardShare: Scalars['Int']['output'];
  /** Hash of the transaction. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of the transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of the transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** The transaction; null when it is not indexed. */
  readonly transaction: Maybe<Transaction>;
};

/** A page of positions of a nominator. */
export type NominatorPositionConnection = {
  /** The positions with their cursors. */
  readonly edges: ReadonlyArray<NominatorPositionEdge>;
  /** The positions alone. */
  readonly nodes: ReadonlyArray<NominatorPosition>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A position of a nominator in a page. */
export type NominatorPositionEdge = {
  /** Position of this row in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The position. */
  readonly node: NominatorPosition;
};

/** A page of events of nominators. */
export type PoolEventConnection = {
  /** The events with their cursors. */
  readonly edges: ReadonlyArray<PoolEventEdge>;
  /** The events alone. */
  readonly nodes: ReadonlyArray<PoolEvent>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An event of a nominator in a page. */
export type PoolEventEdge = {
  /** Position of this event in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The event. */
  readonly node: PoolEvent;
};

/** A page of events of validators. */
export type PoolValidatorEventConnection = {
  /** The events with their cursors. */
  readonly edges: ReadonlyArray<PoolValidatorEventEdge>;
  /** The events alone. */
  readonly nodes: ReadonlyArray<PoolValidatorEvent>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** An event of a validator in a page. */
export type PoolValidatorEventEdge = {
  /** Position of this event in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The event. */
  readonly node: PoolValidatorEvent;
};

/** Filter for events of nominators in a pool. */
export type PoolEventWhere = {
  /** In this pool. */
  readonly pool: Scalars['Address']['input'];
  /** Of this nominator. */
  readonly nominator?: InputMaybe<Scalars['Address']['input']>;
  /** Of this kind. */
  readonly type?: InputMaybe<PoolEventType>;
  /** Not before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** Not after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** Filter for events of validators in pools. `pool` or `validator` must be given. */
export type PoolValidatorEventWhere = {
  /** In this pool. */
  readonly pool?: InputMaybe<Scalars['Address']['input']>;
  /** Of this validator, in all its pools unless `pool` is given. */
  readonly validator?: InputMaybe<Scalars['Address']['input']>;
  /** Of this kind. */
  readonly type?: InputMaybe<PoolEventType>;
  /** Not before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** Not after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** State of a rate limit. Each request takes one token, and a query takes one more for every 1000 of its cost. */
export type RateLimit = {
  /** Name of the plan. */
  readonly plan: Scalars['String']['output'];
  /** Whether the limit applies to a key or to an address. */
  readonly by: RateLimitBy;
  /** Tokens per window, which is also the maximum burst. */
  readonly limit: Scalars['Int']['output'];
  /** Length of the window in seconds. */
  readonly windowSeconds: Scalars['Int']['output'];
  /** Tokens left after this request took its first token. Tokens for its cost are taken later. */
  readonly remaining: Scalars['Int']['output'];
  /** Seconds until another token is available. */
  readonly resetSeconds: Scalars['Int']['output'];
  /** Time at which another token is available. */
  readonly resetAt: Scalars['DateTime']['output'];
};

/** Scope of a rate limit. */
export type RateLimitBy =
  /** Shared by all API keys of one owner. */
  | 'KEY'
  /** Shared by all requests without a key from one IPv4 address or one IPv6 /64 network. */
  | 'ADDRESS';

/** An object with a global id. The id never changes, and `Query.node` fetches the object by it. What was read at a past block has another id than its newest state, by which it is fetched at that block. What is emulated and not on the chain has an id of its own, for which `Query.node` returns null. */
export type Node = {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
};

/** Position of a page in its list (Relay connection specification). */
export type PageInfo = {
  /** Whether there are more items after this page. True also when the list was searched only in part, see the filters of the list. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are items before this page; as `hasNextPage` when a list is read from its end. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first item of the page, or, when a list that is read from its end was searched in part, of the farthest item that was compared with the filter; null when there is none. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
  /** Cursor of the last item of the page, or, when the list was searched in part, of the farthest item that was compared with the filter; null when there is none. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
};

/** Sort direction of a list. */
export type Sort =
  /** Newest, or largest, first. */
  | 'DESC'
  /** Oldest, or smallest, first. */
  | 'ASC';

/** A range of masterchain seqnos; both ends are included. */
export type SeqnoRange = {
  /** Lowest seqno of the range. */
  readonly first: Scalars['UInt32']['output'];
  /** Highest seqno of the range. */
  readonly last: Scalars['UInt32']['output'];
};

/** Hash of everything that the index has derived from a range of masterchain blocks. */
export type RangeDigest = {
  /** Masterchain blocks of the range. */
  readonly range: SeqnoRange;
  /** Hash of all rows, with the complete traces that begin and end in the range and their actions. It does not depend on the order of indexing, nor on other blocks. */
  readonly hash: Scalars['Hash']['output'];
  /** Hash of the complete traces that begin before the range and end in it, and of their actions, as far as the blocks before the range are indexed. */
  readonly crossingHash: Scalars['Hash']['output'];
  /** Number of rows that `hash` covers. */
  readonly rows: Scalars['BigInt']['output'];
  /** Number of traces that `crossingHash` covers. */
  readonly crossingTraces: Scalars['BigInt']['output'];
  /** Number of traces that lack records of contracts from blocks before the index. Their actions, and so the digest, may differ from those of an index that has these blocks. */
  readonly wantingTraces: Scalars['BigInt']['output'];
  /** Versions of the classification that made the actions, ascending. Only digests of the same versions can be compared. */
  readonly actionSets: ReadonlyArray<Scalars['Int']['output']>;
};

/** Status of the index. */
export type IndexStatus = {
  /** Lowest masterchain block in the index; null while the index is empty. */
  readonly first: Maybe<Block>;
  /** Highest masterchain block in the index; null while the index is empty. */
  readonly last: Maybe<Block>;
  /** Ranges of masterchain seqnos that are completely indexed, ascending. More than one range means that there are gaps. */
  readonly ranges: ReadonlyArray<SeqnoRange>;
  /** Ranges of masterchain seqnos that are missing between the indexed ranges, ascending. */
  readonly gaps: ReadonlyArray<SeqnoRange>;
  /** Age of the newest indexed masterchain block in seconds; null while the index is empty. */
  readonly lagSeconds: Maybe<Scalars['Int']['output']>;
  /** Number of transactions by verification, counted during indexing. */
  readonly verification: VerificationCounts;
  /** Approximate numbers of rows, from the statistics of the database. Costs one query. */
  readonly estimates: RowEstimates;
};

/** Number of transactions by verification. Rows that an operator deletes remain counted. */
export type VerificationCounts = {
  /** Transactions whose re-execution produced the same result as the chain. */
  readonly replayed: Scalars['BigInt']['output'];
  /** Transactions that were proven to be in their block but not re-executed. */
  readonly proven: Scalars['BigInt']['output'];
  /** Transactions whose re-execution produced a different result. */
  readonly mismatch: Scalars['BigInt']['output'];
  /** Transactions whose re-execution exceeded its budget. */
  readonly unverified: Scalars['BigInt']['output'];
  /** Transactions made by rules of old global versions that are not executed; they were proven to be in their block. */
  readonly oldRules: Scalars['BigInt']['output'];
  /** Share of `replayed` among all transactions, from 0 to 1; null while the index is empty. */
  readonly replayedShare: Maybe<Scalars['Float']['output']>;
};

/** Approximate numbers of rows; -1 while the database has no statistics. */
export type RowEstimates = {
  /** Blocks of all shards. */
  readonly blocks: Scalars['BigInt']['output'];
  /** Transactions. */
  readonly transactions: Scalars['BigInt']['output'];
  /** Messages. */
  readonly messages: Scalars['BigInt']['output'];
  /** Accounts. */
  readonly accounts: Scalars['BigInt']['output'];
  /** Traces. */
  readonly traces: Scalars['BigInt']['output'];
  /** Actions. */
  readonly actions: Scalars['BigInt']['output'];
  /** Jetton masters. */
  readonly jettonMasters: Scalars['BigInt']['output'];
  /** Jetton wallets. */
  readonly jettonWallets: Scalars['BigInt']['output'];
  /** NFT items. */
  readonly nftItems: Scalars['BigInt']['output'];
};

/** Limits of one request. A request that exceeds one is refused with an error that names the limit. */
export type ServiceConfig = {
  /** Maximum size of the request body in bytes. */
  readonly maxBodyBytes: Scalars['Int']['output'];
  /** Maximum number of tokens in a query document. */
  readonly maxTokens: Scalars['Int']['output'];
  /** Maximum nesting depth of fields. */
  readonly maxDepth: Scalars['Int']['output'];
  /** Maximum number of aliases in a query. */
  readonly maxAliases: Scalars['Int']['output'];
  /** Maximum number of fields at the root of a query. */
  readonly maxRootFields: Scalars['Int']['output'];
  /** Maximum number of fields after all fragments are expanded. */
  readonly maxFields: Scalars['Int']['output'];
  /** Maximum cost of a query. Each object of a page costs as much as its selected fields. */
  readonly maxCost: Scalars['Int']['output'];
  /** Maximum page size. */
  readonly maxPageSize: Scalars['Int']['output'];
  /** Page size when neither `first` nor `last` is given. */
  readonly defaultPageSize: Scalars['Int']['output'];
  /** Request timeout in milliseconds. */
  readonly timeoutMs: Scalars['Int']['output'];
  /** Maximum number of transactions of a simulation. */
  readonly maxSimulatedTransactions: Scalars['Int']['output'];
  /** Maximum gas of all transactions of a simulation. The transaction that exceeds it is the last one. */
  readonly maxSimulatedGas: Scalars['Int']['output'];
  /** Maximum duration of a simulation in milliseconds. */
  readonly maxSimulationMs: Scalars['Int']['output'];
  /** Maximum number of concurrent subscriptions and other operations per connection. */
  readonly maxSubscriptions: Scalars['Int']['output'];
  /** Maximum number of live connections per client address. */
  readonly maxConnections: Scalars['Int']['output'];
  /** Maximum number of masterchain blocks before the newest one at which a subscription may start. */
  readonly maxBlocksBehind: Scalars['Int']['output'];
  /** Time in milliseconds after which a connection is closed if the client does not read an event. */
  readonly slowAfterMs: Scalars['Int']['output'];
};

/** One result of a search. The field that matches `kind` is set; for tokens and domains `account` is set as well. */
export type SearchHit = {
  /** Kind of the result. */
  readonly kind: SearchKind;
  /** Text to display in a list of results: a name, an address or a hash. */
  readonly title: Scalars['String']['output'];
  /** The account; null for results without one. */
  readonly account: Maybe<Account>;
  /** The block; null for other kinds. */
  readonly block: Maybe<Block>;
  /** The transaction; null for other kinds. */
  readonly transaction: Maybe<Transaction>;
  /** A message that was not received by an indexed transaction; null for other kinds. */
  readonly message: Maybe<Message>;
  /** The trace, found by the hash of its external message; null for other kinds. */
  readonly trace: Maybe<Trace>;
  /** Metadata of a Jetton, NFT collection or NFT item; null for other kinds. */
  readonly token: Maybe<TokenMetadata>;
  /** How the text differs from the address of the account; null unless `kind` is `SIMILAR_ACCOUNT`. */
  readonly correction: Maybe<AddressCorrection>;
};

/** A valid user-friendly address that differs from a text in one character, or in the order of two adjacent ones. The text has a wrong checksum. Verify the address before sending coins to it. */
export type AddressCorrection = {
  /** Position of the first character that differs, counted from 1. */
  readonly position: Scalars['Int']['output'];
  /** Number of characters that differ: 1, or 2 when two adjacent characters are swapped. */
  readonly length: Scalars['Int']['output'];
  /** The corrected address in base64url. */
  readonly text: Scalars['String']['output'];
};

/** Kind of a search result. */
export type SearchKind =
  /** An account, by its address or the name of a system contract. */
  | 'ACCOUNT'
  /** An account whose address differs in one character, or in the order of two, from an address with a wrong checksum; `correction` has the difference. */
  | 'SIMILAR_ACCOUNT'
  /** A block, by its id, its seqno, or one of its hashes. */
  | 'BLOCK'
  /** A transaction, by its hash. */
  | 'TRANSACTION'
  /** A message, by its hash. */
  | 'MESSAGE'
  /** A trace, by the hash of the message that started it, or the beginning of its own hash. */
  | 'TRACE'
  /** A Jetton, by its name or symbol. */
  | 'JETTON'
  /** An NFT collection, by its name or symbol. */
  | 'NFT_COLLECTION'
  /** An NFT item, by its name. */
  | 'NFT_ITEM'
  /** A domain, by its name. */
  | 'DOMAIN';

/** Metadata of a token, read from its on-chain and off-chain content (TEP-64). All text is untrusted third-party input: never render it as markup. */
export type TokenMetadata = {
  /** Whether the content could be fetched and parsed. */
  readonly valid: Scalars['Boolean']['output'];
  /** Name; empty when the token has none. */
  readonly name: Scalars['String']['output'];
  /** Ticker symbol; empty when the token has none. */
  readonly symbol: Scalars['String']['output'];
  /** Description; empty when the token has none. */
  readonly description: Scalars['String']['output'];
  /** URL of an image with the scheme http, https, ipfs or data; empty when the token has none. */
  readonly image: Scalars['String']['output'];
  /** Number of decimal places of a Jetton; null when the metadata does not specify it, which means 9 (TEP-64). */
  readonly decimals: Maybe<Scalars['Int']['output']>;
  /** Traits of an NFT item, in the order of its metadata, at most 100; empty when it has none. */
  readonly traits: ReadonlyArray<Trait>;
  /** Whether the operator of this service marked the token as a scam; null when the operator made no statement. */
  readonly scam: Maybe<Scalars['Boolean']['output']>;
  /** Whether the operator of this service marked the image as not safe for work; null when the operator made no statement. */
  readonly nsfw: Maybe<Scalars['Boolean']['output']>;
  /** Path on this server of the image as PNG or JPEG, scaled down to `size`; null when the token has no image, or one that is not served, such as SVG. The response is 204 when the host of the image does not serve it. */
  readonly imagePath: Maybe<Scalars['String']['output']>;
};


/** Metadata of a token, read from its on-chain and off-chain content (TEP-64). All text is untrusted third-party input: never render it as markup. */
export type TokenMetadataImagePathArgs = {
  size?: Scalars['Int']['input'];
};

/** A trait of an NFT item: an entry of `attributes` in its metadata. */
export type Trait = {
  /** Name of the trait; empty when it has none. */
  readonly name: Scalars['String']['output'];
  /** Value as text. */
  readonly value: Scalars['String']['output'];
};

/** What the operator of this service states about an account, from lists of assets and from overrides of metadata. */
export type Reputation =
  /** The account is on a list of recognised accounts. */
  | 'VERIFIED'
  /** The account is marked as a scam. */
  | 'SCAM'
  /** The operator made no statement; nothing follows from that. */
  | 'UNKNOWN';

/** Message to simulate. Exactly one field must be given. */
export type SimulatedMessage =
  /** Complete message as a bag of cells with one root, at most 65535 bytes: external-in, or internal with its source. */
  { readonly boc: Scalars['Boc']['input']; readonly hash?: never; readonly internal?: never; }
  |  /** Hash of an indexed message that a transaction received: it is executed again. Without `at`, on the account states of the masterchain block before the one that committed the transaction. */
  { readonly boc?: never; readonly hash: Scalars['Hash']['input']; readonly internal?: never; }
  |  /** Fields of an internal message. The source is not executed and pays no fees. */
  { readonly boc?: never; readonly hash?: never; readonly internal: InternalMessageInput; };

/** Fields of an internal message. */
export type InternalMessageInput = {
  /** Sender. */
  readonly source: Scalars['Address']['input'];
  /** Receiver. */
  readonly destination: Scalars['Address']['input'];
  /** Value in nanotons. */
  readonly value: Scalars['BigInt']['input'];
  /** Whether the message bounces when it fails. */
  readonly bounce?: Scalars['Boolean']['input'];
  /** Body; empty when omitted. */
  readonly body?: InputMaybe<Scalars['Boc']['input']>;
  /** Code to deploy; requires `initData`. */
  readonly initCode?: InputMaybe<Scalars['Boc']['input']>;
  /** Data to deploy; requires `initCode`. */
  readonly initData?: InputMaybe<Scalars['Boc']['input']>;
};

/** Result of a simulation. */
export type Simulation = {
  /** Seqno of the masterchain block whose account states were used. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** Whether the receiver accepts the message. An internal message is always accepted, even if it bounces. */
  readonly accepted: Scalars['Boolean']['output'];
  /** Why the receiver does not accept the message; null when it does. */
  readonly refusal: Maybe<Scalars['String']['output']>;
  /** Exit code of the first execution; null when no code was executed. */
  readonly exitCode: Maybe<Scalars['Int']['output']>;
  /** Gas used by all transactions; for a message that is not accepted, by the attempt. */
  readonly gasUsed: Scalars['BigInt']['output'];
  /** Fees of all transactions, including the forwarding fees of their messages, in nanotons. */
  readonly totalFees: Scalars['BigInt']['output'];
  /** Limit that ended the simulation while messages were in flight; null when the trace is complete. */
  readonly stopped: Maybe<SimulationStop>;
  /** Simulated trace, with finality `PENDING`. Null when the message is not accepted. Accounts in it return their indexed states; `Transaction.stateAfter` returns the simulated ones. */
  readonly trace: Maybe<Trace>;
};

/** Limit that ended a simulation. */
export type SimulationStop =
  /** Maximum number of transactions. */
  | 'TRANSACTIONS'
  /** Maximum gas. */
  | 'GAS'
  /** Maximum time. */
  | 'TIME'
  /** An execution failed for a reason that does not exist on chain. */
  | 'FAULT'
  /** Maximum size of the transactions, messages and their cells: 12 MiB. */
  | 'SIZE';

/** Changes of an account's balances by a trace or an action. */
export type BalanceChange = {
  /** The account. */
  readonly account: Account;
  /** Change of the balance in nanotons, including fees; negative for a decrease. */
  readonly coins: Scalars['BigInt']['output'];
  /** Fees paid by the account in nanotons, including the forwarding fees of its messages. */
  readonly fees: Scalars['BigInt']['output'];
  /** Changes of the account's balances of extra currencies, by currency id. */
  readonly extraCurrencies: ReadonlyArray<ExtraCurrency>;
  /** Changes of the account's Jetton balances, by Jetton master. Jetton wallets that are not indexed are left out. */
  readonly jettons: ReadonlyArray<JettonChange>;
};

/** Change of an account's balance of one Jetton by a trace or an action. */
export type JettonChange = {
  /** Account of the Jetton master. */
  readonly jettonAccount: Account;
  /** The Jetton master; null when the newest state of that account is not a Jetton master. */
  readonly jetton: Maybe<JettonMaster>;
  /** Change in the Jetton's smallest unit; negative for a decrease. */
  readonly amount: Scalars['BigInt']['output'];
};

/** A trace: the tree of transactions that one message or tick-tock transaction caused. */
export type Trace = Node & {
  /** Balance changes by all transactions of the trace, by account; null when the trace is too large. */
  readonly balanceChanges: Maybe<ReadonlyArray<BalanceChange>>;
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Hash of the first transaction, which identifies the trace. */
  readonly hash: Scalars['Hash']['output'];
  /** Hash of the message that started the trace; null for a tick-tock transaction. */
  readonly externalHash: Maybe<Scalars['Hash']['output']>;
  /** Normalised hash (TEP-467) of that message; null unless it is external. */
  readonly externalHashNorm: Maybe<Scalars['Hash']['output']>;
  /** State of the trace: complete, or with messages in flight. */
  readonly state: TraceState;
  /** Whether the trace was classified, that is, its actions were recognised. */
  readonly classification: ClassificationState;
  /** Finality: whether this can still change. */
  readonly finality: Finality;
  /** Logical time of the first transaction. */
  readonly startLt: Scalars['BigInt']['output'];
  /** Logical time of the last transaction. */
  readonly endLt: Scalars['BigInt']['output'];
  /** Time of the first transaction. */
  readonly startUtime: Scalars['DateTime']['output'];
  /** Time of the last transaction. */
  readonly endUtime: Scalars['DateTime']['output'];
  /** Seqno of the masterchain block that committed the first transaction. */
  readonly mcSeqnoStart: Scalars['UInt32']['output'];
  /** Seqno of the masterchain block that committed the last transaction. */
  readonly mcSeqnoEnd: Scalars['UInt32']['output'];
  /** Number of transactions. */
  readonly transactionCount: Scalars['Int']['output'];
  /** Number of messages received by these transactions, including the first message. */
  readonly messageCount: Scalars['Int']['output'];
  /** Number of messages sent but not received yet. */
  readonly pendingMessageCount: Scalars['Int']['output'];
  /** First transaction; null when it is not indexed. */
  readonly root: Maybe<Transaction>;
  /** Tree of transactions, starting with the first one; null when the trace has more than 4000 transactions. */
  readonly tree: Maybe<TraceNode>;
  /** Transactions by logical time, oldest first by default; empty when the trace has more than 4000 transactions. */
  readonly transactions: TransactionConnection;
  /** Describes what is missing in `tree` and `transactions`; null when they are complete. */
  readonly warning: Maybe<Scalars['String']['output']>;
  /** Transactions of the trace in brief, by logical time, oldest first: at most 2000 from position `skip`. Empty when the trace has more than 4000 transactions. */
  readonly steps: ReadonlyArray<TraceStep>;
  /** Actions of the trace by logical time of start and end, oldest first by default. */
  readonly actions: ActionConnection;
};


/** A trace: the tree of transactions that one message or tick-tock transaction caused. */
export type TraceTransactionsArgs = {
  where?: InputMaybe<TransactionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};


/** A trace: the tree of transactions that one message or tick-tock transaction caused. */
export type TraceStepsArgs = {
  skip?: Scalars['Int']['input'];
};


/** A trace: the tree of transactions that one message or tick-tock transaction caused. */
export type TraceActionsArgs = {
  supported?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
};

/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type Subscription = {
  /** Committed blocks, including masterchain blocks. Order: masterchain seqno, workchain, shard, seqno. */
  readonly blocks: BlockEvent;
  /** Committed transactions. Order: masterchain seqno, logical time, account. */
  readonly transactions: TransactionEvent;
  /** Messages, when the transaction that sent them is committed; messages without a sending transaction, when they are received. Order: masterchain seqno, logical time, account. */
  readonly messages: MessageEvent;
  /** Account states, one for each masterchain block with transactions of the account: the state after the last of them. Order: masterchain seqno, logical time, account. */
  readonly accountStates: AccountStateEvent;
  /** Completed traces. Order: masterchain seqno and logical time of the last transaction, hash of the trace. A trace that started before the first indexed block is sent only if the index has completed it by then. */
  readonly traces: TraceEvent;
  /** Actions of completed traces. Order: masterchain seqno and logical time of the end of the trace, hash of the trace, end and hash of the action. */
  readonly actions: ActionEvent;
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionBlocksArgs = {
  where?: InputMaybe<BlockEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionTransactionsArgs = {
  where?: InputMaybe<TransactionEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  includePending?: Scalars['Boolean']['input'];
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionMessagesArgs = {
  where?: InputMaybe<MessageEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionAccountStatesArgs = {
  accounts: ReadonlyArray<Scalars['Address']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionTracesArgs = {
  where?: InputMaybe<TraceEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  includePending?: Scalars['Boolean']['input'];
};


/** Event streams. Each event is sent once, in the order of masterchain blocks, as soon as its masterchain block is indexed. To resume after a lost connection, pass the cursor of the last event as `after`: missed events are sent first, then new ones. All events are final unless `includePending` is set. Each payload carries its masterchain seqno and cost in `extensions`. */
export type SubscriptionActionsArgs = {
  where?: InputMaybe<ActionEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  includePending?: Scalars['Boolean']['input'];
};

/** Event of a committed block. */
export type BlockEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The block. */
  readonly node: Block;
};

/** Event of a committed or pending transaction. */
export type TransactionEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The transaction. */
  readonly node: Transaction;
};

/** Event of a message. */
export type MessageEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The message. */
  readonly node: Message;
};

/** Event of a new account state. */
export type AccountStateEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that committed it. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The account. */
  readonly account: Account;
  /** State of the account after that masterchain block. */
  readonly node: AccountState;
};

/** Event of a completed or pending trace. */
export type TraceEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that completed the trace. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The trace. */
  readonly node: Trace;
};

/** Event of an action. */
export type ActionEvent = {
  /** Cursor of the event; pass it as `after` to resume after this event. */
  readonly cursor: Scalars['String']['output'];
  /** Seqno of the masterchain block that completed the trace of the action. */
  readonly mcSeqno: Scalars['UInt32']['output'];
  /** The action. */
  readonly node: Action;
};

/** Filter for block events. All given fields must match. Ranges include both ends. */
export type BlockEventWhere = {
  /** Of this workchain: -1 for the masterchain, 0 for the basechain. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** Of this shard; requires `workchain`. */
  readonly shard?: InputMaybe<Scalars['Shard']['input']>;
  /** true: only key blocks; false: only other blocks. */
  readonly keyBlock?: InputMaybe<Scalars['Boolean']['input']>;
  /** Generated at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Generated at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Filter for transaction events. All given fields must match. Ranges include both ends. */
export type TransactionEventWhere = {
  /** Of one of these accounts; at most 100. */
  readonly accounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of none of these accounts; at most 100. */
  readonly excludeAccounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** In blocks of this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In blocks of this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** With this logical time or a later one. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With this logical time or an earlier one. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Of an account of this workchain. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** Of this kind. */
  readonly kind?: InputMaybe<TransactionKind>;
  /** true: only aborted transactions; false: only others. */
  readonly aborted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Caused by a message with this opcode. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** true: only transactions with the outcome `SUCCESS`; false: only others. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
  /** With one of these outcomes. */
  readonly outcomes?: InputMaybe<ReadonlyArray<TransactionOutcome>>;
  /** With this exit code of the compute phase. Transactions whose compute phase was skipped do not match. */
  readonly exitCode?: InputMaybe<Scalars['Int']['input']>;
  /** `IN`: caused by an internal message; `OUT`: that sent an internal message. `counterparties`, `minValue` and `maxValue` must be those of one such message. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** Caused by a message from one of these accounts, or with a message to one of them, as `direction` says; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With an internal message of at least this value in nanotons, received or sent as `direction` says. */
  readonly minValue?: InputMaybe<Scalars['BigInt']['input']>;
  /** With an internal message of at most this value in nanotons, received or sent as `direction` says. */
  readonly maxValue?: InputMaybe<Scalars['BigInt']['input']>;
};

/** Filter for message events. All given fields must match. Ranges include both ends. */
export type MessageEventWhere = {
  /** Sent by or to one of these accounts; at most 100. */
  readonly accounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Sent by one of these accounts; at most 100. */
  readonly sources?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Sent to one of these accounts; at most 100. */
  readonly destinations?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Sent to this workchain; for external-out messages, sent from it. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** With a body of this hash. */
  readonly bodyHash?: InputMaybe<Scalars['Hash']['input']>;
  /** With this opcode. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** Of this kind. */
  readonly kind?: InputMaybe<MessageKind>;
  /** Created at this time or later. External-in messages never match. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created at this time or earlier. External-in messages never match. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created at this logical time or later. External-in messages never match. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Created at this logical time or earlier. External-in messages never match. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With at least this value in nanotons. */
  readonly minValue?: InputMaybe<Scalars['BigInt']['input']>;
  /** With at most this value in nanotons. */
  readonly maxValue?: InputMaybe<Scalars['BigInt']['input']>;
  /** true: only bounced messages; false: only others. */
  readonly bounced?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Filter for trace events. All given fields must match. Ranges include both ends. */
export type TraceEventWhere = {
  /** With a transaction of one of these accounts; at most 100. Traces that are too large to be returned completely do not match. */
  readonly accounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Ended at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Ended at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Ended at this logical time or later. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Ended at this logical time or earlier. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
};

/** Filter for action events. All given fields must match. Ranges include both ends. */
export type ActionEventWhere = {
  /** With one of these accounts among the participants; at most 100. */
  readonly accounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of one of these types, even if `supported` excludes it; at most 100. */
  readonly types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of none of these types; at most 100. `ton_transfer` and `call_contract` stand for `extra_currency_transfer` too. */
  readonly excludeTypes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** In traces that ended at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In traces that ended at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In traces that ended at this logical time or later. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** In traces that ended at this logical time or earlier. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** true: only successful actions; false: only failed ones. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
  /** With this opcode of the first message. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** Direction relative to `accounts`; requires `accounts`. `OUT`: the account is where the action starts, such as its source, sender or owner; `IN`: it is where the action leads, such as its destination, receiver or new owner. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** With one of these accounts among the participants, besides `accounts`; requires `accounts`; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With this asset: a Jetton, an NFT item or a collection. */
  readonly asset?: InputMaybe<Scalars['Address']['input']>;
  /** With an amount of at least this, in the smallest unit of its asset; with `asset`, of that asset. */
  readonly minAmount?: InputMaybe<Scalars['BigInt']['input']>;
  /** With an amount of at most this, in the smallest unit of its asset; with `asset`, of that asset. */
  readonly maxAmount?: InputMaybe<Scalars['BigInt']['input']>;
  /** Action types that the client supports, or names of sets of types such as `v1`; at most 100, `latest` when omitted; `v1` is always supported. An action of an unsupported type is replaced by the actions it consists of. */
  readonly supported?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** State of a trace. */
export type TraceState =
  /** All messages were received. */
  | 'COMPLETE'
  /** Messages are in flight. */
  | 'PENDING'
  /** The trace starts with a message whose sending transaction is not indexed. */
  | 'BROKEN';

/** State of the classification of a trace. */
export type ClassificationState =
  /** Not classified: the trace is not complete, or too large. */
  | 'UNCLASSIFIED'
  /** Classified; the actions are indexed. */
  | 'OK'
  /** The classification failed; the trace has no actions. */
  | 'FAILED';

/** Finality of a transaction, trace or action. */
export type Finality =
  /** Emulated; not in a block. */
  | 'PENDING'
  /** In a block, but the trace is not complete or the block is not committed by a masterchain block. */
  | 'CONFIRMED'
  /** Committed by a masterchain block. */
  | 'FINALIZED'
  /** Was pending, and its message expired or had another outcome. */
  | 'INVALIDATED';

/** One transaction in the tree of a trace. */
export type TraceNode = {
  /** The transaction. */
  readonly transaction: Transaction;
  /** Nodes of the transactions that received the messages of this one, in the order of the messages. Messages that were not received have no node. */
  readonly children: ReadonlyArray<TraceNode>;
};

/** A transaction of a trace in brief, to draw traces of any size. */
export type TraceStep = {
  /** Hash of the transaction. */
  readonly hash: Scalars['Hash']['output'];
  /** Position in the trace, counted from 0, of the transaction that sent the message of this one; null for the first transaction, and when the sender is not indexed. */
  readonly parent: Maybe<Scalars['Int']['output']>;
  /** Address of the account. */
  readonly address: Scalars['Address']['output'];
  /** Overall outcome. */
  readonly outcome: TransactionOutcome;
  /** Exit code of the contract's code; null when it did not run. */
  readonly exitCode: Maybe<Scalars['Int']['output']>;
  /** Why the contract's code did not run; null when it did. */
  readonly skipReason: Maybe<SkipReason>;
  /** Result code of the action phase; null when there was none. */
  readonly resultCode: Maybe<Scalars['Int']['output']>;
  /** Fees in nanotons. */
  readonly totalFees: Scalars['BigInt']['output'];
  /** Change of the balance in nanotons; null when one of the states is not indexed. */
  readonly balanceChange: Maybe<Scalars['BigInt']['output']>;
  /** Kind of the incoming message; null for a tick-tock transaction. */
  readonly messageKind: Maybe<MessageKind>;
  /** Value of the incoming message in nanotons; null when it has none. */
  readonly value: Maybe<Scalars['BigInt']['output']>;
  /** Forwarding or import fee of the incoming message in nanotons; null when it has none. */
  readonly messageFee: Maybe<Scalars['BigInt']['output']>;
  /** Opcode of the incoming message; null when it has none. */
  readonly opcode: Maybe<Scalars['Opcode']['output']>;
  /** Published name of the opcode; null when it has none. */
  readonly decodedOpcode: Maybe<Scalars['String']['output']>;
  /** Whether the incoming message is a bounced one. */
  readonly bounced: Scalars['Boolean']['output'];
};

/** A page of traces. */
export type TraceConnection = {
  /** The traces with their cursors. */
  readonly edges: ReadonlyArray<TraceEdge>;
  /** The traces alone. */
  readonly nodes: ReadonlyArray<Trace>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A trace in a page. */
export type TraceEdge = {
  /** Position of this trace in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The trace. */
  readonly node: Trace;
};

/** Filter for traces. All given fields must match. Ranges include both ends and refer to the end of the trace. At most one of `account`, `hashes`, `transactions` and `messages` may be given. */
export type TraceWhere = {
  /** With a transaction of this account. */
  readonly account?: InputMaybe<Scalars['Address']['input']>;
  /** With one of these hashes; at most 100. */
  readonly hashes?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** Containing one of these transactions; at most 100. */
  readonly transactions?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** Containing one of these messages; plain or normalised hashes, at most 100. */
  readonly messages?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** With a last transaction committed by this masterchain block. */
  readonly mcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  /** Ended at this time or later. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Ended at this time or earlier. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** Ended at this logical time or later. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Ended at this logical time or earlier. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
};

/** Identifies one trace. Exactly one field must be given. */
export type TraceBy =
  /** Trace with this hash, that of its first transaction. */
  { readonly hash: Scalars['Hash']['input']; readonly transaction?: never; readonly message?: never; }
  |  /** Trace that contains this transaction. */
  { readonly hash?: never; readonly transaction: Scalars['Hash']['input']; readonly message?: never; }
  |  /** Trace that contains the message with this plain or normalised hash. */
  { readonly hash?: never; readonly transaction?: never; readonly message: Scalars['Hash']['input']; };

/** How this service verified a transaction. */
export type Verification =
  /** The hash of the block was proven; the transaction was not re-executed, or by rules that are not executed completely here. */
  | 'PROVEN'
  /** Re-executed; transaction hash and resulting state hash are equal to the chain's. */
  | 'REPLAYED'
  /** Re-executed; the result differs from the chain's. */
  | 'MISMATCH'
  /** The re-execution exceeded its budget; the hash of the block was proven. */
  | 'UNVERIFIED'
  /** The hash of the block was proven; the transaction follows rules of a global version before 8 that are not executed here. */
  | 'OLD_RULES';

/** Kind of a transaction: the TL-B constructor of its description. */
export type TransactionKind =
  /** Caused by a message. */
  | 'ORD'
  /** Collects storage fees only. */
  | 'STORAGE'
  /** Executed by the masterchain at the start or end of a block. */
  | 'TICK_TOCK'
  /** First step of splitting an account. */
  | 'SPLIT_PREPARE'
  /** Second step of splitting an account. */
  | 'SPLIT_INSTALL'
  /** First step of merging an account. */
  | 'MERGE_PREPARE'
  /** Second step of merging an account. */
  | 'MERGE_INSTALL';

/** Outcome of a transaction and its phases. A phase that was not executed is null. */
export type TransactionDescription = {
  /** Kind of the transaction. */
  readonly kind: TransactionKind;
  /** Whether the credit phase came before the storage phase. */
  readonly creditFirst: Scalars['Boolean']['output'];
  /** Whether this is a tock transaction, at the end of the block; false for a tick and for other kinds. */
  readonly isTock: Scalars['Boolean']['output'];
  /** Whether the transaction was aborted. Coins may have arrived nevertheless; see `outcome`. */
  readonly aborted: Scalars['Boolean']['output'];
  /** Overall outcome. */
  readonly outcome: TransactionOutcome;
  /** Whether the account was destroyed. */
  readonly destroyed: Scalars['Boolean']['output'];
  /** Storage phase. */
  readonly storage: Maybe<StoragePhase>;
  /** Credit phase. */
  readonly credit: Maybe<CreditPhase>;
  /** Compute phase. */
  readonly compute: Maybe<ComputePhase>;
  /** Action phase. */
  readonly action: Maybe<ActionPhase>;
  /** Bounce phase. */
  readonly bounce: Maybe<BouncePhase>;
};

/** Overall outcome of a transaction. */
export type TransactionOutcome =
  /** Not aborted: the code ran and its actions were executed, or there was no code to run. */
  | 'SUCCESS'
  /** Aborted, because no code could run; the value of the message was credited and stays on the account. The usual outcome of a transfer to an account without code. */
  | 'CREDITED'
  /** Aborted; the message was bounced with the rest of its value. */
  | 'BOUNCED'
  /** Aborted; the message was not bounced. */
  | 'FAILED';

/** Change of the account status by a phase. */
export type StatusChange =
  /** The status did not change. */
  | 'UNCHANGED'
  /** The account was frozen because of its storage debt. */
  | 'FROZEN'
  /** The account was deleted. */
  | 'DELETED';

/** Storage phase: storage fees are collected. */
export type StoragePhase = {
  /** Fees collected, in nanotons. */
  readonly feesCollected: Scalars['BigInt']['output'];
  /** Fees still owed, in nanotons; null when there are none. */
  readonly feesDue: Maybe<Scalars['BigInt']['output']>;
  /** Change of the account status. */
  readonly statusChange: StatusChange;
};

/** Credit phase: the value of the message is added to the balance. */
export type CreditPhase = {
  /** Storage debt paid from the value, in nanotons; null when there was none. */
  readonly dueFeesCollected: Maybe<Scalars['BigInt']['output']>;
  /** Value credited, in nanotons. */
  readonly credit: Scalars['BigInt']['output'];
  /** Extra currencies credited, by currency id. */
  readonly creditExtraCurrencies: ReadonlyArray<ExtraCurrency>;
};

/** Reason for skipping the compute phase. */
export type SkipReason =
  /** The account has no code. */
  | 'NO_STATE'
  /** The StateInit of the message does not match the address. */
  | 'BAD_STATE'
  /** The value does not cover any gas. */
  | 'NO_GAS'
  /** The network configuration suspends the account. */
  | 'SUSPENDED';

/** Compute phase: the contract's code is executed. */
export type ComputePhase = {
  /** Whether the phase was skipped; if so, `reason` is set and the other fields are zero. */
  readonly skipped: Scalars['Boolean']['output'];
  /** Why the phase was skipped; null when it was not. */
  readonly reason: Maybe<SkipReason>;
  /** Whether the exit code was 0 or 1. */
  readonly success: Scalars['Boolean']['output'];
  /** Whether the StateInit of the message was used. */
  readonly msgStateUsed: Scalars['Boolean']['output'];
  /** Whether the account became active. */
  readonly accountActivated: Scalars['Boolean']['output'];
  /** Gas fees in nanotons. */
  readonly gasFees: Scalars['BigInt']['output'];
  /** Gas used. */
  readonly gasUsed: Scalars['BigInt']['output'];
  /** Gas limit. */
  readonly gasLimit: Scalars['BigInt']['output'];
  /** Gas credit of an external message before it is accepted; null for other messages. */
  readonly gasCredit: Maybe<Scalars['BigInt']['output']>;
  /** Execution mode of the TVM. */
  readonly mode: Scalars['Int']['output'];
  /** Exit code of the TVM. */
  readonly exitCode: Scalars['Int']['output'];
  /** Argument of the exception; null when there is none. */
  readonly exitArg: Maybe<Scalars['Int']['output']>;
  /** Number of steps of the TVM. */
  readonly vmSteps: Scalars['UInt32']['output'];
};

/** Action phase: the actions that the code registered are executed. */
export type ActionPhase = {
  /** Whether all actions were executed. */
  readonly success: Scalars['Boolean']['output'];
  /** Whether the action list was well-formed. */
  readonly valid: Scalars['Boolean']['output'];
  /** Whether the balance was insufficient. */
  readonly noFunds: Scalars['Boolean']['output'];
  /** Change of the account status. */
  readonly statusChange: StatusChange;
  /** Forwarding fees of all messages, in nanotons; null when there are none. */
  readonly totalFwdFees: Maybe<Scalars['BigInt']['output']>;
  /** Fees of the phase, in nanotons; null when there are none. */
  readonly totalFees: Maybe<Scalars['BigInt']['output']>;
  /** Result code; 0 for success, else the error of the failed action. */
  readonly resultCode: Scalars['Int']['output'];
  /** Index of the failed action; null when there is none. */
  readonly resultArg: Maybe<Scalars['Int']['output']>;
  /** Number of actions. */
  readonly totalActions: Scalars['Int']['output'];
  /** Number of special actions, which do not send messages. */
  readonly specActions: Scalars['Int']['output'];
  /** Number of actions skipped because their mode allows it. */
  readonly skippedActions: Scalars['Int']['output'];
  /** Number of messages created. */
  readonly msgsCreated: Scalars['Int']['output'];
  /** Hash of the action list. */
  readonly actionListHash: Scalars['Hash']['output'];
};

/** Result of the bounce phase. */
export type BounceKind =
  /** The value did not cover a bounce. */
  | 'NEG_FUNDS'
  /** The value did not cover the forwarding fee. */
  | 'NO_FUNDS'
  /** The message was bounced. */
  | 'OK';

/** Bounce phase: a failed message is returned to its sender. */
export type BouncePhase = {
  /** Result of the phase. */
  readonly kind: BounceKind;
  /** Forwarding fee that was not covered, in nanotons; 0 unless `kind` is `NO_FUNDS`. */
  readonly reqFwdFees: Scalars['BigInt']['output'];
  /** Fee collected by the validators, in nanotons; 0 unless `kind` is `OK`. */
  readonly msgFees: Scalars['BigInt']['output'];
  /** Forwarding fee of the bounced message, in nanotons; 0 unless `kind` is `OK`. */
  readonly fwdFees: Scalars['BigInt']['output'];
};

/** A page of transactions. */
export type TransactionConnection = {
  /** The transactions with their cursors. */
  readonly edges: ReadonlyArray<TransactionEdge>;
  /** The transactions alone. */
  readonly nodes: ReadonlyArray<Transaction>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A transaction in a page. */
export type TransactionEdge = {
  /** Position of this transaction in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The transaction. */
  readonly node: Transaction;
};

/** Filter for transactions. All given fields must match. Ranges include both ends. The conditions from `workchain` on are applied to at most 5,000 rows for a page, 1,000 within another object: a page may have fewer rows than requested, or none, and be followed by more (`pageInfo`). */
export type TransactionWhere = {
  /** Of one of these accounts; at most 100. */
  readonly accounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Of none of these accounts; at most 100. */
  readonly excludeAccounts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these hashes; at most 100. The list is then ordered by hash. */
  readonly hashes?: InputMaybe<ReadonlyArray<Scalars['Hash']['input']>>;
  /** Committed by this masterchain block. */
  readonly mcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
  /** In this block. */
  readonly block?: InputMaybe<BlockIdInput>;
  /** In blocks of this time or later. With a range of times the list is ordered by time. */
  readonly startUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** In blocks of this time or earlier. With a range of times the list is ordered by time. */
  readonly endUtime?: InputMaybe<Scalars['DateTime']['input']>;
  /** With this logical time or a later one. */
  readonly startLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** With this logical time or an earlier one. */
  readonly endLt?: InputMaybe<Scalars['BigInt']['input']>;
  /** Of an account of this workchain. */
  readonly workchain?: InputMaybe<Scalars['Int']['input']>;
  /** true: only aborted transactions; false: only others. */
  readonly aborted?: InputMaybe<Scalars['Boolean']['input']>;
  /** true: only transactions with the outcome `SUCCESS`; false: only others. */
  readonly success?: InputMaybe<Scalars['Boolean']['input']>;
  /** With one of these outcomes. */
  readonly outcomes?: InputMaybe<ReadonlyArray<TransactionOutcome>>;
  /** Of this kind. */
  readonly kind?: InputMaybe<TransactionKind>;
  /** With this exit code of the compute phase. Transactions whose compute phase was skipped do not match. */
  readonly exitCode?: InputMaybe<Scalars['Int']['input']>;
  /** Caused by a message with this opcode. */
  readonly opcode?: InputMaybe<Scalars['Opcode']['input']>;
  /** `IN`: caused by an internal message; `OUT`: that sent an internal message. `counterparties`, `minValue` and `maxValue` must be those of one such message. */
  readonly direction?: InputMaybe<TransferDirection>;
  /** Caused by a message from one of these accounts, or with a message to one of them, as `direction` says; at most 100. */
  readonly counterparties?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With an internal message of at least this value in nanotons, received or sent as `direction` says. */
  readonly minValue?: InputMaybe<Scalars['BigInt']['input']>;
  /** With an internal message of at most this value in nanotons, received or sent as `direction` says. */
  readonly maxValue?: InputMaybe<Scalars['BigInt']['input']>;
};

/** The time of a validator set, which key blocks name as the next, the current and the previous one. Amounts are in nanotons. */
export type ValidatorCycle = {
  /** Unix time at which it begins. */
  readonly start: Scalars['UInt32']['output'];
  /** Unix time at which it ends. */
  readonly end: Scalars['UInt32']['output'];
  /** Hash of the validator set. */
  readonly setHash: Scalars['Hash']['output'];
  /** Number of validators. */
  readonly total: Scalars['UInt32']['output'];
  /** Number of validators of the masterchain. */
  readonly main: Scalars['UInt32']['output'];
  /** Weight of all validators. */
  readonly totalWeight: Scalars['BigInt']['output'];
  /** Id of the election; null where the index has no state of the elector with it. */
  readonly electionId: Maybe<Scalars['UInt32']['output']>;
  /** Stake of all validators; null as `electionId`. */
  readonly totalStake: Maybe<Scalars['BigInt']['output']>;
  /** Smallest stake; null unless those of all validators are present. */
  readonly minStake: Maybe<Scalars['BigInt']['output']>;
  /** Largest stake; null unless those of all validators are present. */
  readonly maxStake: Maybe<Scalars['BigInt']['output']>;
  /** Parameters of elections at the first key block that names the validators. */
  readonly params: ElectionParams;
  /** Validators, by index. */
  readonly validators: ReadonlyArray<CycleValidator>;
};

/** Parameters of elections: configuration parameters 15, 16 and 17. Amounts are in nanotons. */
export type ElectionParams = {
  /** Length of a validation cycle, in seconds. */
  readonly validatorsElectedFor: Scalars['UInt32']['output'];
  /** When an election begins, in seconds before the cycle. */
  readonly electionsStartBefore: Scalars['UInt32']['output'];
  /** When an election ends, in seconds before the cycle. */
  readonly electionsEndBefore: Scalars['UInt32']['output'];
  /** How long stakes are frozen after the cycle, in seconds. */
  readonly stakeHeldFor: Scalars['UInt32']['output'];
  /** Maximum number of validators. */
  readonly maxValidators: Scalars['UInt32']['output'];
  /** Maximum number of validators of the masterchain. */
  readonly maxMainValidators: Scalars['UInt32']['output'];
  /** Minimum number of validators. */
  readonly minValidators: Scalars['UInt32']['output'];
  /** Smallest stake that is accepted. */
  readonly minStake: Scalars['BigInt']['output'];
  /** Largest stake that counts. */
  readonly maxStake: Scalars['BigInt']['output'];
  /** Smallest total stake of an election. */
  readonly minTotalStake: Scalars['BigInt']['output'];
  /** Largest ratio of two stakes that count; 65536 is 1. */
  readonly maxStakeFactor: Scalars['UInt32']['output'];
};

/** A validator of a cycle. Amounts are in nanotons. */
export type CycleValidator = {
  /** Index in the validator set. */
  readonly index: Scalars['UInt32']['output'];
  /** Ed25519 public key. */
  readonly publicKey: Scalars['Hash']['output'];
  /** ADNL id; zero in an entry without one. */
  readonly adnl: Scalars['Hash']['output'];
  /** Weight of its votes. */
  readonly weight: Scalars['BigInt']['output'];
  /** Account with the stake; null where the index has no state of the elector with the election. */
  readonly stakeHolder: Maybe<Account>;
  /** The part of the stake that counts; null as `stakeHolder`. */
  readonly stake: Maybe<Scalars['BigInt']['output']>;
  /** Maximum stake factor, as declared; 65536 is 1. Null where the index has no state of the elector with the participants. */
  readonly maxFactor: Maybe<Scalars['UInt32']['output']>;
  /** Complaints about the validator, newest first. */
  readonly complaints: ReadonlyArray<ValidatorComplaint>;
};

/** An election of validators, as the elector has it. Amounts are in nanotons. */
export type ValidatorElection = {
  /** Unix time for which it was announced that the validators begin. */
  readonly id: Scalars['UInt32']['output'];
  /** Unix time at which it ends. */
  readonly close: Scalars['UInt32']['output'];
  /** Smallest stake that is accepted. */
  readonly minStake: Scalars['BigInt']['output'];
  /** Sum of the stakes. */
  readonly totalStake: Scalars['BigInt']['output'];
  /** Whether there were not enough stakes; the election continues when more arrive. */
  readonly failed: Scalars['Boolean']['output'];
  /** Whether validators were elected. */
  readonly finished: Scalars['Boolean']['output'];
  /** Number of participants. */
  readonly participantCount: Scalars['Int']['output'];
  /** Participants, by stake, largest first, then by public key. */
  readonly participants: ReadonlyArray<ElectionParticipant>;
};

/** An account that stakes in an election. */
export type ElectionParticipant = {
  /** Ed25519 public key of the validator. */
  readonly publicKey: Scalars['Hash']['output'];
  /** Index in the validator set; null unless the validator was elected. */
  readonly index: Maybe<Scalars['UInt32']['output']>;
  /** Stake, in nanotons. */
  readonly stake: Scalars['BigInt']['output'];
  /** Maximum stake factor, as declared; 65536 is 1. */
  readonly maxFactor: Scalars['UInt32']['output'];
  /** Account with the stake. */
  readonly stakeHolder: Account;
  /** ADNL id of the validator. */
  readonly adnl: Scalars['Hash']['output'];
};

/** A complaint about a validator, as it was when the elector returned the stakes of the cycle, or is now. Amounts are in nanotons. */
export type ValidatorComplaint = {
  /** Unix time at which the cycle begins. */
  readonly cycleStart: Scalars['UInt32']['output'];
  /** Id of the election. */
  readonly electionId: Scalars['UInt32']['output'];
  /** Hash of the complaint. */
  readonly hash: Scalars['Hash']['output'];
  /** Ed25519 public key of the validator. */
  readonly publicKey: Scalars['Hash']['output'];
  /** ADNL id of the validator; null when the cycle has no validator with the public key. */
  readonly adnl: Maybe<Scalars['Hash']['output']>;
  /** Account with the stake of the validator; null when the elector has no stake of it. */
  readonly stakeHolder: Maybe<Account>;
  /** Description of the complaint. */
  readonly description: Scalars['Boc']['output'];
  /** Unix time of the complaint. */
  readonly createdAt: Scalars['UInt32']['output'];
  /** Severity, as the complaint states it. */
  readonly severity: Scalars['UInt32']['output'];
  /** Account that gets a reward if the complaint is accepted. */
  readonly rewardAccount: Account;
  /** What the complaint cost. */
  readonly paid: Scalars['BigInt']['output'];
  /** Fine that the complaint suggests. */
  readonly suggestedFine: Scalars['BigInt']['output'];
  /** Share of the stake that it suggests; 4294967296 is all of it. */
  readonly suggestedFinePart: Scalars['UInt32']['output'];
  /** Votes for the complaint, by index. */
  readonly votes: ReadonlyArray<ComplaintVote>;
  /** Hash of the validator set that votes; zero before the first vote. */
  readonly setHash: Scalars['Hash']['output'];
  /** Weight that the complaint needs further; negative once it is accepted. */
  readonly weightRemaining: Scalars['BigInt']['output'];
  /** Share of the weight that voted, in percent. */
  readonly approvedPercent: Scalars['Float']['output'];
  /** Whether the complaint is accepted. */
  readonly passed: Scalars['Boolean']['output'];
};

/** The vote of a validator for a complaint. */
export type ComplaintVote = {
  /** Index in the validator set. */
  readonly index: Scalars['UInt32']['output'];
  /** Ed25519 public key; null when the index lacks the validator set. */
  readonly publicKey: Maybe<Scalars['Hash']['output']>;
  /** ADNL id; null as `publicKey`. */
  readonly adnl: Maybe<Scalars['Hash']['output']>;
  /** Weight of the vote; null as `publicKey`. */
  readonly weight: Maybe<Scalars['BigInt']['output']>;
};

/** Kind of an event between an account that stakes and the elector. */
export type StakeEventType =
  /** The elector accepted a stake. */
  | 'STAKE_ACCEPTED'
  /** The elector returned a stake at once. */
  | 'STAKE_REJECTED'
  /** An account requested its stake. */
  | 'RECOVER_REQUESTED'
  /** The elector returned a stake on request. */
  | 'STAKE_RECOVERED'
  /** The elector had nothing to return. */
  | 'RECOVER_FAILED';

/** A message between an account that stakes and the elector. */
export type StakeEvent = {
  /** Kind of the event. */
  readonly type: StakeEventType;
  /** Account that stakes. */
  readonly stakeHolder: Account;
  /** Ed25519 public key of the validator, of a stake that was sent; null otherwise. */
  readonly publicKey: Maybe<Scalars['Hash']['output']>;
  /** ADNL id of the validator; null as `publicKey`. */
  readonly adnl: Maybe<Scalars['Hash']['output']>;
  /** Id of the election; null as `publicKey`. */
  readonly electionId: Maybe<Scalars['UInt32']['output']>;
  /** `query_id` of the message. */
  readonly queryId: Scalars['BigInt']['output'];
  /** The stake, what was returned, or the value of the message, in nanotons. */
  readonly amount: Scalars['BigInt']['output'];
  /** Why the elector rejected a stake; null otherwise. */
  readonly reason: Maybe<Scalars['Int']['output']>;
  /** Hash of the transaction that received the message. */
  readonly transactionHash: Scalars['Hash']['output'];
  /** Logical time of the transaction. */
  readonly lt: Scalars['BigInt']['output'];
  /** Time of the transaction. */
  readonly now: Scalars['DateTime']['output'];
  /** The transaction. */
  readonly transaction: Maybe<Transaction>;
};

/** Filter for validation cycles. */
export type ValidatorCycleWhere = {
  /** That begins at this unix time. */
  readonly start?: InputMaybe<Scalars['UInt32']['input']>;
  /** Of this election. */
  readonly electionId?: InputMaybe<Scalars['UInt32']['input']>;
  /** With a validator whose stake this account has. */
  readonly stakeHolder?: InputMaybe<Scalars['Address']['input']>;
  /** With a validator with this ADNL id. */
  readonly adnl?: InputMaybe<Scalars['Hash']['input']>;
  /** With a validator with this public key. */
  readonly publicKey?: InputMaybe<Scalars['Hash']['input']>;
  /** Not beginning before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** Not beginning after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** Filter for elections of validators. One participant must match all that is given of one. */
export type ValidatorElectionWhere = {
  /** With this id. */
  readonly id?: InputMaybe<Scalars['UInt32']['input']>;
  /** Finished, or not. */
  readonly finished?: InputMaybe<Scalars['Boolean']['input']>;
  /** With a participant whose stake this account has. */
  readonly stakeHolder?: InputMaybe<Scalars['Address']['input']>;
  /** With a participant with this ADNL id. */
  readonly adnl?: InputMaybe<Scalars['Hash']['input']>;
  /** With a participant with this public key. */
  readonly publicKey?: InputMaybe<Scalars['Hash']['input']>;
  /** With an id not before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** With an id not after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** Filter for complaints about validators. */
export type ValidatorComplaintWhere = {
  /** About the cycle that begins at this unix time. */
  readonly cycleStart?: InputMaybe<Scalars['UInt32']['input']>;
  /** About a validator of this election. */
  readonly electionId?: InputMaybe<Scalars['UInt32']['input']>;
  /** About a validator whose stake this account has. */
  readonly stakeHolder?: InputMaybe<Scalars['Address']['input']>;
  /** About the validator with this ADNL id. */
  readonly adnl?: InputMaybe<Scalars['Hash']['input']>;
  /** About the validator with this public key. */
  readonly publicKey?: InputMaybe<Scalars['Hash']['input']>;
  /** Not made before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** Not made after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** Filter for events between accounts that stake and the elector. */
export type StakeEventWhere = {
  /** Of this account. */
  readonly stakeHolder?: InputMaybe<Scalars['Address']['input']>;
  /** Stakes for the validator with this public key. */
  readonly publicKey?: InputMaybe<Scalars['Hash']['input']>;
  /** Of this kind. */
  readonly type?: InputMaybe<StakeEventType>;
  /** Not before this unix time. */
  readonly startUtime?: InputMaybe<Scalars['UInt32']['input']>;
  /** Not after this unix time. */
  readonly endUtime?: InputMaybe<Scalars['UInt32']['input']>;
};

/** A vesting wallet, which releases its coins over time. Durations are in seconds. */
export type Vesting = Node & {
  /** Opaque global id; `Query.node` fetches the object by it. */
  readonly id: Scalars['ID']['output'];
  /** Account of the wallet. */
  readonly account: Account;
  /** Unix time at which the schedule starts. */
  readonly startTime: Scalars['BigInt']['output'];
  /** Time from the start until all coins are released. */
  readonly totalDuration: Scalars['UInt32']['output'];
  /** Interval between releases. */
  readonly unlockPeriod: Scalars['UInt32']['output'];
  /** Time from the start until the first release. */
  readonly cliffDuration: Scalars['UInt32']['output'];
  /** Amount locked at the start, in nanotons. */
  readonly totalAmount: Scalars['BigInt']['output'];
  /** Locked and released amounts at the newest indexed block; null when the schedule is invalid because its unlock period is 0 or longer than its total duration. */
  readonly progress: Maybe<VestingProgress>;
  /** Account that funded the wallet. */
  readonly sender: Account;
  /** Owner of the wallet. */
  readonly owner: Account;
  /** Accounts that may be paid while coins are locked, by address. */
  readonly whitelist: ReadonlyArray<Account>;
  /** Hash of the contract's code. */
  readonly codeHash: Scalars['Hash']['output'];
  /** Hash of the contract's data. */
  readonly dataHash: Scalars['Hash']['output'];
  /** Logical time of the transaction that produced this state. */
  readonly lastTxLt: Scalars['BigInt']['output'];
};

/** Progress of a vesting schedule, computed as by the get-method `get_locked_amount`. */
export type VestingProgress = {
  /** Time of the block that the progress is computed for. */
  readonly time: Scalars['DateTime']['output'];
  /** Locked amount in nanotons. The balance may be lower, because locked coins can be paid to the whitelist. */
  readonly lockedAmount: Scalars['BigInt']['output'];
  /** Released amount in nanotons. */
  readonly releasedAmount: Scalars['BigInt']['output'];
  /** Time of the next release; null when nothing is locked. */
  readonly nextReleaseAt: Maybe<Scalars['DateTime']['output']>;
};

/** A page of vesting wallets. */
export type VestingConnection = {
  /** The vesting wallets with their cursors. */
  readonly edges: ReadonlyArray<VestingEdge>;
  /** The vesting wallets alone. */
  readonly nodes: ReadonlyArray<Vesting>;
  /** Position of the page in its list, for paging on. */
  readonly pageInfo: PageInfo;
};

/** A vesting wallet in a page. */
export type VestingEdge = {
  /** Position of this vesting wallet in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The vesting wallet. */
  readonly node: Vesting;
};

/** Filter for vesting wallets. Exactly one of `contracts` and `wallets` must be given. */
export type VestingWhere = {
  /** With one of these addresses; at most 100. */
  readonly contracts?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** With one of these accounts as owner or sender; at most 100. */
  readonly wallets?: InputMaybe<ReadonlyArray<Scalars['Address']['input']>>;
  /** Also match vesting wallets with one of `wallets` in their whitelist. */
  readonly checkWhitelist?: InputMaybe<Scalars['Boolean']['input']>;
};

export type AccountQueryVariables = Exact<{
  address: Scalars['Address']['input'];
}>;


export type AccountQuery = { readonly account: { readonly id: string, readonly address: string, readonly friendly: string, readonly state: { readonly lt: string, readonly hash: string, readonly status: AccountStatus, readonly balance: string, readonly codeHash: string | null, readonly dataHash: string | null, readonly lastPaid: string } | null, readonly wallet: { readonly name: string, readonly seqno: number | null, readonly walletId: number | null } | null } };

export type JettonWalletsQueryVariables = Exact<{
  where?: InputMaybe<JettonWalletWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type JettonWalletsQuery = { readonly jettonWallets: { readonly nodes: ReadonlyArray<{ readonly balance: string, readonly account: { readonly address: string }, readonly owner: { readonly address: string }, readonly jettonAccount: { readonly address: string }, readonly jetton: { readonly totalSupply: string, readonly content: unknown } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type HeadQueryVariables = Exact<{ [key: string]: never; }>;


export type HeadQuery = { readonly masterchain: { readonly block: { readonly seqno: number, readonly rootHash: string, readonly genUtime: string }, readonly first: { readonly seqno: number }, readonly last: { readonly seqno: number } } | null };

export type MasterchainBlockQueryVariables = Exact<{
  seqno: Scalars['UInt32']['input'];
}>;


export type MasterchainBlockQuery = { readonly masterchain: { readonly block: { readonly id: string, readonly workchain: number, readonly shard: string, readonly seqno: number, readonly rootHash: string, readonly fileHash: string, readonly mcSeqno: number, readonly genUtime: string, readonly startLt: string, readonly endLt: string, readonly keyBlock: boolean, readonly txCount: number }, readonly shards: ReadonlyArray<{ readonly id: string, readonly workchain: number, readonly shard: string, readonly seqno: number, readonly rootHash: string, readonly fileHash: string, readonly mcSeqno: number, readonly genUtime: string, readonly startLt: string, readonly endLt: string, readonly keyBlock: boolean, readonly txCount: number }> } | null };

export type BlocksQueryVariables = Exact<{
  where?: InputMaybe<BlockWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
}>;


export type BlocksQuery = { readonly blocks: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly workchain: number, readonly shard: string, readonly seqno: number, readonly rootHash: string, readonly fileHash: string, readonly mcSeqno: number, readonly genUtime: string, readonly startLt: string, readonly endLt: string, readonly keyBlock: boolean, readonly txCount: number }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type BlockFieldsFragment = { readonly id: string, readonly workchain: number, readonly shard: string, readonly seqno: number, readonly rootHash: string, readonly fileHash: string, readonly mcSeqno: number, readonly genUtime: string, readonly startLt: string, readonly endLt: string, readonly keyBlock: boolean, readonly txCount: number };

export type TransactionQueryVariables = Exact<{
  hash: Scalars['Hash']['input'];
}>;


export type TransactionQuery = { readonly transaction: { readonly id: string, readonly hash: string, readonly lt: string, readonly now: string, readonly mcSeqno: number, readonly totalFees: string, readonly endStatus: AccountStatus, readonly account: { readonly address: string }, readonly description: { readonly kind: TransactionKind, readonly aborted: boolean, readonly outcome: TransactionOutcome }, readonly inMessage: { readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null } | null, readonly outMessages: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null }> } | null };

export type TransactionsQueryVariables = Exact<{
  where?: InputMaybe<TransactionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
}>;


export type TransactionsQuery = { readonly transactions: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly lt: string, readonly now: string, readonly mcSeqno: number, readonly totalFees: string, readonly endStatus: AccountStatus, readonly account: { readonly address: string }, readonly description: { readonly kind: TransactionKind, readonly aborted: boolean, readonly outcome: TransactionOutcome }, readonly inMessage: { readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null } | null, readonly outMessages: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null }> }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ActionsQueryVariables = Exact<{
  where?: InputMaybe<ActionWhere>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Sort>;
}>;


export type ActionsQuery = { readonly actions: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly type: string, readonly success: boolean, readonly startLt: string, readonly endLt: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type BlockEventsSubscriptionVariables = Exact<{
  where?: InputMaybe<BlockEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
}>;


export type BlockEventsSubscription = { readonly blocks: { readonly cursor: string, readonly mcSeqno: number, readonly node: { readonly id: string, readonly workchain: number, readonly shard: string, readonly seqno: number, readonly rootHash: string, readonly fileHash: string, readonly mcSeqno: number, readonly genUtime: string, readonly startLt: string, readonly endLt: string, readonly keyBlock: boolean, readonly txCount: number } } };

export type TransactionEventsSubscriptionVariables = Exact<{
  where?: InputMaybe<TransactionEventWhere>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterMcSeqno?: InputMaybe<Scalars['UInt32']['input']>;
}>;


export type TransactionEventsSubscription = { readonly transactions: { readonly cursor: string, readonly mcSeqno: number, readonly node: { readonly id: string, readonly hash: string, readonly lt: string, readonly now: string, readonly mcSeqno: number, readonly totalFees: string, readonly endStatus: AccountStatus, readonly account: { readonly address: string }, readonly description: { readonly kind: TransactionKind, readonly aborted: boolean, readonly outcome: TransactionOutcome }, readonly inMessage: { readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null } | null, readonly outMessages: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null }> } } };

export type TransactionFieldsFragment = { readonly id: string, readonly hash: string, readonly lt: string, readonly now: string, readonly mcSeqno: number, readonly totalFees: string, readonly endStatus: AccountStatus, readonly account: { readonly address: string }, readonly description: { readonly kind: TransactionKind, readonly aborted: boolean, readonly outcome: TransactionOutcome }, readonly inMessage: { readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null } | null, readonly outMessages: ReadonlyArray<{ readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null }> };

export type MessageFieldsFragment = { readonly id: string, readonly hash: string, readonly kind: MessageKind, readonly value: string | null, readonly opcode: string | null, readonly decoded: unknown | null, readonly source: { readonly address: string } | null, readonly destination: { readonly address: string } | null };

export const BlockFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BlockFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Block"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workchain"}},{"kind":"Field","name":{"kind":"Name","value":"shard"}},{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"rootHash"}},{"kind":"Field","name":{"kind":"Name","value":"fileHash"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"genUtime"}},{"kind":"Field","name":{"kind":"Name","value":"startLt"}},{"kind":"Field","name":{"kind":"Name","value":"endLt"}},{"kind":"Field","name":{"kind":"Name","value":"keyBlock"}},{"kind":"Field","name":{"kind":"Name","value":"txCount"}}]}}]} as unknown as DocumentNode<BlockFieldsFragment, unknown>;
export const MessageFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"destination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"opcode"}},{"kind":"Field","name":{"kind":"Name","value":"decoded"}}]}}]} as unknown as DocumentNode<MessageFieldsFragment, unknown>;
export const TransactionFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"lt"}},{"kind":"Field","name":{"kind":"Name","value":"now"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"totalFees"}},{"kind":"Field","name":{"kind":"Name","value":"endStatus"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"description"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"aborted"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"outMessages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"destination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"opcode"}},{"kind":"Field","name":{"kind":"Name","value":"decoded"}}]}}]} as unknown as DocumentNode<TransactionFieldsFragment, unknown>;
export const AccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Account"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"address"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Address"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"address"},"value":{"kind":"Variable","name":{"kind":"Name","value":"address"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"friendly"}},{"kind":"Field","name":{"kind":"Name","value":"state"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lt"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"codeHash"}},{"kind":"Field","name":{"kind":"Name","value":"dataHash"}},{"kind":"Field","name":{"kind":"Name","value":"lastPaid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"wallet"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"walletId"}}]}}]}}]}}]} as unknown as DocumentNode<AccountQuery, AccountQueryVariables>;
export const JettonWalletsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"JettonWallets"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"JettonWalletWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"jettonWallets"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jettonAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jetton"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalSupply"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<JettonWalletsQuery, JettonWalletsQueryVariables>;
export const HeadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Head"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"masterchain"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"block"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"rootHash"}},{"kind":"Field","name":{"kind":"Name","value":"genUtime"}}]}},{"kind":"Field","name":{"kind":"Name","value":"first"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"seqno"}}]}},{"kind":"Field","name":{"kind":"Name","value":"last"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"seqno"}}]}}]}}]}}]} as unknown as DocumentNode<HeadQuery, HeadQueryVariables>;
export const MasterchainBlockDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MasterchainBlock"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"seqno"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UInt32"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"masterchain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"at"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"seqno"},"value":{"kind":"Variable","name":{"kind":"Name","value":"seqno"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"block"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BlockFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"shards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BlockFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BlockFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Block"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workchain"}},{"kind":"Field","name":{"kind":"Name","value":"shard"}},{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"rootHash"}},{"kind":"Field","name":{"kind":"Name","value":"fileHash"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"genUtime"}},{"kind":"Field","name":{"kind":"Name","value":"startLt"}},{"kind":"Field","name":{"kind":"Name","value":"endLt"}},{"kind":"Field","name":{"kind":"Name","value":"keyBlock"}},{"kind":"Field","name":{"kind":"Name","value":"txCount"}}]}}]} as unknown as DocumentNode<MasterchainBlockQuery, MasterchainBlockQueryVariables>;
export const BlocksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Blocks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blocks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BlockFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BlockFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Block"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workchain"}},{"kind":"Field","name":{"kind":"Name","value":"shard"}},{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"rootHash"}},{"kind":"Field","name":{"kind":"Name","value":"fileHash"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"genUtime"}},{"kind":"Field","name":{"kind":"Name","value":"startLt"}},{"kind":"Field","name":{"kind":"Name","value":"endLt"}},{"kind":"Field","name":{"kind":"Name","value":"keyBlock"}},{"kind":"Field","name":{"kind":"Name","value":"txCount"}}]}}]} as unknown as DocumentNode<BlocksQuery, BlocksQueryVariables>;
export const TransactionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Transaction"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"hash"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Hash"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transaction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"hash"},"value":{"kind":"Variable","name":{"kind":"Name","value":"hash"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TransactionFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"destination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"opcode"}},{"kind":"Field","name":{"kind":"Name","value":"decoded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"lt"}},{"kind":"Field","name":{"kind":"Name","value":"now"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"totalFees"}},{"kind":"Field","name":{"kind":"Name","value":"endStatus"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"description"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"aborted"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"outMessages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}}]}}]} as unknown as DocumentNode<TransactionQuery, TransactionQueryVariables>;
export const TransactionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Transactions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TransactionWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TransactionFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"destination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"opcode"}},{"kind":"Field","name":{"kind":"Name","value":"decoded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"lt"}},{"kind":"Field","name":{"kind":"Name","value":"now"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"totalFees"}},{"kind":"Field","name":{"kind":"Name","value":"endStatus"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"description"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"aborted"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"outMessages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}}]}}]} as unknown as DocumentNode<TransactionsQuery, TransactionsQueryVariables>;
export const ActionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Actions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ActionWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"startLt"}},{"kind":"Field","name":{"kind":"Name","value":"endLt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ActionsQuery, ActionsQueryVariables>;
export const BlockEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"BlockEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BlockEventWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterMcSeqno"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UInt32"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blocks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterMcSeqno"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterMcSeqno"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BlockFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BlockFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Block"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workchain"}},{"kind":"Field","name":{"kind":"Name","value":"shard"}},{"kind":"Field","name":{"kind":"Name","value":"seqno"}},{"kind":"Field","name":{"kind":"Name","value":"rootHash"}},{"kind":"Field","name":{"kind":"Name","value":"fileHash"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"genUtime"}},{"kind":"Field","name":{"kind":"Name","value":"startLt"}},{"kind":"Field","name":{"kind":"Name","value":"endLt"}},{"kind":"Field","name":{"kind":"Name","value":"keyBlock"}},{"kind":"Field","name":{"kind":"Name","value":"txCount"}}]}}]} as unknown as DocumentNode<BlockEventsSubscription, BlockEventsSubscriptionVariables>;
export const TransactionEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TransactionEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TransactionEventWhere"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterMcSeqno"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UInt32"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterMcSeqno"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterMcSeqno"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TransactionFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"destination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"opcode"}},{"kind":"Field","name":{"kind":"Name","value":"decoded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}},{"kind":"Field","name":{"kind":"Name","value":"lt"}},{"kind":"Field","name":{"kind":"Name","value":"now"}},{"kind":"Field","name":{"kind":"Name","value":"mcSeqno"}},{"kind":"Field","name":{"kind":"Name","value":"totalFees"}},{"kind":"Field","name":{"kind":"Name","value":"endStatus"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}}]}},{"kind":"Field","name":{"kind":"Name","value":"description"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"aborted"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"outMessages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageFields"}}]}}]}}]} as unknown as DocumentNode<TransactionEventsSubscription, TransactionEventsSubscriptionVariables>;
