/** The goals whose answers a person compares: those that are pinned, and those that they type. */
import { goalsIn } from '../../../pkg/book/consequences.js';
import { button, h } from '../dom.ts';

export class Goals {
  readonly element: HTMLElement;
  #typed: HTMLTextAreaElement;

  /** @param asked is called when the goals should be asked */
  constructor(
    private readonly pinned: () => string[],
    label: string,
    asked: () => void,
  ) {
    this.#typed = h('textarea', {
      rows: 2,
      spellcheck: 'false',
      'aria-label': 'Goals, one a line',
      placeholder: 'path(a, X)',
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        asked();
      },
    });
    this.element = h('div', { class: 'row goals' }, this.#typed, button(label, asked, { keys: 'Ctrl+Enter' }));
  }

  /** Each goal once. */
  get all(): string[] {
    return [...new Set([...this.pinned(), ...goalsIn(this.#typed.value)])];
  }
}
