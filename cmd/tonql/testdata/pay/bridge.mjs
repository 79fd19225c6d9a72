// An HTTP bridge of TON Connect for tests, with the documented API: queues by client id, server-sent events with ids, a time to live,
// heartbeats, and CORS for every origin.
import http from 'node:http';

const maxTTL = 300;
const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*', 'Access-Control-Allow-Methods': 'GET, POST, OPTIONS' };

export class Bridge {
  streams = new Set(); // { ids, response }
  queues = new Map(); // client id → [{ id, until, data }]
  next = 1;
  opened = []; // query of every connection
  posted = []; // query of every message
  // What a hostile bridge does besides: with a new connection, and with a message before it is delivered.
  onConnect = () => {};
  onMessage = () => {};

  async start(port) {
    this.server = http.createServer((request, response) => this.serve(request, response));
    await new Promise((r) => this.server.listen(port, '127.0.0.1', r));
    this.beat = setInterval(() => {
      let n = 0;
      for (const { response } of this.streams) response.write(n++ % 2 ? 'event: heartbeat\n\n' : 'event: message\ndata: heartbeat\n\n');
    }, 300);
    return this;
  }

  stop() {
    clearInterval(this.beat);
    this.server.close();
    this.server.closeAllConnections();
  }

  serve(request, response) {
    const url = new URL(request.url, 'http://bridge');
    const query = Object.fromEntries(url.searchParams);
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    if (request.method === 'GET' && url.pathname === '/bridge/events' && query.client_id) return this.events(query, request, response);
    if (request.method === 'POST' && url.pathname === '/bridge/message') return this.message(query, request, response);
    return response.writeHead(404, cors).end();
  }

  events(query, request, response) {
    response.writeHead(200, { ...cors, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    response.write(': ok\n\n');
    this.opened.push(query);
    const stream = { ids: query.client_id.split(','), response };
    this.streams.add(stream);
    request.on('close', () => this.streams.delete(stream));
    for (const id of stream.ids) {
      this.onConnect(id);
      for (const m of this.queues.get(id) ?? []) if (m.id > Number(query.last_event_id ?? 0) && m.until > Date.now()) this.write(stream, m);
    }
  }

  message(query, request, response) {
    const parts = [];
    request.on('data', (d) => parts.push(d));
    request.on('end', () => {
      const ttl = Number(query.ttl);
      const body = Buffer.concat(parts).toString();
      if (!/^[0-9a-f]{64}$/.test(query.client_id ?? '') || !/^[0-9a-f]{64}$/.test(query.to ?? '') || !(ttl > 0 && ttl <= maxTTL) || !/^[0-9A-Za-z+/]+=*$/.test(body)) {
        return response.writeHead(400, { ...cors, 'Content-Type': 'application/json' }).end('{"message":"bad request","statusCode":400}');
      }
      this.posted.push(query);
      const data = JSON.stringify({ from: query.client_id, message: body });
      this.onMessage(query.to, data);
      this.send(query.to, data, ttl);
      return response.writeHead(200, { ...cors, 'Content-Type': 'application/json' }).end('{"message":"OK","statusCode":200}');
    });
  }

  // send queues an event for a client and delivers it to those who listen.
  send(to, data, ttl = maxTTL) {
    const m = { id: this.next++, until: Date.now() + 1000 * ttl, data };
    this.queues.set(to, [...(this.queues.get(to) ?? []), m]);
    for (const stream of this.streams) if (stream.ids.includes(to)) this.write(stream, m);
  }

  write({ response }, { id, data }) {
    response.write(`event: message\nid: ${id}\ndata: ${data}\n\n`);
  }
}
