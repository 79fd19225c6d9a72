// Typed calls of a client that is generated from the server's own OpenAPI document:
//   node out/ours.js BASE_URL
// The types know what may be null and what is always there, so nothing is checked that need not be. Prints one JSON object.
import createClient from 'openapi-fetch';
import type { components, paths } from './ours.schema.js';

declare const process: { argv: string[] };
const client = createClient<paths>({ baseUrl: process.argv[2]! });

type Answer<T> = { data?: T; error?: components['schemas']['RequestError']; response: Response };

// must gives the data of an answer that has to be there.
function must<T>(answer: Answer<T>): T {
  if (answer.data === undefined) throw new Error(`${answer.response.url}: ${answer.error?.code} ${answer.error?.error}`);
  return answer.data;
}

const seen: Record<string, number> = {};

const info = must(await client.GET('/api/v3/masterchainInfo'));
seen.last = info.last.seqno;

// Page by page, by the header that the document describes.
let cursor: string | null | undefined;
const hashes = new Set<string>();
for (let page = 0; page < 5; page++) {
  const answer = await client.GET('/api/v3/transactions', { params: { query: { limit: 20, sort: 'asc', ...(cursor ? { cursor } : {}) } } });
  for (const tx of must(answer).transactions) {
    hashes.add(tx.hash);
    const fees: string = tx.total_fees;
    const source: string | null = tx.in_msg === null ? null : tx.in_msg.source;
    if (fees === '' || source === '') throw new Error('empty texts');
  }
  cursor = answer.response.headers.get('X-Next-Cursor');
  if (!cursor) break;
}
seen.transactions = hashes.size;

const top = must(await client.GET('/api/v3/topAccountsByBalance', { params: { query: { limit: 5 } } }));
const accounts = top.map((row) => row.account);
seen.states = must(await client.GET('/api/v3/accountStates', { params: { query: { address: accounts, include_boc: false } } })).accounts.length;
const book = must(await client.GET('/api/v3/addressBook', { params: { query: { address: accounts } } }));
seen.book = accounts.filter((a) => book[a]?.user_friendly).length;

const moved = must(await client.GET('/api/v3/jetton/transfers', { params: { query: { limit: 1 } } })).jetton_transfers[0]!;
const jetton = moved.jetton_master;
const jettons = must(await client.GET('/api/v3/jetton/masters', { params: { query: { address: [jetton] } } })).jetton_masters;
seen.jettons = jettons.length;
const wallets = must(await client.GET('/api/v3/jetton/wallets', { params: { query: { jetton_address: [jetton], sort: 'desc' } } })).jetton_wallets;
seen.wallets = wallets.length;
const balances = wallets.map((w) => BigInt(w.balance));
if (balances.some((b, i) => i > 0 && b > balances[i - 1]!)) throw new Error('not by balance');
const transfers = must(await client.GET('/api/v3/jetton/transfers', {
  params: { query: { owner_address: [moved.destination], direction: 'in' } },
}));
seen.transfers = transfers.jetton_transfers.length;
seen.metadata = transfers.metadata[jetton]?.token_info.length ?? 0;

const items = must(await client.GET('/api/v3/nft/items', { params: { query: { limit: 3 } } })).nft_items;
seen.items = items.length;
seen.collections = items.filter((i) => i.collection?.address === i.collection_address).length;

const decoded = must(await client.POST('/api/v3/decode', { body: { opcodes: ['0x0f8a7ea5'] } }));
seen.decoded = Number(decoded.opcodes[0] === 'jetton_transfer');
const run = must(await client.POST('/api/v3/runGetMethod', { body: { address: jetton, method: 'get_jetton_data' } }));
seen.stack = run.stack.length;

// A request header, and an error response.
const late = await client.GET('/api/v3/blocks', { params: { query: { limit: 1 }, header: { 'X-Min-Seqno': info.last.seqno } } });
seen.mcSeqno = Number(late.response.headers.get('X-Mc-Seqno'));
const { error, response } = await client.GET('/api/v3/blocks', { params: { query: { limit: 5000 } } });
seen.refused = response.status;
if (error?.code !== 422 || !error.error) throw new Error('an error without its form');

console.log(JSON.stringify(seen));
