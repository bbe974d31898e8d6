/** Unsaved text of tabs that were closed, where this tab has another text of the file: offers both. */
import { button, h, sentence, tell } from '../dom.ts';
import type { Book } from './book.ts';
import { shortName } from './names.ts';

/** Offer above `main` what other tabs left unsaved. */
export async function offerLeft(book: Book, main: HTMLElement): Promise<void> {
  for (const { name, text, drop } of await book.drafts.left()) {
    const mine = () => book.text(book.tabs.find((tab) => tab.name === name));
    if (mine() === text) {
      drop();
      continue;
    }
    const show = async () => {
      const before = mine();
      const choice = await (await import('./conflict.ts')).chosenOfTabs(name, before, text);
      if (choice === undefined) return;
      if (choice === 'theirs') {
        book.write(name, text);
        const act = () => book.write(name, before);
        tell(`${shortName(name)} now has the text of the other tab.`, 'done', { label: 'Bring mine back', act });
      }
      drop();
      banner.remove();
    };
    const banner = h(
      'div',
      { class: 'banner row', role: 'status' },
      h('p', {}, `Unsaved text of another tab: ${shortName(name)}.`),
      button('Show', () => void show().catch((error: unknown) => tell(sentence(error), 'error'))),
    );
    main.before(banner);
  }
}
