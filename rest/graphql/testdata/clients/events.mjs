// The real client of GraphQL over server-sent events follows a list, loses its connection, and goes on with the last
// cursor; with `single` as last argument over one connection for all operations. Prints one JSON line for each event, and
// at the end {query, refused, together, requests}: two subscriptions at once, and the methods of all requests.
import { createClient } from 'graphql-sse';

// Whoever waits in vain says where.
let doing = 'begin';
setTimeout(() => {
  console.error('stuck at: ' + doing);
  process.exit(1);
}, 60_000).unref();

const [base, first, second] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const single = process.argv[5] === 'single';
let controller;
const requests = [];
const client = createClient({
  url: base + '/graphql',
  singleConnection: single,
  retryAttempts: single ? 5 : 0, // a lost stream is noticed by the request after it
  retry: async () => {},
  fetchFn: (url, init) => {
    const own = new AbortController();
    if ((init.method ?? 'GET') === (single ? 'GET' : 'POST')) controller = own;
    requests.push(init.method ?? 'GET');
    init.signal?.addEventListener('abort', () => own.abort());
    return fetch(url, { ...init, signal: own.signal });
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
const broken = new Error('the connection broke');
controller.abort(broken);
doing = 'resume';
// The client tells of a break that nobody listened for at the next question, or not at all, depending on when it saw it.
await take(second, { after: cursor }).catch((reason) => {
  if (reason !== broken) throw reason;
  return take(second, { after: cursor });
});
const one = async (query) => {
  for await (const result of client.iterate({ query })) return result;
};
doing = 'query';
const answered = await one('{ __typename }');
const refused = await one('{ nothing }');
doing = 'together';
const both = await Promise.all([0, 1].map(async (block) => {
  for await (const event of client.iterate({ query, variables: { block } })) return event.data.transactions.node.hash;
}));
console.log(JSON.stringify({ query: answered.data.__typename, refused: refused.errors[0].message, together: both, requests: [...new Set(requests)] }));
client.dispose();
