// Typed calls of clients that @hey-api/openapi-ts generates from the server's OpenAPI documents of /api/v3 and /api/v2:
//   node out/heyapi.js BASE_URL
// Prints one JSON object.
import { client as index } from './v3/client.gen.js';
import { accountStates, blocks, masterchainInfo, transactions } from './v3/sdk.gen.js';
import { client as node } from './v2/client.gen.js';
import { getAddressBalanceGet, getMasterchainInfoGet } from './v2/sdk.gen.js';

declare const process: { argv: string[] };
const baseUrl = process.argv[2]!;
index.setConfig({ baseUrl });
node.setConfig({ baseUrl });
const seen: Record<string, number> = {};

const info = await masterchainInfo({ throwOnError: true });
seen.last = info.data.last.seqno;
const page = await transactions({ query: { limit: 5 }, throwOnError: true });
seen.transactions = page.data.transactions.length;
const account: string = page.data.transactions[0]!.account;
const states = await accountStates({ query: { address: [account], include_boc: false }, throwOnError: true });
seen.states = states.data.accounts.length;
const refused = await blocks({ query: { root_hash: 'zz' } });
seen.refused = refused.error?.code ?? 0;

const head = await getMasterchainInfoGet({ throwOnError: true });
seen.head = head.data.result.last.seqno;
const balance = await getAddressBalanceGet({ query: { address: account }, throwOnError: true });
seen.balance = /^[0-9]+$/.test(balance.data.result) ? 1 : 0;
console.log(JSON.stringify(seen));
