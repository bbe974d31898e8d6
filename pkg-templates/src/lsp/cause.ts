/** Where a problem in a text should be corrected. */

interface Placed {
  start: number;
  end: number;
  message: string;
}

/**
 * If "operator expected" is reported at the start of a line, the line was probably meant as the next clause, and the
 * period before it is missing: report it there.
 */
export function atItsCause<T extends Placed>(problem: T, text: string): T {
  if (text[problem.start - 1] !== '\n' || !/^operator expected/i.test(problem.message)) return problem;
  const end = text.slice(0, problem.start).trimEnd().length;
  const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
  if (end === 0 || line.includes('%')) return problem;
  return {
    ...problem,
    start: end - 1,
    end,
    message: 'A period is missing here, or an operator before the next line.',
  };
}
