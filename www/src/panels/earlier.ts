/** Files as they were after an earlier revision, to bring one back and leave the others as they are. */
import type { Book } from '../book/book.ts';
import { drawn } from '../book/conflict.ts';
import { shortName } from '../book/names.ts';
import { dialog } from '../dialogs.ts';
import { button, h, sentence, tell } from '../dom.ts';
import { tellUndoable } from '../undo.ts';

/** Show what files were after a revision, and bring back the one that the person chooses. */
export async function offerEarlier(book: Book, revision: number): Promise<void> {
  try {
    const { session } = book;
    await session.whole();
    const names = await session.hornbook.filesSince(revision);
    const name = await chosen(book, revision, names);
    if (name === undefined) return;
    const text = await session.hornbook.sourceAfter(name, revision);
    const tab = book.tabs.find((other) => other.name === name);
    if (text !== null) await book.put([{ name, text }]);
    else if (tab) await book.remove(tab);
    const now = text === null ? 'out of the book again' : `as it was after revision ${revision}`;
    await tellUndoable(session, `${shortName(name)} is ${now}.`);
  } catch (error) {
    tell(sentence(error), 'error');
  }
}

/** Resolves with the file to bring back, if any. */
async function chosen(book: Book, revision: number, names: string[]): Promise<string | undefined> {
  const answer = await dialog(`Files as they were after revision ${revision}`, (close) => {
    const about =
      names.length === 0
        ? 'All files are as they were then.'
        : 'These were different. What you bring back is one new change of the book, which you can undo.';
    return [
      h('p', {}, about),
      h('div', { class: 'earlier' }, ...names.map((name) => entry(book, revision, name, () => close(name)))),
      h(
        'div',
        { class: 'row end' },
        button('Close', () => close('')),
      ),
    ];
  });
  return answer || undefined;
}

function entry(book: Book, revision: number, name: string, take: () => void): HTMLElement {
  const { hornbook } = book.session;
  const difference = h('div', { class: 'diff', tabindex: 0, role: 'group', 'aria-label': `What differs in ${name}` });
  const details = h(
    'details',
    {
      ontoggle: async () => {
        if (!details.open || difference.hasChildNodes()) return;
        const then = (await hornbook.sourceAfter(name, revision)) ?? '';
        difference.replaceChildren(...drawn(then, hornbook.source(name) ?? '', '− only then, + only now'));
      },
    },
    h('summary', {}, shortName(name)),
    difference,
  );
  const back = button('Back to here', take, { icon: 'undo', name: `Back to here: ${shortName(name)}` });
  return h('div', { class: 'earlier-file' }, details, back);
}
