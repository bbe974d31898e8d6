/** Opens what the page's address holds: a book, a notebook, a query. */
import type { Book } from './book/book.ts';
import { shortName } from './book/names.ts';
import { dialog } from './dialogs.ts';
import { button, h, sentence, tell } from './dom.ts';
import { seen } from './odd.ts';
import type { Origins } from './origins.ts';
import type { QueriesPane } from './queries/pane.ts';
import type { Session } from './session.ts';
import { type Shared, forgetLink, queryIn, sharedIn } from './share.ts';
import { risky } from './starting.ts';
import { tellUndoable, undoable } from './undo.ts';

export interface Opener {
  session: Session;
  book: Book;
  queries: QueriesPane;
  origins: Origins;
  isEmbedded: boolean;
  openNotebook(text: string): Promise<void>;
}

/** How much of a file the preview shows, in characters. */
const SHOWN = 20_000;

/** Open what the address holds. Resolves with whether it holds a book. */
export async function openLink(opener: Opener): Promise<boolean> {
  const { session, book, queries, isEmbedded } = opener;
  try {
    const query = queryIn(window.location);
    if (query !== undefined) {
      queries.write(query);
      // Enter asks it.
      queries.focus();
    }
    const shared = await sharedIn(window.location.hash);
    if (!shared) return false;
    if (shared.notebook !== undefined) {
      if (!isEmbedded) forgetLink();
      await opener.openNotebook(shared.notebook);
      if (shared.files.length === 0) return isEmbedded;
    }
    // The browser stores the book from now on; if it does not, a reload should open the link again.
    if (session.unkept === undefined) forgetLink();
    const same = shared.files.every(({ name, text }) => book.text(book.tabs.find((tab) => tab.name === name)) === text);
    if (!same && (book.tabs.length === 0 || (await isWanted(shared, session)))) await replace(opener, shared.files);
    if (shared.query) queries.write(shared.query);
    return true;
  } catch (error) {
    forgetLink();
    tell(sentence(error), 'error');
    return false;
  }
}

/** Put the files in place of the book. One undo brings it back. */
async function replace({ session, book, origins }: Opener, files: Shared['files']): Promise<void> {
  const shown = risky();
  try {
    if (book.tabs.length === 0) {
      await book.put(files);
      return;
    }
    const before = await undoable(session);
    await origins.together(`Opened a shared book: ${files.map(({ name }) => shortName(name)).join(', ')}`, async () => {
      await book.clear();
      await book.put(files);
    });
    const steps = (await undoable(session)) - before;
    if (steps > 0) await tellUndoable(session, 'Opened the shared book in place of yours.', steps);
  } finally {
    shown();
  }
}

/** Show what a link holds. Resolves with whether it is to replace the book. */
async function isWanted({ files, query }: Shared, session: Session): Promise<boolean> {
  const counts = await Promise.all(files.map(({ name, text }) => sizeOf(name, text, session)));
  const answer = await dialog('Open the shared book?', (close) => [
    h('p', {}, 'This link contains a book. It replaces yours, which stays in the history; one undo brings it back.'),
    h(
      'ul',
      { class: 'preview' },
      ...files.map(({ name, text }, index) => {
        const whole = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
        const shown = h('pre', { tabindex: 0, 'aria-label': `Text of ${name}` });
        return h(
          'li',
          {},
          h(
            'details',
            { ontoggle: () => shown.hasChildNodes() || shown.append(...seen(whole)) },
            h('summary', {}, h('b', {}, shortName(name)), ' ', h('span', { class: 'about' }, counts[index]!)),
            shown,
          ),
        );
      }),
    ),
    ...(query ? [h('p', { class: 'preview-query' }, 'It asks: ', h('code', {}, ...seen(query)))] : []),
    h(
      'div',
      { class: 'row end' },
      button('Keep mine', () => close('no')),
      button('Open', () => close('yes'), { class: 'main' }),
    ),
  ]);
  return answer === 'yes';
}

/** Longer texts are not divided into clauses for their count. */
const LONGEST = 500_000;

/** `12 clauses, 1.4 kB`. */
async function sizeOf(name: string, text: string, session: Session): Promise<string> {
  const bytes = new TextEncoder().encode(text).length;
  const size = bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
  if (session.hornbook.isDocument(name)) return `document, ${size}`;
  if (text.length > LONGEST) return size;
  const items = await session.hornbook.outline(text).catch(() => []);
  const clauses = items.filter(({ kind }) => ['fact', 'rule', 'grammar'].includes(kind)).length;
  return `${clauses === 1 ? '1 clause' : `${clauses} clauses`}, ${size}`;
}
