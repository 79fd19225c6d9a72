import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient as createSocket } from 'graphql-ws';
import { ConnectionError, OperationError, StatusError, TonqlError, errorsOf } from './error.js';

export interface ClientOptions {
  /** Address of the GraphQL endpoint, such as https://example.org/graphql. */
  readonly url: string;
  /** API key, sent as X-API-Key. */
  readonly apiKey?: string;
  /** Time limit of a query in milliseconds; 30,000 if absent. */
  readonly timeout?: number;
  /** Implementation of fetch, if not the global one. */
  readonly fetch?: typeof fetch;
  /** Implementation of WebSocket, if not the global one: `ws` in Node before version 22. */
  readonly webSocket?: unknown;
}

/** What a response has beside data. */
export interface Extensions {
  /** Masterchain seqno of the state that the response was read from. */
  readonly mcSeqno?: number;
  readonly cost?: { readonly limit: number; readonly requested: number };
  readonly [name: string]: unknown;
}

/** Variables may be left out if the operation requires none. */
type Variables<V> = Record<string, never> extends V ? [variables?: V] : [variables: V];

export interface Client {
  /** Executes a query. Throws an {@link OperationError} if the response has errors. */
  query<R, V>(document: TypedDocumentNode<R, V>, ...variables: Variables<V>): Promise<R>;
  /** Executes a query, and returns the extensions with the data. */
  execute<R, V>(document: TypedDocumentNode<R, V>, ...variables: Variables<V>): Promise<{ data: R; extensions: Extensions }>;
  /**
   * Reads the events of a subscription. After a lost connection, it throws a {@link ConnectionError}: subscribe again with
   * `after`, the cursor of the last event.
   */
  subscribe<R, V>(document: TypedDocumentNode<R, V>, ...variables: Variables<V>): AsyncIterableIterator<R>;
  /** Closes the connection of subscriptions. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const request = options.fetch ?? fetch;
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Accept: 'application/json' };
  if (options.apiKey !== undefined) headers['X-API-Key'] = options.apiKey;

  async function execute<R, V>(document: TypedDocumentNode<R, V>, variables?: V): Promise<{ data: R; extensions: Extensions }> {
    let response: Response;
    let text: string;
    try {
      response = await request(options.url, {
        method: 'POST', headers, body: JSON.stringify({ query: print(document), variables }), signal: AbortSignal.timeout(options.timeout ?? 30_000),
      });
      text = await response.text();
    } catch (cause) {
      throw new ConnectionError(`${options.url}: ${String(cause)}`, { cause });
    }
    const body = parse(text);
    const errors = errorsOf(body?.errors);
    if (errors !== undefined) throw new OperationError(errors, body?.data);
    if (!response.ok || body?.data == null) throw new StatusError(response.status, retryAfter(response), text);
    return { data: body.data as R, extensions: (body.extensions ?? {}) as Extensions };
  }

  const socket = createSocket({
    url: options.url.replace(/^http/, 'ws'),
    lazy: true,
    retryAttempts: 0, // a subscriber that continues elsewhere would miss events
    ...(options.webSocket === undefined ? {} : { webSocketImpl: options.webSocket }),
    ...(options.apiKey === undefined ? {} : { connectionParams: { 'X-API-Key': options.apiKey } }),
  });

  async function* subscribe<R, V>(document: TypedDocumentNode<R, V>, variables?: V): AsyncGenerator<R> {
    try {
      for await (const result of socket.iterate<R>({ query: print(document), variables: (variables ?? {}) as Record<string, unknown> })) {
        const errors = errorsOf(result.errors);
        if (errors !== undefined) throw new OperationError(errors, result.data);
        if (result.data != null) yield result.data;
      }
    } catch (cause) {
      if (cause instanceof TonqlError) throw cause;
      const errors = errorsOf(cause);
      if (errors !== undefined) throw new OperationError(errors, undefined);
      throw new ConnectionError(`the connection ended: ${describe(cause)}`, { cause });
    }
  }

  return {
    execute: (document, ...[variables]) => execute(document, variables),
    query: async (document, ...[variables]) => (await execute(document, variables)).data,
    subscribe: (document, ...[variables]) => subscribe(document, variables),
    close: async () => { await socket.dispose(); },
  };
}

interface Body { readonly data?: unknown; readonly errors?: unknown; readonly extensions?: unknown }

function parse(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function describe(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null && 'code' in cause && 'reason' in cause) return `${String(cause.code)} ${String(cause.reason)}`;
  return String(cause);
}
