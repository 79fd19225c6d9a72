// Typed calls of a client that is generated from the published OpenAPI document, one of each route it reads:
//   node out/published.js BASE_URL
// Prints one JSON object with what it found.
import createClient from 'openapi-fetch';
import type { paths } from './published.schema.js';

declare const process: { argv: string[] };
const client = createClient<paths>({ baseUrl: process.argv[2]! });

function must<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.url}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

// some gives a member that the document does not promise, but the chain of the test has.
function some<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`no ${what}`);
  return value;
}

const seen: Record<string, number> = {};
const count = (name: string, rows: readonly unknown[] | undefined) => { seen[name] = rows?.length ?? -1; };

const info = must(await client.GET('/api/v3/masterchainInfo'));
const seqno = some(info.last?.seqno, 'last block');
count('blocks', must(await client.GET('/api/v3/blocks', { params: { query: { mc_seqno: seqno, sort: 'asc' } } })).blocks);
must(await client.GET('/api/v3/masterchainBlockShardState', { params: { query: { seqno } } }));
must(await client.GET('/api/v3/masterchainBlockShards', { params: { query: { seqno, limit: 5 } } }));
const transactions = some(must(await client.GET('/api/v3/transactions', {
  params: { query: { start_utime: 1, exclude_account: [`-1:${'3'.repeat(64)}`], limit: 100, offset: 1, sort: 'desc' } },
})).transactions, 'transactions');
count('transactions', transactions);
const child = some(transactions.find((t) => t.in_msg?.source && t.in_msg.message_content?.body), 'transaction by a message');
const message = some(child.in_msg, 'message');
count('byHash', must(await client.GET('/api/v3/transactions', { params: { query: { hash: some(child.hash, 'hash') } } })).transactions);
count('byBlock', must(await client.GET('/api/v3/transactionsByMasterchainBlock', {
  params: { query: { seqno: some(child.mc_block_seqno, 'seqno') } },
})).transactions);
count('byMessage', must(await client.GET('/api/v3/transactionsByMessage', {
  params: { query: { msg_hash: some(message.hash, 'hash'), direction: 'in' } },
})).transactions);
count('adjacent', must(await client.GET('/api/v3/adjacentTransactions', {
  params: { query: { hash: some(child.hash, 'hash'), direction: 'in' } },
})).transactions);
count('messages', must(await client.GET('/api/v3/messages', { params: { query: { msg_hash: [some(message.hash, 'hash')] } } })).messages);

const account = some(child.account, 'account');
count('states', must(await client.GET('/api/v3/accountStates', { params: { query: { address: [account], include_boc: true } } })).accounts);
count('walletStates', must(await client.GET('/api/v3/walletStates', { params: { query: { address: [account] } } })).wallets);
const book = must(await client.GET('/api/v3/addressBook', { params: { query: { address: [account] } } }));
seen.book = Object.keys(book).length;
count('top', must(await client.GET('/api/v3/topAccountsByBalance', { params: { query: { limit: 3 } } })));
seen.balance = must(await client.GET('/api/v3/addressInformation', { params: { query: { address: account, use_v2: false } } })).balance?.length ?? 0;

const moved = must(await client.GET('/api/v3/jetton/transfers', { params: { query: { limit: 1 } } })).jetton_transfers?.[0];
const master = some(moved?.jetton_master, 'Jetton');
count('masters', must(await client.GET('/api/v3/jetton/masters', { params: { query: { address: [master], limit: 10 } } })).jetton_masters);
seen.metadata = Object.keys(must(await client.GET('/api/v3/metadata', { params: { query: { address: [master] } } }))).length;
const holders = some(must(await client.GET('/api/v3/jetton/wallets', {
  params: { query: { jetton_address: [master], exclude_zero_balance: true, limit: 3 } },
})).jetton_wallets, 'holders');
count('holders', holders);
const owner = some(holders[0]?.owner, 'owner');
count('transfers', must(await client.GET('/api/v3/jetton/transfers', { params: { query: { owner_address: [owner], start_lt: 0 } } })).jetton_transfers);
count('burns', must(await client.GET('/api/v3/jetton/burns', { params: { query: { jetton_master: master } } })).jetton_burns);
count('collections', must(await client.GET('/api/v3/nft/collections', { params: { query: {} } })).nft_collections);
const items = some(must(await client.GET('/api/v3/nft/items', { params: { query: { include_on_sale: true, limit: 2 } } })).nft_items, 'items');
count('items', items);
count('nftTransfers', must(await client.GET('/api/v3/nft/transfers', {
  params: { query: { item_address: [some(items[0]?.address, 'item')] } },
})).nft_transfers);
count('records', must(await client.GET('/api/v3/dns/records', { params: { query: { wallet: owner } } })).records);
count('multisigs', must(await client.GET('/api/v3/multisig/wallets', { params: { query: { wallet_address: [owner] } } })).multisigs);
count('orders', must(await client.GET('/api/v3/multisig/orders', { params: { query: { multisig_address: [owner], parse_actions: true } } })).orders);
count('vesting', must(await client.GET('/api/v3/vesting', { params: { query: { wallet_address: [owner], check_whitelist: true } } })).vesting_contracts);
count('decoded', must(await client.POST('/api/v3/decode', { body: { opcodes: ['0x0f8a7ea5'], bodies: [] } })).opcodes);
must(await client.POST('/api/v3/runGetMethod', { body: { address: master, method: 'get_jetton_data', stack: [] } }));

console.log(JSON.stringify(seen));
