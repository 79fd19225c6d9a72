// The real client of GraphQL over server-sent events follows a list, loses its connection, and goes on with the last
// cursor. Prints one JSON line for each event, and at the
// end {query, refused}.
import { createClient } from 'graphql-sse';

// Whoever waits in vain says where.
let doing = 'begin';
setTimeout(() => {
  console.error('stuck at: ' + doing);
  process.exit(1);
}, 60_000).unref();

const [base, first, second] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
let controller;
const client = createClient({
  url: base + '/graphql',
  singleConnection: false,
  retryAttempts: 0,
  fetchFn: (url, init) => {
    controller = new AbortController();
    init.signal?.addEventListener('abort', () => controller.abort());
    return fetch(url, { ...init, signal: controller.signal });
  },
});
const query = 'subscription($after: String, $block: UInt32) { transactions(after: $after, afterMcSeqno: $block) { cursor node { hash } } }';
let cursor;
const take = async (count, variables) => {
  const events = client.iterate({ query, variables });
  for await (const event of events) {
    if (event.errors) throw new Error(JSON.stringify(event.errors));
    cursor = event.data.transactions.cursor;
    console.log(JSON.stringify(event.data.transactions.node.hash));
    if (--count === 0) break;
  }
};
await take(first, { block: 0 });
controller.abort();
doing = 'resume';
await take(second, { after: cursor });
const one = async (query) => {
  for await (const result of client.iterate({ query })) return result;
};
doing = 'query';
const answered = await one('{ __typename }');
const refused = await one('{ nothing }');
console.log(JSON.stringify({ query: answered.data.__typename, refused: refused.errors[0].message }));
client.dispose();
