/** The goal at a position of a text of clauses. */
import { pieces } from './highlight.ts';
import { withoutPeriod } from './period.ts';

/** The selected goal, the one in the comment on this line, or that of the directive or clause head here. */
export function goalAt(text: string, from: number, to: number): string | undefined {
  if (to > from) return bare(text.slice(from, to));
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = (text.indexOf('\n', from) + 1 || text.length + 1) - 1;
  const inComment = goalInComment(text.slice(lineStart, lineEnd));
  if (inComment) return inComment;
  for (const clause of clausesOf(text)) {
    if (clause.end < lineStart) continue;
    return clause.start > lineEnd ? undefined : goalOf(text, clause);
  }
  return undefined;
}

/** The goal of a line `% ?- goal.` */
export function goalInComment(line: string): string | undefined {
  const [, goal] = /^\s*%\s*\?-(.*)/s.exec(line) ?? [];
  return goal === undefined ? undefined : withoutPeriod(goal.trim()) || undefined;
}

interface Clause {
  start: number;
  /** The position of its period, or the end of the text if it has none. */
  end: number;
  necks: { from: number; to: number; text: string }[];
}

function* clausesOf(text: string): Iterable<Clause> {
  let clause: Clause | undefined;
  for (const { from, to, style } of pieces(text)) {
    if (style === 'pl-comment') continue;
    clause ??= { start: from, end: text.length, necks: [] };
    if (style !== 'pl-neck') continue;
    const piece = text.slice(from, to);
    if (piece === '.') {
      yield { ...clause, end: from };
      clause = undefined;
    } else if (piece !== '!') {
      clause.necks.push({ from, to, text: piece });
    }
  }
  if (clause) yield clause;
}

function goalOf(text: string, { start, end, necks }: Clause): string | undefined {
  const [neck] = necks;
  if (!neck) return bare(text.slice(start, end));
  if (neck.from === start) return bare(text.slice(neck.to, end));
  const head = text.slice(start, neck.from).trim();
  return neck.text === '-->' ? `phrase(${head}, Words)` : head;
}

function bare(text: string): string | undefined {
  const goal = withoutPeriod(text.trim().replace(/^(\?-|:-)\s*/, ''));
  return goal === '' ? undefined : goal;
}
