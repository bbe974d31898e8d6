/** A panel that is loaded when it is first shown. */
import { h, sentence, tell } from '../../../../www/src/dom.ts';
import type { Files } from './messages.ts';

interface FilesPanel {
  readonly element: HTMLElement;
  put(files: Files): void;
}

export class Late {
  readonly element = h('div', {});
  #files: Files | undefined;
  #panel: FilesPanel | undefined;
  #loading: Promise<void> | undefined;

  /** @param what its name, for a message */
  constructor(
    private readonly what: string,
    private readonly load: () => Promise<FilesPanel>,
  ) {}

  /** It is shown. */
  open(): void {
    this.#loading ??= this.#load();
  }

  put(files: Files): void {
    this.#files = files;
    this.#panel?.put(files);
  }

  async #load(): Promise<void> {
    this.element.replaceChildren(h('p', { class: 'note' }, 'Loading…'));
    try {
      this.#panel = await this.load();
      this.element.replaceChildren(this.#panel.element);
      if (this.#files) this.#panel.put(this.#files);
    } catch (error) {
      this.#loading = undefined;
      this.element.replaceChildren();
      tell(`${this.what} could not be loaded: ${sentence(error)}`, 'error');
    }
  }
}
