// Our own GraphQL, over HTTP and, for what is live, over WebSocket. Documents are files, which the Go tests hold against
// the schema; fragments are added to whatever names them.
import { createClient } from 'graphql-ws';

const files = import.meta.glob<string>('./queries/*.graphql', { query: '?raw', import: 'default', eager: true });

const fragments = new Map<string, string>();
for (const text of Object.values(files)) {
  const name = /^fragment (\w+)/.exec(text)?.[1];
  if (name) fragments.set(name, text);
}

/** The text of a query with every fragment it needs, each once. */
function document(name: string): string {
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

/** A sentence for the reader: what the service said, or that it could not be reached. */
export class Failure extends Error {}

export async function send<T>(name: string, variables: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
  let answer: { data?: T; errors?: { message: string }[] };
  try {
    const response = await fetch('/graphql', {
      method: 'POST', signal: signal ?? null,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ query: document(name), variables }),
    });
    answer = await response.json();
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Failure('The service cannot be reached. Is it running?');
  }
  if (answer.errors?.length) throw new Failure(answer.errors.map((e) => e.message).join('; '));
  return answer.data as T;
}

const socket = createClient({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  retryAttempts: Infinity, shouldRetry: () => true, lazy: true,
});

/** Follows a subscription until the function it returns is called; goes on after a lost connection. */
export function follow<T>(name: string, next: (data: T) => void): () => void {
  return socket.subscribe<T>({ query: document(name) }, {
    next: (result) => { if (result.data) next(result.data); },
    error: () => {}, // the page stays as it was read
    complete: () => {},
  });
}
