// Typed calls of clients that @hey-api/openapi-ts generates from the server's OpenAPI documents:
//   node out/heyapi.js BASE_URL KEY PAYER
// Prints one JSON object.
import { client as index } from './v3/client.gen.js';
import { accountStates, blocks, masterchainInfo, transactions } from './v3/sdk.gen.js';
import { client as node } from './v2/client.gen.js';
import { getAddressBalanceGet, getMasterchainInfoGet } from './v2/sdk.gen.js';
import { client as shop } from './merchant/client.gen.js';
import { createTransfer, transfer } from './merchant/sdk.gen.js';
import type { TransferEvent } from './merchant/types.gen.js';

declare const process: { argv: string[] };
const [, , baseUrl, key, senderAddr] = process.argv as [string, string, string, string, string];
index.setConfig({ baseUrl });
node.setConfig({ baseUrl });
shop.setConfig({ baseUrl, auth: key });
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

const made = await createTransfer({ body: { amount: '1.25', asset: 'TON', senderAddr }, throwOnError: true });
const registered = await transfer({ query: { reference: made.data.reference }, throwOnError: true });
const status: TransferEvent['data']['status'] = registered.data.status;
seen.pending = status === 'pending' ? 1 : 0;
console.log(JSON.stringify(seen));
