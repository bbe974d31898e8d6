/**
 * Which of the texts that are open in the editor a panel shows: the one that became active last, or another that the
 * person chooses. One that runs stays.
 */
import { button, h } from '../../../../www/src/dom.ts';
import { say } from './editor.ts';
import type { OpenText } from './messages.ts';

/** What a panel says while no text is open for it. */
export interface Invitation {
  about: string;
  /** The language and the text of a document that the person can open to try it. */
  language: string;
  example: string;
}

const invited = ({ about, language, example }: Invitation): HTMLElement =>
  h(
    'div',
    { class: 'empty' },
    h('p', {}, about),
    button('Open an example', () => say({ kind: 'open', language, text: example }), { class: 'main' }),
  );

export class Choice {
  /** The invitation, or the row to choose from and what is below it. */
  readonly element: HTMLElement;
  shown: OpenText | undefined;
  #texts: OpenText[] = [];
  #active: string | undefined;
  #which: HTMLSelectElement;
  #none: HTMLElement;
  #some: HTMLElement;

  /**
   * @param changed called with whether another text is shown now, or else the shown one has changed
   * @param isRunning whether what is shown runs
   */
  constructor(
    label: string,
    invitation: Invitation,
    below: HTMLElement[],
    private readonly changed: (isOther: boolean) => void,
    private readonly isRunning: () => boolean,
  ) {
    this.#which = h('select', { 'aria-label': label, onchange: () => this.#show(this.#which.value) });
    this.#none = invited(invitation);
    this.#some = h(
      'div',
      { class: 'chosen' },
      h('div', { class: 'row bar' }, h('label', { class: 'row' }, label, this.#which)),
      ...below,
    );
    this.element = h('div', {}, this.#none, this.#some);
    this.#none.hidden = false;
    this.#some.hidden = true;
  }

  /** Update the texts from the editor; `active` is the one shown there. */
  put(texts: OpenText[], active?: string): void {
    const { shown } = this;
    const runs = shown !== undefined && this.isRunning();
    const isNew = active !== this.#active;
    this.#active = active;
    // What runs can be closed in the editor.
    const all = runs && !texts.some(({ name }) => name === shown.name) ? [...texts, shown] : texts;
    this.#texts = all;
    const wanted = isNew && !runs ? [active, shown?.name] : [shown?.name, active];
    this.#which.replaceChildren(...all.map(({ name }) => h('option', { value: name }, name)));
    this.#none.hidden = all.length > 0;
    this.#some.hidden = all.length === 0;
    this.#show(wanted.find((name) => all.some((one) => one.name === name)) ?? all[0]?.name);
  }

  #show(name: string | undefined): void {
    const before = this.shown;
    this.shown = this.#texts.find((one) => one.name === name);
    if (!this.shown) return;
    this.#which.value = this.shown.name;
    if (before?.name !== this.shown.name) this.changed(true);
    else if (before.text !== this.shown.text) this.changed(false);
  }
}
