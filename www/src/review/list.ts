/** The drafts that wait for a decision, above the history. */
import '../styles/review.css';
import { debounced, h, sentence } from '../dom.ts';
import { type Around, DraftView } from './draft.ts';

/** How long to wait for further changes before the drafts are read again, in milliseconds. */
const PAUSE_MS = 200;

export class Reviews {
  readonly element = h('section', { class: 'reviews', 'aria-label': 'Changes to review' });
  /** Read the drafts again soon. */
  readonly later = debounced(PAUSE_MS, () => void this.refresh());
  /** They have changed while they were not shown. */
  #isStale = false;
  #views = new Map<string, DraftView>();
  #note = h('p', { class: 'fault', role: 'status' });

  constructor(private readonly around: Around) {
    const seen = new IntersectionObserver(() => this.#isStale && this.#isShown && void this.refresh());
    seen.observe(this.element);
  }

  get #isShown(): boolean {
    return this.element.offsetParent !== null;
  }

  /** Show the drafts that there are now. */
  async refresh(): Promise<void> {
    try {
      const names = await this.around.desk.drafts();
      for (const name of [...this.#views.keys()]) if (!names.includes(name)) await this.#drop(name);
      // What they propose takes engines, which somebody who edits would wait for.
      this.#isStale = !this.#isShown;
      if (this.#isStale) return;
      for (const name of names) if (!this.#views.has(name)) this.#add(name);
      this.#note.remove();
      await Promise.all([...this.#views.values()].map((view) => view.refresh()));
    } catch (error) {
      // A draft may be decided about while it is read: then there is a change, and they are read again.
      if (/proposes nothing/.test(sentence(error))) return this.later();
      this.#note.textContent = sentence(error);
      this.element.prepend(this.#note);
    }
  }

  #add(name: string): void {
    const view = new DraftView(this.around, name, () => void this.refresh());
    this.#views.set(name, view);
    this.element.append(view.element);
  }

  async #drop(name: string): Promise<void> {
    const { element } = this.#views.get(name)!;
    this.#views.delete(name);
    const hadFocus = element.contains(document.activeElement);
    const next = (element.nextElementSibling ?? element.previousElementSibling) as HTMLElement | null;
    element.remove();
    const tab = document.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    if (hadFocus) (next ?? tab)?.focus();
    await this.around.desk.release(name);
  }
}
