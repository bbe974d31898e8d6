/** A notebook: markdown in which Prolog blocks are clauses, and blocks labelled `query` are queries. */
import { marked, type Token, type Tokens } from 'marked';
import { withoutPeriod } from '../prolog/period.ts';

export type Block = { kind: 'prose'; token: Token } | { kind: 'clauses' | 'query'; text: string };

/** A notebook that was read, or why it can only be shown as text, a sentence. */
export type Read = { blocks: Block[]; fault?: undefined } | { fault: string };

/** The blocks of a notebook, in order. The page calls it by a {@link Reader}, which bounds how long it may take. */
export function blocksOf(text: string): Block[] {
  return marked
    .lexer(text)
    .filter(({ type }) => type !== 'space')
    .map((token): Block => {
      if (token.type !== 'code') return { kind: 'prose', token };
      const { lang = '', text: code } = token as Tokens.Code;
      const words = lang.toLowerCase().split(/[\s{},.]+/);
      if (words.includes('query')) return { kind: 'query', text: bare(code) };
      return words.includes('prolog') || words.includes('pl')
        ? { kind: 'clauses', text: code }
        : { kind: 'prose', token };
    });
}

/** The clauses of a notebook, as one text. */
export const clausesOf = (blocks: Block[]): string =>
  blocks.flatMap((block) => (block.kind === 'clauses' ? [`${block.text}\n`] : [])).join('\n');

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
