/** What SWI-Prolog says of a text, at the place where it is to be mended. */
import type { Session } from '../session.ts';

export type Problem = Awaited<ReturnType<Session['hornbook']['check']>>[number];

/**
 * A clause that begins where another goes on was meant to be the next one: then a period is missing before it, and not
 * something at its own place.
 */
export function atItsCause(problem: Problem, text: string): Problem {
  const before = text.slice(0, problem.start);
  const end = before.trimEnd().length;
  const beginsLine = /\n$/.test(before) && end > 0;
  if (!beginsLine || !/^operator expected/i.test(problem.message) || /%[^\n]*$/.test(before.slice(0, end)))
    return problem;
  return {
    ...problem,
    start: end - 1,
    end,
    message: 'A period is missing here, or what goes on in the next line needs an operator.',
  };
}
