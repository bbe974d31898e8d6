/** Files as they were after an earlier revision, to bring one back and leave the others as they are. */
import { type Book, Unsaved, changedMeanwhile } from '../book/book.ts';
import { drawn } from '../book/conflict.ts';
import { shortName } from '../book/names.ts';
import { dialog } from '../dialogs.ts';
import { button, h, sentence, tell } from '../dom.ts';
import { tellUndoable } from '../undo.ts';

type Hornbook = Book['session']['hornbook'];

/** A file whose text was another, and what it is now. */
interface Earlier {
  name: string;
  now: string | undefined;
}

/**
 * Show what files were after a revision, and bring back the one that the person chooses: into the book, or where its
 * files are.
 */
export async function offerEarlier(book: Book, revision: number): Promise<void> {
  try {
    const { session, elsewhere } = book;
    await session.past(async (past) => {
      const files: Earlier[] = [];
      for (const name of await past.filesSince(revision)) {
        const now = elsewhere ? elsewhere.text(name) : session.hornbook.source(name);
        if (elsewhere && (now === undefined || (await past.sourceAfter(name, revision)) === null)) continue;
        files.push({ name, now });
      }
      const about = elsewhere
        ? 'These were different. What you bring back is in the editor and not saved: its undo takes it back.'
        : 'These were different. What you bring back is one new change of the book, which you can undo.';
      const name = await chosen(past, revision, files, about);
      const file = files.find((other) => other.name === name);
      if (!file) return;
      const then = await past.sourceAfter(file.name, revision);
      if (elsewhere) {
        if (elsewhere.text(file.name) !== file.now) throw new Error(changedMeanwhile(file.name));
        return elsewhere.put(file.name, then ?? '');
      }
      const errors = await book.bringBack(file.name, then, file.now);
      const how = then === null ? 'out of the book again' : `as it was after revision ${revision}`;
      const without = errors.length === 1 ? 'one clause' : `${errors.length} clauses`;
      const faults = errors.length === 0 ? '.' : `, without ${without}. ${errors[0]}`;
      await tellUndoable(session, `${shortName(file.name)} is ${how}${faults}`);
    });
  } catch (error) {
    const discard =
      error instanceof Unsaved ? { label: 'Discard them', act: () => void dropped(book, error.file) } : undefined;
    tell(sentence(error), 'error', discard);
  }
}

/** Drop the changes of a file that are not saved, and offer to bring them back. */
async function dropped(book: Book, name: string): Promise<void> {
  const tab = book.tabs.find((other) => other.name === name);
  if (tab?.draft === undefined) return;
  const back = await book.takeTheirs(tab);
  tell(`The changes of ${shortName(name)} are discarded.`, 'done', { label: 'Bring them back', act: back });
}

/** Resolves with the file to bring back, if any. */
async function chosen(past: Hornbook, revision: number, files: Earlier[], about: string): Promise<string | undefined> {
  const answer = await dialog(`Files as they were after revision ${revision}`, (close) => {
    return [
      h('p', {}, files.length === 0 ? 'All files are as they were then.' : about),
      h('div', { class: 'earlier' }, ...files.map((file) => entry(past, revision, file, () => close(file.name)))),
      h(
        'div',
        { class: 'row end' },
        button('Close', () => close('')),
      ),
    ];
  });
  return answer || undefined;
}

function entry(past: Hornbook, revision: number, { name, now }: Earlier, take: () => void): HTMLElement {
  const difference = h('div', { class: 'diff', tabindex: 0, role: 'group', 'aria-label': `What differs in ${name}` });
  const details = h(
    'details',
    {
      ontoggle: async () => {
        if (!details.open || difference.hasChildNodes()) return;
        const then = (await past.sourceAfter(name, revision)) ?? '';
        difference.replaceChildren(...drawn(then, now ?? '', '− only then, + only now'));
      },
    },
    h('summary', {}, shortName(name)),
    difference,
  );
  const back = button('Back to here', take, { icon: 'undo', name: `Back to here: ${shortName(name)}` });
  return h('div', { class: 'earlier-file' }, details, back);
}
