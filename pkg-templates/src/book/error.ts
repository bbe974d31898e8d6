/** What operations on a book throw. */

/** An operation failed; the message says what to do next. */
export class HornbookError extends Error {
  override readonly name = 'HornbookError';

  /**
   * @param kind `syntax_error`, `unsafe_goal`, `existence_error`, `timeout`, … as in the replies of the tools; `closed`
   *   if the book was closed; `failed` if nothing works until the process or page is restarted
   * @param line where the text cannot be read, from 1
   * @param column in that line, from 0
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

  /** Convert what the core threw or reported. */
  static from(thrown: unknown): HornbookError {
    if (thrown instanceof HornbookError) return thrown;
    const { kind = 'failed', message, line, column } = thrown as Partial<HornbookError>;
    const place = line === undefined || message?.includes('line ') ? '' : ` (line ${line}, column ${column})`;
    return new HornbookError(kind, `${message ?? thrown}${place}`, line, column, { cause: thrown });
  }
}
