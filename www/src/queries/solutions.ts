/** The menus of a card for its answers as a whole: to copy and download them, or to ask for them in another way. */
import { toCopy } from '../dialogs.ts';
import { sentence, tell } from '../dom.ts';
import { download } from '../download.ts';
import { type MenuItem, menu } from '../menu.ts';
import { withoutEnd } from '../prolog/highlight.ts';
import { FORMATS, type Format } from '../../../pkg-templates/src/book/export.ts';
import type { Query } from './query.ts';

/** How many variables can be chosen to order by. */
const MOST_ORDERS = 3;
/** How many answers "The first …" takes. */
const FIRST = 10;

/** Asks for the count, the distinct, the ordered or the first answers of a query. */
export function solutionsMenu(query: Query, ask: (text: string) => void): HTMLElement {
  const { variables } = query;
  const goal = argument(withoutEnd(query.text).trim());
  const template = variables.length === 1 ? variables[0] : `[${variables.join(', ')}]`;
  let count = 'Count';
  for (let n = 2; variables.includes(count); n += 1) count = `Count${n}`;
  const item = (label: string, around: (goal: string) => string): MenuItem => ({
    label,
    about: around('…'),
    act: () => ask(around(goal)),
  });
  const items = [
    item('Count', (inner) => `aggregate_all(count, ${inner}, ${count})`),
    item('Distinct', (inner) => `distinct(${template}, ${inner})`),
    ...variables
      .slice(0, MOST_ORDERS)
      .flatMap((name) => [
        item(`By ${name}, smallest first`, (inner) => `order_by([asc(${name})], ${inner})`),
        item(`By ${name}, largest first`, (inner) => `order_by([desc(${name})], ${inner})`),
      ]),
    item(`The first ${FIRST}`, (inner) => `limit(${FIRST}, ${inner})`),
  ];
  return menu('', items, 'menu', { title: 'Ask for them in another way', class: 'quiet' });
}

/** A goal as an argument: in brackets, unless it is a single call. */
function argument(goal: string): string {
  if (/^[a-z]\w*\((?:[^()%]|\([^()%]*\))*\)$/.test(goal)) return goal;
  return goal.includes('%') || goal.includes('\n') ? `(\n${goal}\n)` : `(${goal})`;
}

/** Exports the answers, as `written` gives them in a format. */
export function exportMenu(query: Query, written: (format: Format) => string): HTMLElement {
  const copy = async (format: Format) => {
    let text: string;
    try {
      text = written(format);
    } catch (error) {
      tell(sentence(error), 'error');
      return;
    }
    const count = query.answers.length;
    try {
      await navigator.clipboard.writeText(text);
      const more = query.phase === 'more' ? ' There may be more: use All to get them.' : '';
      tell(`${count.toLocaleString('en')} ${count === 1 ? 'answer' : 'answers'} copied as ${format.label}.${more}`);
    } catch {
      toCopy(`The answers as ${format.label}`, text);
    }
  };
  const take = (format: Format) => {
    try {
      download(`answers.${format.ending}`, written(format), format.type);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  };
  const items = [
    ...FORMATS.map((format) => ({ label: `Copy as ${format.label}`, act: () => void copy(format) })),
    ...FORMATS.map((format) => ({ label: `Download as ${format.label}`, act: () => take(format) })),
  ];
  return menu('', items, 'down', { title: 'Copy or download the answers', class: 'quiet' });
}
