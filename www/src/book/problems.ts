/** How SWI-Prolog's messages about a text can be repaired. */
import type { Session } from '../session.ts';

export type Problem = Awaited<ReturnType<Session['hornbook']['check']>>[number];

export interface Repair {
  label: string;
  insert: string;
  /** How many characters to replace, from the start of the problem; undefined to insert after it. */
  instead?: number;
  /** How far before the problem to insert. */
  before?: number;
}

/** A fix for a problem that one click can apply. */
export function repairOf({ start, message }: Problem, text: string): Repair | undefined {
  if (/^A period is missing here/.test(message)) return { label: 'Insert a period', insert: '.' };
  const [, table] = /: declare `(:- table .+\.)`$/.exec(message) ?? [];
  if (table !== undefined) {
    const at = aboveComments(text, start);
    const begin = at === 0 || text[at - 1] === '\n' ? '' : '\n';
    return { label: 'Declare it', insert: `${begin}${table}\n`, instead: 0, before: start - at };
  }
  const [, name, arity, near, count] =
    /^(\S+)\/(\d+) is not defined\. Did you mean (\S+)\/(\d+)\?$/.exec(message) ?? [];
  const [, once, instead] = /^(\S+) occurs only once: write (_\S+) if that is intended/.exec(message) ?? [];
  const [wrong, right] = name !== undefined && arity === count ? [name, near] : [once, instead];
  return wrong !== undefined && right !== undefined && text.startsWith(wrong, start)
    ? { label: `Write ${right}`, insert: right, instead: wrong.length }
    : undefined;
}

/** Where a clause begins with the comments directly above it, which are about it. */
function aboveComments(text: string, start: number): number {
  let at = start;
  for (;;) {
    const above = text.slice(0, at);
    const comment =
      /(?:^|\n)[ \t]*(%[^\n]*\n[ \t]*)$/.exec(above)?.[1] ??
      /(?:^|\n)[ \t]*(\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n[ \t]*)$/.exec(above)?.[1];
    if (comment === undefined) return at;
    at -= comment.length;
  }
}
