/** What operations on a book throw. */

/** A clause that could not be added. */
export interface FailedClause {
  /** Its text. */
  clause: string;
  /** Which of the clauses it was, from 0. A text of several counts as that many. */
  index: number;
  /** As of a {@link HornbookError}. */
  kind: string;
  /** What is wrong with it, and what to do. */
  message: string;
  /** Where its text cannot be read, from 1. */
  line?: number;
  /** In that line, from 0. */
  column?: number;
}

/** An operation failed; the message says what to do next. */
export class HornbookError extends Error {
  /** `HornbookError`. */
  override readonly name = 'HornbookError';
  /** The clauses that could not be added, if that is what failed. */
  readonly failures: readonly FailedClause[];

  /**
   * @param kind what failed, such as `syntax_error` or `timeout`: docs/reference/errors.md has all kinds and what to do
   * @param line where the text cannot be read, from 1
   * @param column in that line, from 0
   */
  constructor(
    readonly kind: string,
    message: string,
    readonly line?: number,
    readonly column?: number,
    { failures = [], ...options }: ErrorOptions & { failures?: readonly FailedClause[] } = {},
  ) {
    super(message, options);
    this.failures = failures;
  }

  /**
   * Convert what the core threw or reported.
   *
   * @param otherwise the kind of what has none
   */
  static from(thrown: unknown, otherwise = 'failed'): HornbookError {
    if (thrown instanceof HornbookError) return thrown;
    const { kind = otherwise, message, line, column } = thrown as Partial<HornbookError>;
    const at = column === undefined ? '' : `, column ${column}`;
    const place = line === undefined || message?.includes('line ') ? '' : ` (line ${line}${at})`;
    return new HornbookError(kind, `${message ?? thrown}${place}`, line, column, { cause: thrown });
  }
}
