/** The drafts that wait in this page: how many there are, and their list, which is loaded with the first. */
import { Signal, h, sentence, tell } from '../dom.ts';
import type { GoTo } from '../queries/replay.ts';
import type { Session } from '../session.ts';
import { deskOf } from './desk.ts';
import type { Reviews } from './list.ts';

export class Waiting {
  /** Where the list is shown. */
  readonly element = h('div', { hidden: true });
  /** There are more or fewer of them. */
  readonly changed = new Signal();
  /** Somebody wants to see them. */
  readonly wanted = new Signal();
  #names: string[] = [];
  #list: Promise<Reviews> | undefined;

  /** @param pinned the goals that are pinned */
  constructor(
    private readonly session: Session,
    private readonly goTo: GoTo,
    private readonly pinned: () => string[],
  ) {
    session.reopened.on(() => this.#follow());
    session.changed.on(() => void this.#list?.then((list) => list.later()));
    this.#follow();
  }

  get count(): number {
    return this.#names.length;
  }

  /** Ask the goals again: others are pinned. */
  pinnedChanged(): void {
    void this.#list?.then((list) => list.later());
  }

  /** Follow the drafts of the book; the part of the crate for Prolog alone has none. */
  #follow(): void {
    const { hornbook } = this.session;
    if (!('onDrafts' in hornbook)) return;
    // The change is complete when it is told, and what reads it needs the book's turn.
    hornbook.onDrafts(() => queueMicrotask(() => void this.#read()));
    void this.#read();
  }

  async #read(): Promise<void> {
    try {
      const names = await this.session.hornbook.drafts();
      const added = names.filter((name) => !this.#names.includes(name));
      this.#names = names;
      this.element.hidden = names.length === 0;
      this.changed.send();
      if (names.length > 0) this.#list ??= this.#load();
      (await this.#list)?.later();
      for (const name of added)
        tell(`${name} proposes changes.`, 'done', { label: 'Review', act: () => this.wanted.send() });
    } catch (error) {
      this.#list = undefined;
      tell(sentence(error), 'error');
    }
  }

  async #load(): Promise<Reviews> {
    const [{ Reviews }, desk] = await Promise.all([import('./list.ts'), deskOf(this.session)]);
    const list = new Reviews({ desk, goTo: this.goTo, pinned: this.pinned });
    this.element.replaceChildren(list.element);
    return list;
  }
}
