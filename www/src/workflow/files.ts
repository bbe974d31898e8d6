/**
 * The DML programs that a workflow names: those that are there, as files of the book, or files of this machine that the
 * person chooses and the browser stores.
 */
import { h } from '../dom.ts';

export class ProgramFiles {
  readonly element = h('div', {
    class: 'program-files',
    role: 'group',
    'aria-label': 'Program files',
    hidden: true,
  });
  /** The names used in the text. */
  #named = new Set<string>();

  /**
   * @param texts the chosen files, by the names used in workflows
   * @param there the texts that are there, where that is, and how one puts another there, in words
   * @param chosen called when a file was chosen
   */
  constructor(
    readonly texts: Map<string, string>,
    private readonly there: { text(name: string): string | undefined; where: string; how: string },
    private readonly chosen: () => void,
  ) {}

  /** Whether the text names any. */
  get areNamed(): boolean {
    return this.#named.size > 0;
  }

  /** Before the text is read again: no names yet. */
  forget(): void {
    this.#named.clear();
  }

  /** The text of a named file. */
  text = (name: string): string => {
    this.#named.add(name);
    const text = this.there.text(name) ?? this.texts.get(name);
    if (text === undefined)
      throw new Error(`The program '${name}' is missing: choose its file below, or ${this.there.how}.`);
    return text;
  };

  draw(): void {
    this.element.hidden = this.#named.size === 0;
    this.element.replaceChildren(
      ...[...this.#named].map((name) => {
        const own = this.there.text(name);
        if (own !== undefined)
          return h(
            'div',
            { class: 'row' },
            h('code', {}, name),
            h('span', { class: 'note' }, `${linesOf(own)}, ${this.there.where}`),
          );
        const text = this.texts.get(name);
        const input = h('input', {
          type: 'file',
          accept: '.dml',
          'aria-label': `File for ${name}`,
          onchange: () => void this.#choose(name, input.files?.[0]),
        });
        const note = text === undefined ? 'no file chosen' : linesOf(text);
        return h('div', { class: 'row' }, h('code', {}, name), h('span', { class: 'note' }, note), input);
      }),
    );
  }

  async #choose(name: string, file: File | undefined): Promise<void> {
    if (!file) return;
    this.texts.set(name, await file.text());
    this.chosen();
  }
}

function linesOf(text: string): string {
  const lines = text.trimEnd().split('\n').length;
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
