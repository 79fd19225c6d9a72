// Typed calls of a client that openapi-typescript generates from the server's OpenAPI document of /api/merchant/v1:
//   node out/merchant.js BASE_URL KEY PAYER
// Prints one JSON object.
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './merchant.schema.js';

declare const process: { argv: string[] };
const [, , baseUrl, key, senderAddr] = process.argv as [string, string, string, string, string];
const client = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': key } });
type Event = webhooks['transfer.completed']['post']['requestBody']['content']['application/json'];

// outcome is what a receiver of webhooks does with an event.
export const outcome = (event: Event): components['schemas']['TransferStatus'] => event.data.status;

const seen: Record<string, number> = {};
const made = await client.POST('/api/merchant/v1/create-transfer', { body: { amount: '1.25', asset: 'TON', senderAddr, commentToRecipient: 'order 7' } });
if (made.data === undefined) throw new Error(made.error.error);
seen.nanotons = Number(made.data.message.amount);
const { data, error } = await client.GET('/api/merchant/v1/transfer', { params: { query: { reference: made.data.reference } } });
if (data === undefined) throw new Error(error.error);
seen.pending = Number(data.status === 'pending' && data.commentToRecipient === 'order 7' && data.bodyBase64Hash === made.data.bodyBase64Hash);
const refused = await client.GET('/api/merchant/v1/transfer', { params: { query: { reference: 'none' } } });
seen.refused = refused.error?.code ?? 0;
console.log(JSON.stringify(seen));
