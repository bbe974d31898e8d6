/** Reads notebooks as Markdown, apart from the page: a text from elsewhere can take a reader of Markdown any time. */
import type { Token } from 'marked';
import { blocksOf, type Read } from './text.ts';

/** The most that the page draws: parts of the Markdown, invisible characters, and levels of nesting. */
const MOST_PARTS = 20_000;
const DEEPEST = 40;
/** An invisible character becomes an element of its own. */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}]/gu;

const scope = self as unknown as { postMessage(message: Read | 'ready'): void };

addEventListener('message', ({ data }: MessageEvent<string>) => scope.postMessage(read(data)));
scope.postMessage('ready');

function read(text: string): Read {
  try {
    const blocks = blocksOf(text);
    const tokens = blocks.flatMap((block) => (block.kind === 'prose' ? [block.token] : []));
    const fault = tooMuch(tokens, blocks.length + unseenIn(text));
    return fault === undefined ? { blocks } : { fault };
  } catch (error) {
    return { fault: error instanceof RangeError ? 'It nests too deeply.' : String(error) };
  }
}

function unseenIn(text: string): number {
  let count = 0;
  for (const _found of text.matchAll(UNSEEN)) count += 1;
  return count;
}

/** Why the tokens cannot be drawn, a sentence. */
function tooMuch(tokens: Token[], others: number): string | undefined {
  let parts = others;
  for (let level = tokens, depth = 0; level.length > 0; depth += 1) {
    parts += level.length;
    if (depth > DEEPEST) return `It nests deeper than ${DEEPEST} levels.`;
    if (parts > MOST_PARTS) return `It has more than ${MOST_PARTS.toLocaleString('en')} parts.`;
    level = level.flatMap(inside);
  }
  return undefined;
}

/** The tokens directly inside of a token: of its text, its list items, or the cells of its table. */
function inside(token: Token): Token[] {
  if (token.type === 'table') return [...token.header, ...token.rows.flat()].flatMap(({ tokens }) => tokens ?? []);
  return [...(('tokens' in token && token.tokens) || []), ...(token.type === 'list' ? token.items : [])];
}
