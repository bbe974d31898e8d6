/** The operations on the book, and what each of them changed. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { asSentence, button, h, sentence, tell } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Session } from '../session.ts';

/** How many revisions to show. */
const SHOWN = 100;

const NAMES: Record<string, string> = {
  assert: 'Asserted',
  retract: 'Retracted',
  import: 'Saved',
  unimport: 'Removed',
  initialization: 'Initialized by',
  query: 'Changed by',
  // No title: the entry itself says what was changed.
  cells: '',
  reset: 'Emptied the book',
  undo: 'Undone',
  redo: 'Redone',
};

export class History {
  readonly element: HTMLElement;
  #session: Session;
  #list = h('ol', { class: 'revisions' });
  #undo: HTMLButtonElement;
  #redo: HTMLButtonElement;
  #open: number | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#undo = button('Undo', () => void this.reverse('undo'), {
      icon: 'undo',
      title: 'Undo the last change to the book',
    });
    this.#redo = button('Redo', () => void this.reverse('redo'), {
      icon: 'redo',
      title: 'Redo the last undone change',
    });
    this.element = h(
      'div',
      { class: 'history' },
      h(
        'div',
        { class: 'row bar' },
        this.#undo,
        this.#redo,
        h('p', { class: 'note' }, 'Every change to the book, newest first. Nothing is ever lost.'),
      ),
      this.#list,
    );
    session.changed.on(() => void this.refresh());
    session.remembered.on(() => void this.refresh());
    void this.refresh();
  }

  async reverse(operation: 'undo' | 'redo'): Promise<void> {
    try {
      await this.#session.ok('workspace', { operation });
      tell(operation === 'undo' ? 'Undone.' : 'Redone.');
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async refresh(): Promise<void> {
    const history = await this.#session.ok('workspace', { operation: 'history', steps: SHOWN });
    this.#undo.disabled = history.undoable === 0;
    this.#redo.disabled = history.redoable === 0;
    const items = history.revisions.map((revision) => this.#item(revision));
    if (history.older > 0) items.push(h('li', { class: 'note' }, `and ${history.older} older ones`));
    if (items.length === 0) items.push(h('li', { class: 'note' }, 'No changes yet.'));
    this.#list.replaceChildren(...items);
  }

  #item(revision: RevisionInfo): HTMLElement {
    const { revision: number, timestamp, operation, filename, goal, action, of, added, removed } = revision;
    const when = new Date(timestamp);
    const diff = h('div', {
      class: 'diff',
      tabindex: 0,
      role: 'group',
      'aria-label': `What revision ${number} changed`,
    });
    const subject = filename
      ? h('b', {}, filename)
      : goal
        ? coloured(goal)
        : action && asSentence(action).replace(/\.$/, '');
    const details = h(
      'details',
      {
        ontoggle: () => {
          if (!details.open) return;
          this.#open = number;
          void this.#draw(number, diff);
        },
      },
      h(
        'summary',
        {},
        h('span', { class: 'number' }, number),
        h('span', { class: 'what' }, NAMES[operation] ?? operation, of === undefined ? null : ` ${of}:`, ' ', subject),
        added + removed > 0 &&
          h(
            'span',
            { class: 'counts' },
            h('span', { class: 'plus' }, `+${added}`),
            ' ',
            h('span', { class: 'minus' }, `−${removed}`),
          ),
        h('time', { datetime: when.toISOString() }, when.toLocaleTimeString()),
      ),
      diff,
    );
    if (this.#open === number) details.open = true;
    return h('li', {}, details);
  }

  async #draw(to: number, frame: HTMLElement): Promise<void> {
    try {
      const { diff, truncated } = await this.#session.ok('workspace', { operation: 'diff', to });
      const lines = diff
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const kind = line.startsWith('@@') ? 'place' : ({ '+': 'plus', '-': 'minus' }[line[0] ?? ''] ?? 'same');
          return h('div', { class: kind }, line);
        });
      if (lines.length === 0) lines.push(h('div', { class: 'same' }, 'The text of the book did not change.'));
      if (truncated) lines.push(h('div', { class: 'place' }, '… and more'));
      frame.replaceChildren(...lines);
    } catch (error) {
      frame.replaceChildren(h('p', { class: 'fault' }, sentence(error)));
    }
  }
}
