/**
 * What an engine died of: memory, nesting too deep for the stacks of C and JavaScript, `halt`, an end from outside,
 * or something else.
 */
export type DeathKind = 'memory' | 'depth' | 'halt' | 'ended' | 'failed';

/** Why an engine is gone; the message says it in plain words. */
export class EngineDeath extends Error {
  constructor(
    readonly kind: DeathKind,
    reason: string,
  ) {
    super(reason);
  }
}
