/** Clauses that SWI-Prolog cannot read, and which are therefore missing from the book. */
import { atItsCause } from '../../../pkg-templates/src/lsp/cause.ts';
import { asSentence } from '../dom.ts';
import type { Book } from './book.ts';

export interface Broken {
  file: string;
  /** From 1. */
  line: number;
  message: string;
  /** The text that is missing: the clause, and what follows up to the next end of a clause. */
  text: string;
}

/** All of them, by file. */
export async function brokenIn(book: Book): Promise<Broken[]> {
  const files = book.tabs.filter(({ readOnly, isDocument }) => !readOnly && !isDocument);
  const found = await Promise.all(
    files.map(async (tab) => {
      const text = book.text(tab);
      const problems = await book.session.hornbook.check(text);
      return problems
        .filter(({ severity }) => severity === 'error')
        .map((problem) => {
          const { start, message } = atItsCause(problem, text);
          const line = text.slice(0, start).split('\n').length;
          return { file: tab.name, line, message: asSentence(message), text: around(text, start, problem.end) };
        });
    }),
  );
  return found.flat();
}

const ENDS = /\.[ \t]*(?:%.*)?$/;

/** The lines of the clause that holds a place: those after the end of the clause before it, up to its own end. */
function around(text: string, start: number, end: number): string {
  const lines = text.split('\n');
  const lineOf = (at: number) => text.slice(0, at).split('\n').length - 1;
  let from = lineOf(start);
  while (from > 0 && !ENDS.test(lines[from - 1]!)) from -= 1;
  let to = lineOf(end);
  while (to < lines.length - 1 && !ENDS.test(lines[to]!)) to += 1;
  return lines.slice(from, to + 1).join('\n');
}
