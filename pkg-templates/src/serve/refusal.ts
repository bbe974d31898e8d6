/** Why a request is not served: an HTTP status, and a sentence that says what to do. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    /** The JSON-RPC error code. */
    readonly code = -32600,
  ) {
    super(message);
  }
}

/** A refusal that asks to retry after this many seconds. */
export const later = (status: number, message: string, seconds: number): Refusal =>
  new Refusal(status, message, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }, -32000);
