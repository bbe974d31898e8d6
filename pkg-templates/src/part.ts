/** The parts that the crate comes in (docs/page.md). */

/** `core` has the Prolog tools and loads faster, `full` has everything. */
export type Part = 'core' | 'full';

/** The least part that can serve these sets of tools; default: those of Prolog. */
export const partFor = (tools: readonly string[] = []): Part =>
  tools.every((name) => name === 'prolog') ? 'core' : 'full';
