// The GraphQL client: queries over HTTP, subscriptions over WebSocket. Documents are files that the Go tests validate
// against the schema; the fragments that a document names are appended to it.
import { createClient } from 'graphql-ws';
import { pausing } from './pause';
import { T } from './text';

const files = import.meta.glob<string>('./queries/*.graphql', { query: '?raw', import: 'default', eager: true });

const fragments = new Map<string, string>();
for (const text of Object.values(files)) {
  const name = /^fragment (\w+)/.exec(text)?.[1];
  if (name) fragments.set(name, text);
}

/** Returns the text of a document with each fragment it needs appended once. */
export function document(name: string): string {
  let text = files[`./queries/${name}.graphql`];
  if (!text) throw new Error(`no query ${name}`);
  const added = new Set<string>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const [fragment, body] of fragments) {
      if (!added.has(fragment) && new RegExp(`\\.\\.\\.${fragment}\\b`).test(text)) {
        text += body;
        added.add(fragment);
        grown = true;
      }
    }
  }
  return text;
}

/** An error whose message is shown to the user: the errors of the response, or that the service cannot be reached. */
export class Failure extends Error {}

const maxTries = 6;
const maxBusyTries = 3; // of a service that cannot respond at the moment
const maxWait = 30; // seconds

/** Renews the page token, which is short-lived and bound to the client address. */
let renewal: Promise<unknown> | undefined;
const renew = () => (renewal ??= fetch('/explorer', { method: 'HEAD', cache: 'no-store' }).catch(() => {}).finally(() => { renewal = undefined; }));

export async function send<T>(name: string, variables: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
  let body: { data?: T; errors?: { message: string; extensions?: { code?: string } }[] };
  for (let tries = 1; ; tries++) {
    let response: Response;
    try {
      response = await fetch('/graphql', {
        method: 'POST', signal: signal ?? null,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ query: document(name), variables }),
      });
      if (response.status !== 429) {
        body = await response.json();
        if (tries >= maxBusyTries || !body.errors?.some((e) => e.extensions?.code === 'UNAVAILABLE')) break;
      }
    } catch (e) {
      if (signal?.aborted) throw e;
      throw new Failure(T.load.unreachable);
    }
    if (tries === maxTries) throw new Failure(T.load.limited);
    if (response.status === 429) await renew();
    await pausing(Math.min(maxWait, Math.max(1, Number(response.headers.get('Retry-After')) || 1)), signal);
  }
  if (body.errors?.length) throw new Failure(body.errors.map((e) => e.message).join('; '));
  return body.data as T;
}

const waitFor = (ms: number) => new Promise((done) => setTimeout(done, ms));
/** Returns the milliseconds before a retry: exponential up to 30 s, with jitter. */
const backoff = (retries: number) => Math.min(30_000, 1000 * 2 ** Math.min(retries, 5)) * (0.75 + Math.random() / 2);

const socket = createClient({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  retryAttempts: Infinity, shouldRetry: () => true, lazy: true,
  retryWait: async (retries) => { await waitFor(backoff(retries)); await renew(); },
});

/** Subscribes until the returned function is called. Resubscribes after a lost connection and after an error. */
export function follow<T>(name: string, next: (data: T) => void, variables: Record<string, unknown> = {}): () => void {
  let stopped = false, retries = 0;
  let end = () => {};
  const begin = () => {
    end = socket.subscribe<T>({ query: document(name), variables }, {
      next: (result) => { retries = 0; if (result.data) next(result.data); },
      error: () => { void waitFor(backoff(retries++)).then(renew).then(() => { if (!stopped) begin(); }); },
      complete: () => {},
    });
  };
  begin();
  return () => { stopped = true; end(); };
}
