// Typed calls of a client that openapi-typescript generates from the server's OpenAPI document of /api/v2:
//   node out/v2.js BASE_URL
// Prints one JSON object.
import createClient from 'openapi-fetch';
import type { paths } from './v2.schema.js';

declare const process: { argv: string[] };
const client = createClient<paths>({ baseUrl: process.argv[2]! });

function must<T>(response: { data?: T; error?: { error: string }; response: Response }): T {
  if (response.data === undefined) throw new Error(`${response.response.url}: ${response.error?.error}`);
  return response.data;
}

const seen: Record<string, number> = {};
const { last } = must(await client.GET('/api/v2/getMasterchainInfo')).result;
seen.last = last.seqno;
seen.head = must(await client.GET('/api/v2/getConsensusBlock')).result.consensus_block;

// The same block by GET and by POST.
const block = { workchain: last.workchain, shard: last.shard, seqno: last.seqno };
const found = must(await client.GET('/api/v2/lookupBlock', { params: { query: block } })).result;
const posted = must(await client.POST('/api/v2/lookupBlock', { body: block })).result;
seen.same = Number(found.root_hash === last.root_hash && posted.root_hash === last.root_hash);

const { shards } = must(await client.GET('/api/v2/getShards', { params: { query: { seqno: last.seqno } } })).result;
seen.shards = shards.length;
let transactions: { account: string; lt: string; hash: string }[] = [];
for (let seqno = last.seqno; seqno > 0 && transactions.length === 0; seqno--) {
  transactions = must(await client.GET('/api/v2/getBlockTransactions', { params: { query: { ...block, seqno } } })).result.transactions;
}
seen.transactions = transactions.length;
const address = transactions[0]!.account;
const state = must(await client.GET('/api/v2/getAddressInformation', { params: { query: { address } } })).result;
seen.balance = Number(/^[0-9]+$/.test(String(state.balance)));
const history = must(await client.GET('/api/v2/getTransactions', { params: { query: { address, limit: 1 } } })).result;
seen.history = history.length;
const fee: string = history[0]!.fee;
if (!/^[0-9]+$/.test(fee)) throw new Error('a fee that is no number');

const refused = await client.GET('/api/v2/getAddressBalance', { params: { query: { address: 'zz' } } });
seen.refused = refused.response.status;
if (refused.error?.ok !== false || refused.error.code !== refused.response.status) throw new Error('an error without its form');
console.log(JSON.stringify(seen));
