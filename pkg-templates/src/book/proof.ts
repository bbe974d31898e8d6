/** How an answer came to be, or why there is none. */
import type { Proof as Told } from '../full/hornbook.js';

/** One step, and the steps that it stands on. */
export interface ProofStep {
  /** With the bindings of the answer, or those with which the goal failed. */
  goal: string;
  /**
   * Of what holds `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, or `call` of what is
   * below it. Of what fails `fails` or `fails(WHY)`, and below it `tried` (a clause, with the goals at which it stops),
   * `unmatched`, `untried`, `nearest` and `undefined`.
   */
  how: string;
  /** In how many ways a clause comes to a goal that fails, how many clauses are unmatched or untried, which one was tried. */
  count: number;
  /** The clause that was used, with the file and the line that it is from. */
  clause?: { text: string; filename?: string; line?: number };
  because: ProofStep[];
}

export class Proof {
  readonly #text: string;

  /**
   * @param holds whether the goal holds; else the steps tell why it fails
   * @param cut whether there were more steps than are told
   */
  constructor(
    readonly holds: boolean,
    readonly steps: ProofStep[],
    readonly cut: boolean,
    text: string,
  ) {
    this.#text = text;
  }

  /** As a tree of lines, each with where its clause is from. */
  toString(): string {
    return this.#text;
  }
}

export function proofOf({ holds, nodes, clauses, cut, text }: Told): Proof {
  const roots: ProofStep[] = [];
  const path: ProofStep[] = [];
  for (const { depth, goal, how, clause, count } of nodes) {
    const step: ProofStep = { goal, how, count, because: [] };
    if (clause !== undefined) {
      const { text: written, filename, line } = clauses[clause]!;
      step.clause = { text: written, ...(filename === undefined ? {} : { filename, line }) };
    }
    path.length = depth;
    (path.at(-1)?.because ?? roots).push(step);
    path.push(step);
  }
  return new Proof(holds, roots, cut, text);
}
