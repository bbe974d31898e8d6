/** How an answer was derived, or why there is none. */
import type { Proof as Told } from '../full/hornbook.js';

/** One step, and the steps that support it. */
export interface ProofStep {
  /** With the bindings of the answer, or those under which the goal failed. */
  goal: string;
  /**
   * For a goal that holds: `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, `neither`
   * (undefined: neither true nor false), or `call` of the goals below it. For one that fails: `fails` or `fails(WHY)`, with `tried` (a clause and the goals where it
   * stops), `unmatched`, `untried`, `nearest`, `also` (a later goal of the clause that fails, too), `reason` and `undefined`
   * below it.
   */
  how: string;
  /**
   * How many ways a clause reaches a failing goal, how many clauses are unmatched or untried, or which one was tried.
   */
  count: number;
  /** The clause that was used, with its file and line. */
  clause?: { text: string; filename?: string; line?: number };
  /** The steps below it. */
  because: ProofStep[];
}

/** How an answer was derived, or why there is none; `String(proof)` shows it. */
export class Proof {
  readonly #text: string;
  /** Whether the goal only holds because it is undefined: neither true nor false. */
  readonly undefined: boolean;

  /**
   * Use {@link Book.why}.
   *
   * @param holds whether the goal holds; if not, the steps show why it fails
   * @param steps those of the goals of the query, with those below them
   * @param cut whether steps were left out
   */
  constructor(
    readonly holds: boolean,
    readonly steps: ProofStep[],
    readonly cut: boolean,
    text: string,
    neither: boolean,
  ) {
    this.undefined = neither;
    this.#text = text;
  }

  /** A tree of lines, each with the place of its clause; of a long proof its beginning and its end. */
  toString(): string {
    return this.#text;
  }
}

export function proofOf({ holds, undefined: neither, nodes, clauses, cut, text }: Told): Proof {
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
  return new Proof(holds, roots, cut, text, neither);
}
