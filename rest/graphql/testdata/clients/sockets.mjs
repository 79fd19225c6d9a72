// The real client of graphql-transport-ws, and fourteen cases of the protocol with a raw WebSocket.
// Prints {cases: {name: outcome}, hashes, resumed, query, refused}.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

// Whoever waits in vain says where.
let doing = 'begin';
setTimeout(() => {
  console.error('stuck at: ' + doing);
  process.exit(1);
}, 60_000).unref();

const base = process.argv[2];
const url = base.replace('http', 'ws') + '/graphql';
const greet = { type: 'connection_init' };
const forever = { type: 'subscribe', id: 'a', payload: { query: 'subscription { blocks(where: {workchain: -1}) { mcSeqno } }' } };
const query = { type: 'subscribe', id: 'q', payload: { query: '{ __typename }' } };

// Sends messages, collects what comes until the connection ends or until() is content, and tells in one line.
const speak = (messages, { protocol = 'graphql-transport-ws', until = () => false, origin } = {}) =>
  new Promise((resolve) => {
    doing = JSON.stringify(messages);
    const ws = new WebSocket(url, protocol ? [protocol] : [], origin ? { origin } : {});
    const heard = [];
    ws.on('open', () => messages.forEach((m) => ws.send(typeof m === 'string' || m instanceof Buffer ? m : JSON.stringify(m))));
    ws.on('message', (data) => {
      const m = JSON.parse(data);
      heard.push(m.type + (m.id ? ':' + m.id : ''));
      if (until(heard)) {
        ws.close(1000);
      }
    });
    ws.on('unexpected-response', (request, response) => {
      resolve('refused ' + response.statusCode);
      request.destroy();
    });
    ws.on('error', () => {});
    ws.on('close', (code) => resolve([...heard, code].join(' ')));
  });
const last = (type) => (heard) => heard.at(-1) === type;
const all = (...types) => (heard) => types.every((type) => heard.includes(type));

const cases = {
  'invalid message': await speak(['{']),
  'unknown type': await speak([greet, { type: 'hello' }]),
  'subscribe before init': await speak([forever]),
  'init timeout': await speak([]),
  'duplicate id': await speak([greet, forever, forever]),
  'init twice': await speak([greet, greet]),
  'no subprotocol': await speak([], { protocol: '' }),
  'legacy subprotocol': await speak([], { protocol: 'graphql-ws' }),
  'ping': await speak([greet, { type: 'ping' }], { until: last('pong') }),
  'query': await speak([greet, query], { until: last('complete:q') }),
  'error without complete': await speak([greet, { ...query, payload: { query: '{ nothing }' } }, { ...query, id: 'r' }], { until: all('error:q', 'complete:r') }),
  'cancel frees the id': await speak([greet, forever, { type: 'complete', id: 'a' }, { ...query, id: 'a' }], { until: last('complete:a') }),
  'cross origin': await speak([greet], { origin: 'https://elsewhere.example', until: last('connection_ack') }),
  'binary': await speak([Buffer.from('{"type":"connection_init"}')]),
};
// The order of an error and of another operation's answer is free.
cases['error without complete'] = cases['error without complete'].split(' ').sort().join(' ');

const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
const document = 'subscription($after: String, $block: UInt32) { transactions(after: $after, afterMcSeqno: $block) { cursor node { hash } } }';
const take = async (count, variables) => {
  const events = [];
  for await (const event of client.iterate({ query: document, variables })) {
    if (event.errors) throw new Error(JSON.stringify(event.errors));
    events.push(event.data.transactions);
    if (events.length === count) break;
  }
  return events;
};
const half = Number(process.argv[3]);
doing = 'follow';
const begun = await take(half, { block: 0 });
client.terminate();
doing = 'resume';
const resumed = await take(half, { after: begun.at(-1).cursor });
doing = 'query';
let answered, refused;
for await (const result of client.iterate({ query: '{ __typename }' })) answered = result.data.__typename;
try {
  for await (const _ of client.iterate({ query: '{ nothing }' }));
} catch (errors) {
  refused = errors[0].message;
}
doing = 'end';
await client.dispose();
console.log(JSON.stringify({ cases, hashes: [...begun, ...resumed].map((e) => e.node.hash), query: answered, refused }));
