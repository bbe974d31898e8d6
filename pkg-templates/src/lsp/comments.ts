/** Documentation of a predicate, taken from the comment before it. */
import type { Analysis } from './analysis.js';
import type { Definition } from './outline.js';

export interface Comment {
  /** The mode lines at the start of a structured comment, such as `append(?Xs, ?Ys, ?Zs) is nondet`. */
  modes: string[];
  /** Markdown. */
  text: string;
}

const STRUCTURED = /^(%!|%%(?!%)|\/\*\*(?!\*))/;
const MODE = /^(?:[\p{Ll}]|'|[^\p{L}\d\s]).*(?:\)|\bis \w+\.?|\/\/|\.)$|^[\p{Ll}]\w*$/u;

/**
 * The comment right before the first clause, or `undefined`. Blank lines may separate a structured comment from the
 * clause.
 */
export function commentOf(analysis: Analysis, { clauses }: Definition): Comment | undefined {
  const { item } = clauses[0]!;
  const text = analysis.document.getText();
  const comments = item.marks.filter(({ kind, start }) => kind === 'comment' && start < item.start);
  const isParted = (from: number, to: number) => /\n[ \t]*\r?\n/.test(text.slice(from, to));
  let first = comments.length - 1;
  while (first > 0 && !isParted(comments[first - 1]!.end, comments[first]!.start)) first -= 1;
  const block = comments.slice(Math.max(first, 0)).map((mark) => analysis.textOf(mark));
  if (block.length === 0) return undefined;
  const isStructured = STRUCTURED.test(block[0]!);
  if (!isStructured && isParted(comments.at(-1)!.end, item.start)) return undefined;
  const lines = block.flatMap(plain);
  if (isStructured && /^\s*<module>/.test(lines[0]!)) return undefined;
  let modes = 0;
  if (isStructured) while (modes < lines.length && MODE.test(lines[modes]!.trim())) modes += 1;
  return {
    modes: lines.slice(0, modes).map((line) => line.trim().replace(/\.$/, '')),
    text: markdown(lines.slice(modes)),
  };
}

/** The lines of a comment without its comment marks. */
function plain(comment: string): string[] {
  if (comment.startsWith('%')) return [comment.replace(/^%[%!]*/, '').trimEnd()];
  const inside = comment.replace(/^\/\*+\s?/, '').replace(/(?<!\s)\s*(?<!\*)\*+\/$/, '');
  return inside.split('\n').map((line) => line.replace(/^\s*\*(?: |$)/, '').trimEnd());
}

function markdown(lines: string[]): string {
  const indents = lines.filter((line) => line.trim()).map((line) => /^\s*/.exec(line)![0].length);
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .replace(/^@(\w+)/gm, '\n*@$1*')
    .trim();
}
