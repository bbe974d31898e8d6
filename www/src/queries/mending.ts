/** What a query without an answer offers to do about the text of the book. */
import type { Book } from '../book/book.ts';
import { brokenIn } from '../book/broken.ts';
import { shortName } from '../book/names.ts';
import { button, h } from '../dom.ts';
import { tellUndoable } from '../undo.ts';
import { withCode } from './faulty.ts';
import type { Query } from './query.ts';
import type { GoTo } from './replay.ts';

/** Add a clause at the end of the file in the editor, or of a new one, and save it. */
export async function addClause(book: Book, clause: string): Promise<void> {
  const { elsewhere } = book;
  if (elsewhere) {
    const name = book.current?.name ?? '';
    const text = elsewhere.text(name)?.trimEnd();
    if (text === undefined) throw new Error('Open a Prolog file in the editor to add it there.');
    return elsewhere.put(name, `${text}${text && '\n'}${clause}\n`);
  }
  if (book.current?.readOnly || book.current?.isDocument) book.create(book.fresh('untitled.pl'));
  const before = book.text().trimEnd();
  book.edit(`${before}${before && '\n'}${clause}\n`);
  book.textChanged.send();
  const tab = book.current;
  if (!tab) return;
  const [error] = await book.save(tab);
  if (error !== undefined) throw new Error(`${tab.name}:${error}`);
  await tellUndoable(book.session, `Added to ${shortName(tab.name)}.`);
}

/**
 * The clause that could not be read and may explain an outcome, with a link to it: the one that has the missing
 * predicate, or a name of the query, or else the first. A name that is like another is rather misspelt.
 */
export async function missingFor(book: Book, query: Query, goTo: GoTo): Promise<HTMLElement | undefined> {
  const { text, error = '', fault } = query;
  const broken = await brokenIn(book).catch(() => []);
  const unknown = /^Unknown procedure: (?:\w+:)?(\w+)\/\d+/.exec(error)?.[1];
  const names = unknown === undefined ? (text.match(/\b[a-z]\w*/g) ?? []) : [unknown];
  const named = broken.find((one) => names.some((name) => has(one.text, name)));
  const isMisspelt = (fault?.repairs.length ?? 0) > 0 || query.next.startsWith('Did you mean');
  const shown = named ?? (isMisspelt ? undefined : broken[0]);
  if (!shown) return undefined;
  const { file, line, message } = shown;
  return h(
    'p',
    { class: 'hint' },
    ...withCode(`Line ${line} of ${file} was not saved: ${message}`),
    ' ',
    button(`Go to line ${line}`, () => goTo(file, line), { class: 'quiet' }),
  );
}

/** Whether a text has a name as a whole, perhaps with a capital letter, as which it is a variable. */
const has = (text: string, name: string): boolean =>
  text.split(/\W+/).some((word) => word === name || word === name.charAt(0).toUpperCase() + name.slice(1));
