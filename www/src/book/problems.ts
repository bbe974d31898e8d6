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
    message: 'A period is missing here, or an operator before the next line.',
  };
}

export interface Repair {
  label: string;
  insert: string;
  /** Characters from the beginning of the problem that it takes the place of; undefined where it stands behind it. */
  instead?: number;
}

/** What would mend a problem by one click. */
export function repairOf({ start, message }: Problem, text: string): Repair | undefined {
  if (/^A period is missing here/.test(message)) return { label: 'Insert a period', insert: '.' };
  const [, name, arity, near, count] =
    /^(\S+)\/(\d+) is not defined\. Did you mean (\S+)\/(\d+)\?$/.exec(message) ?? [];
  const [, once, instead] = /^(\S+) occurs only once: write (_\S+) if that is intended/.exec(message) ?? [];
  const [wrong, right] = name !== undefined && arity === count ? [name, near] : [once, instead];
  return wrong !== undefined && right !== undefined && text.startsWith(wrong, start)
    ? { label: `Write ${right}`, insert: right, instead: wrong.length }
    : undefined;
}
