/** A notebook: markdown in which Prolog blocks are clauses, and blocks labelled `query` are queries. */
import { marked, type Token, type Tokens } from 'marked';
import { withoutPeriod } from '../prolog/period.ts';

/** Of clauses, with the line of the text, from 1, at which they begin. */
export type Block =
  | { kind: 'prose'; token: Token }
  | { kind: 'query'; text: string }
  | { kind: 'clauses'; text: string; line: number };

/** A notebook that was read, or why it can only be shown as text, a sentence. */
export type Read = { blocks: Block[]; fault?: undefined } | { fault: string };

/** The blocks of a notebook, in order. The page calls it by a {@link Reader}, which bounds how long it may take. */
export function blocksOf(text: string): Block[] {
  let line = 1;
  return marked.lexer(text).flatMap((token): Block[] => {
    const begins = line;
    line += token.raw.split('\n').length - 1;
    if (token.type === 'space') return [];
    if (token.type !== 'code') return [{ kind: 'prose', token }];
    const { lang = '', text: code } = token as Tokens.Code;
    const words = lang.toLowerCase().split(/[\s{},.]+/);
    if (words.includes('query')) return [{ kind: 'query', text: bare(code) }];
    return words.includes('prolog') || words.includes('pl')
      ? [{ kind: 'clauses', text: code, line: begins + 1 }]
      : [{ kind: 'prose', token }];
  });
}

/** The clauses of a notebook as one text, and the line of it, from 1, at which each block of clauses begins. */
export interface Clauses {
  text: string;
  begins: number[];
}

/** @param areInPlace whether they are at the lines at which they are in the notebook */
export function clausesOf(blocks: Block[], areInPlace: boolean): Clauses {
  let [text, line] = ['', 1];
  const begins: number[] = [];
  for (const block of blocks) {
    if (block.kind !== 'clauses') continue;
    const apart = begins.length > 0 ? line + 1 : line;
    const begin = areInPlace ? Math.max(line, block.line) : apart;
    text += `${'\n'.repeat(begin - line)}${block.text}\n`;
    begins.push(begin);
    line = begin + block.text.split('\n').length;
  }
  return { text, begins };
}

/** A goal in the form in which it is run. */
const bare = (text: string): string => withoutPeriod(text.trim().replace(/^\?-\s*/, ''));

export const EXAMPLE = `# Who learned from whom?

Facts say who was **taught** by whom:

\`\`\`prolog
:- use_rendering(graph).

taught(socrates, plato).
taught(plato, aristotle).
taught(plato, speusippus).
taught(aristotle, theophrastus).
\`\`\`

Whoever was taught by an heir is one, too. The rule calls itself:

\`\`\`prolog
heir(Teacher, Heir) :- taught(Teacher, Heir).
heir(Teacher, Heir) :- taught(Teacher, Other), heir(Other, Heir).
\`\`\`

Who are the heirs of Socrates?

\`\`\`query
heir(socrates, Who)
\`\`\`

The school is a graph:

\`\`\`query
taught(Teacher, Pupil)
\`\`\`
`;
