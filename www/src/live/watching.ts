/** Opens a book to watch: by the form, or by a file that is dropped. */
import { dialog } from '../dialogs.ts';
import { Signal, button, h, sentence, tell } from '../dom.ts';
import { keep, kept, ofTab } from '../kept.ts';
import { servedAddress } from './address.ts';
import type { LivePanel } from './panel.ts';
import type { Source } from './source.ts';

/** Where the browser stores the address: the origin and the name only. */
const KEPT = 'hornbook.watched';
const FIRST = 'http://127.0.0.1:8127/mcp/';
/** What this tab watches, so that a reload goes on with it. */
const HERE = 'hornbook.watching';
/** The name of this browser's person, and what makes it another than everybody else's. */
const NAME = 'hornbook.person';
const MARK = 'hornbook.person-mark';
const NAME_CHARS = 40;

/** What a tab watches: the address of a served book, or the name of a file. */
interface Here {
  address?: string;
  /** It needs a token, which is not stored. */
  needsToken?: boolean;
  file?: string;
}

/** A file from this machine, and its handle in browsers that have some. */
export interface Dropped {
  file: File;
  handle?: FileSystemFileHandle;
}

type Picking = { showOpenFilePicker?: (options: object) => Promise<FileSystemFileHandle[]> };

/** The files that are dropped or chosen with this ending are books. */
export const isBookFile = (name: string): boolean => /\.book$/i.test(name);

export class Watching {
  panel: LivePanel | undefined;
  /** Another book is watched, or none any more. */
  readonly changed = new Signal();
  #close: (() => Promise<void>) | undefined;

  /** Ask for a book. */
  ask(): void {
    const address = h('input', {
      type: 'text',
      value: lastAddress(),
      autocomplete: 'off',
      spellcheck: 'false',
      inputmode: 'url',
    });
    const name = h('input', { type: 'text', value: kept(NAME) ?? '', autocomplete: 'off', maxlength: NAME_CHARS });
    const token = h('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' });
    const fault = h('p', { class: 'fault', role: 'alert' });
    const file = h('input', {
      type: 'file',
      accept: '.book',
      hidden: true,
      'aria-label': "The file of your agent's book",
    });
    const closed = new AbortController();
    const asked = dialog('Watch my agent', (close) => {
      const watch = button('Watch', () => void opening(), { class: 'main' });
      const choose = button('Choose its file…', () => void choosing());
      const all = [watch, choose];
      const doing = async (work: () => Promise<void>) => {
        for (const one of all) one.disabled = true;
        fault.replaceChildren(h('span', { class: 'note' }, 'Opening…'));
        try {
          await work();
          close();
        } catch (error) {
          fault.replaceChildren(...marked(sentence(error)));
        } finally {
          for (const one of all) one.disabled = false;
        }
      };
      const opening = () =>
        doing(async () => {
          const { servedSource } = await import('./source.ts');
          const typed = address.value;
          keep(NAME, name.value.trim() || undefined);
          const given = token.value.trim();
          await this.#open(await servedSource(typed, given, person(), closed.signal), closed.signal);
          keep(KEPT, plainOf(typed));
          remember({ address: plainOf(typed), needsToken: given !== '' });
        });
      const choosing = async () => {
        const { showOpenFilePicker } = window as Picking;
        if (!showOpenFilePicker) return file.click();
        const types = [{ description: 'Books', accept: { 'application/octet-stream': ['.book'] } }];
        const [handle] = await showOpenFilePicker.call(window, { types }).catch(() => []);
        if (handle) await doing(async () => this.#openFile({ file: await handle.getFile(), handle }, closed.signal));
      };
      file.addEventListener('change', () => {
        const [chosen] = file.files ?? [];
        if (chosen) void doing(() => this.#openFile({ file: chosen }, closed.signal));
      });
      return [
        h('p', {}, 'See what your agent does in its book as it does it, and undo it.'),
        h(
          'form',
          {
            class: 'watch-form',
            onsubmit: (event: Event) => {
              event.preventDefault();
              if (!watch.disabled) void opening();
            },
          },
          h('label', {}, 'Address of the book', address),
          h('label', {}, 'Token, if the server asks for one', token),
          h('label', {}, 'Your name, for others who watch it', name),
          h('button', { type: 'submit', hidden: true }),
        ),
        h(
          'p',
          { class: 'note' },
          'Start the server so that it lets this page in: ',
          h('code', {}, `hornbook serve --origin ${window.location.origin}`),
          '. The page reaches that server and no other. The token is not stored.',
        ),
        h(
          'p',
          { class: 'note' },
          'Or choose the file of your agent, as ',
          h('code', {}, 'agent.book'),
          ': the page only reads it. You can also drop it anywhere.',
        ),
        fault,
        file,
        h(
          'div',
          { class: 'row end' },
          choose,
          button('Cancel', () => close()),
          watch,
        ),
      ];
    });
    // Whoever cancels wants nothing to open later.
    void asked.then(() => closed.abort(new Error('It was cancelled.')));
    address.focus();
    address.setSelectionRange(address.value.length, address.value.length);
  }

  /** Go on with what this tab watched before it was loaded again, or say how. */
  async resume(): Promise<void> {
    const { address, needsToken, file } = remembered();
    const again = (why: string) => {
      // It is said once.
      remember(undefined);
      tell(why, 'done', { label: 'Watch again', act: () => this.ask() });
    };
    if (file !== undefined) return again(`You were watching ${file}. Choose its file again to go on.`);
    if (address === undefined) return;
    if (needsToken) return again(`You were watching ${address}. Its token is not stored: type it again to go on.`);
    try {
      const { servedSource } = await import('./source.ts');
      await this.#open(await servedSource(address, '', person()));
    } catch (error) {
      again(`You were watching ${address}. ${sentence(error)}`);
    }
  }

  /** Watch a file that was dropped. */
  async take(dropped: Dropped): Promise<void> {
    try {
      await this.#openFile(dropped);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async stop(): Promise<void> {
    remember(undefined);
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const close = this.#close;
    this.panel?.close();
    [this.panel, this.#close] = [undefined, undefined];
    this.changed.send();
    await close?.();
  }

  async #openFile({ file, handle }: Dropped, signal?: AbortSignal): Promise<void> {
    const { fileSource } = await import('./source.ts');
    await this.#open(fileSource(file, handle), signal);
    remember({ file: file.name });
  }

  /** Watch what is there by now in place of what is no more. */
  async #again(source: Source): Promise<void> {
    try {
      await this.#open(await source.again());
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async #open(source: Source, signal?: AbortSignal): Promise<void> {
    const cancel = () => void source.close();
    signal?.addEventListener('abort', cancel);
    const [{ LiveBook }, { LivePanel }] = await Promise.all([import('./book.ts'), import('./panel.ts')]);
    try {
      signal?.throwIfAborted();
      const book = await LiveBook.open(source, signal);
      signal?.removeEventListener('abort', cancel);
      await this.#leave();
      this.#close = () => book.close();
      this.panel = new LivePanel(book);
      this.panel.stopped.on(() => void this.stop());
      this.panel.again.on(() => void this.#again(source));
      this.changed.send();
    } catch (error) {
      await source.close();
      throw error;
    }
  }
}

/** The name of this browser's person in the history and for others: no two are the same. */
function person(): string {
  const mark = kept(MARK) ?? Math.random().toString(36).slice(2, 6).padEnd(4, '0');
  keep(MARK, mark);
  return `${(kept(NAME) ?? 'playground').slice(0, NAME_CHARS)}-${mark}`;
}

const remember = (here: Here | undefined): void => ofTab.set(HERE, here && JSON.stringify(here));

function remembered(): Here {
  try {
    const { address, needsToken, file } = (JSON.parse(ofTab.get(HERE) ?? 'null') ?? {}) as Here;
    return { address: address && plainOf(String(address)), needsToken: needsToken === true, file };
  } catch {
    return {};
  }
}

/** An address without what else was typed with it, such as a token. */
function plainOf(typed: string): string {
  const { origin, name } = servedAddress(typed);
  return `${origin}/mcp/${name}`;
}

function lastAddress(): string {
  try {
    return plainOf(kept(KEPT) ?? '');
  } catch {
    return FIRST;
  }
}

/** A sentence whose command, after a colon, can be copied as code. */
function marked(text: string): (HTMLElement | string)[] {
  const [, before, command] = /^(.*: )(hornbook serve .*)$/s.exec(text) ?? [];
  return before && command ? [before, h('code', {}, command)] : [text];
}
