/**
 * What an engine died of: out of memory, nesting too deep for the stacks of C or JavaScript, `halt`, ended from
 * outside, or something else.
 */
export type DeathKind = 'memory' | 'depth' | 'halt' | 'ended' | 'failed';

/** Why an engine is gone; the message is plain language. */
export class EngineDeath extends Error {
  constructor(
    readonly kind: DeathKind,
    reason: string,
  ) {
    super(reason);
  }
}
