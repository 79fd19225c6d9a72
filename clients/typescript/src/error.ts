/** Codes of errors in a response, as `extensions.code`. The service may add codes. */
export type ErrorCode =
  | 'BAD_REQUEST' | 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'INVALID' | 'NOT_FOUND' | 'TOO_LARGE' | 'BEHIND' | 'UNAVAILABLE'
  | 'UNAUTHENTICATED' | 'RATE_LIMITED' | 'TOO_MANY_SUBSCRIPTIONS' | 'INTERNAL' | (string & {});

/** One error of a response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: ReadonlyArray<string | number>;
  readonly extensions?: { readonly code?: ErrorCode; readonly requestId?: string; readonly [name: string]: unknown };
}

/** Every error that the client throws is one of these. */
export class TonqlError extends Error {
  override readonly name: string = 'TonqlError';
}

/** The service executed the operation, or refused it, with errors. `data` has what was read in spite of them. */
export class OperationError extends TonqlError {
  override readonly name = 'OperationError';

  constructor(readonly errors: readonly ResponseError[], readonly data: unknown) {
    super(errors.map((e) => e.message).join('; '));
  }

  /** The code of the first error. */
  get code(): ErrorCode | undefined {
    return this.errors[0]?.extensions?.code;
  }
}

/** The response is no GraphQL response: its status says why. `retryAfter` is in seconds. */
export class StatusError extends TonqlError {
  override readonly name = 'StatusError';

  constructor(readonly status: number, readonly retryAfter: number | undefined, text: string) {
    super(`status ${status}: ${text.slice(0, 200)}`);
  }
}

/** The service could not be reached, or the connection of a subscription ended. */
export class ConnectionError extends TonqlError {
  override readonly name = 'ConnectionError';
}

/** Returns the errors of a response, or undefined. */
export function errorsOf(value: unknown): readonly ResponseError[] | undefined {
  const list = Array.isArray(value) ? value : undefined;
  return list?.every((e): e is ResponseError => typeof e === 'object' && e !== null && typeof (e as ResponseError).message === 'string') && list.length > 0
    ? list : undefined;
}
