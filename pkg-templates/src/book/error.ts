/** What the operations on a book throw. */

/** Something that did not work; the message says what to do next. */
export class HornbookError extends Error {
  override readonly name = 'HornbookError';

  /**
   * @param kind `syntax_error`, `unsafe_goal`, `existence_error`, `timeout`, … as in the replies of the tools; `closed`
   *   of a book that was closed, `failed` where nothing works any more until the process or the page begins anew
   * @param line of a text that cannot be read, from 1
   * @param column in it, from 0
   */
  constructor(
    readonly kind: string,
    message: string,
    readonly line?: number,
    readonly column?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Of what the core has thrown or told. */
  static from(thrown: unknown): HornbookError {
    if (thrown instanceof HornbookError) return thrown;
    const { kind = 'failed', message, line, column } = thrown as Partial<HornbookError>;
    const place = line === undefined || message?.includes('line ') ? '' : ` (line ${line}, column ${column})`;
    return new HornbookError(kind, `${message ?? thrown}${place}`, line, column, { cause: thrown });
  }
}
