/** How an answer came to be. */
import type { Proof as Told } from '../full/hornbook.js';

/** One step, and the steps that it stands on. */
export interface ProofStep {
  /** With the bindings of the answer. */
  goal: string;
  /** `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, or `call` of what is below it. */
  how: string;
  /** The clause that was used, with the file and the line that it is from. */
  clause?: { text: string; filename?: string; line?: number };
  because: ProofStep[];
}

export class Proof {
  /** @param cut whether there were more steps than are told */
  constructor(
    readonly steps: ProofStep[],
    readonly cut: boolean,
  ) {}

  /** As a tree of lines, each with where its clause is from. */
  toString(): string {
    const lines = (steps: ProofStep[], indent: string): string[] =>
      steps.flatMap((step) => [`${indent}${step.goal}${from(step)}`, ...lines(step.because, `${indent}  `)]);
    return [...lines(this.steps, ''), ...(this.cut ? ['…'] : [])].join('\n');
  }
}

function from({ how, clause }: ProofStep): string {
  if (!clause) return `  % ${how}`;
  return clause.filename === undefined ? '' : `  % ${clause.filename}:${clause.line}`;
}

export function proofOf({ nodes, clauses, cut }: Told): Proof {
  const roots: ProofStep[] = [];
  const path: ProofStep[] = [];
  for (const { depth, goal, how, clause } of nodes) {
    const step: ProofStep = { goal, how, because: [] };
    if (clause !== undefined) {
      const { text, filename, line } = clauses[clause]!;
      step.clause = { text, ...(filename === undefined ? {} : { filename, line }) };
    }
    path.length = depth;
    (path.at(-1)?.because ?? roots).push(step);
    path.push(step);
  }
  return new Proof(roots, cut);
}
