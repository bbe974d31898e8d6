/** The operations on the book: who did them, what each of them changed, and the way back. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { Signal, asSentence, button, h, sentence, tell } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Group, Origins } from '../origins.ts';
import type { Session } from '../session.ts';
import { standing, stepsBackTo, stepsOfRedo, stepsOfUndo } from './reversal.ts';

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
  accept: 'Accepted',
  change: 'Changed by a program',
  replace: 'Replaced clauses',
  reset: 'Emptied the book',
  undo: 'Undid',
  redo: 'Redid',
};

export class History {
  readonly element: HTMLElement;
  /** Somebody wants to compare the book after this revision with what it is now. */
  readonly compares = new Signal<number>();
  #session: Session;
  #list = h('ol', { class: 'revisions' });
  #undo: HTMLButtonElement;
  #redo: HTMLButtonElement;
  #undoTurn: HTMLButtonElement;
  #open: number | undefined;
  /** The latest ones, newest first. */
  #revisions: RevisionInfo[] = [];

  constructor(
    session: Session,
    private readonly origins: Origins,
    private readonly others: { above?: HTMLElement; comparison?: HTMLElement } = {},
  ) {
    this.#session = session;
    this.#undoTurn = button('Undo all', () => void this.#back(this.#turn().steps), { icon: 'undo' });
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
      others.above,
      h(
        'div',
        { class: 'row bar' },
        this.#undo,
        this.#redo,
        this.#undoTurn,
        h('p', { class: 'note' }, 'Every change to the book, newest first. Nothing is ever lost.'),
      ),
      others.comparison,
      this.#list,
    );
    session.changed.on(() => void this.refresh());
    session.remembered.on(() => void this.refresh());
    origins.changed.on(() => void this.refresh());
    void this.refresh();
  }

  async reverse(operation: 'undo' | 'redo'): Promise<void> {
    try {
      await this.refresh();
      const group = (revision: RevisionInfo) => this.origins.group(revision);
      // Other tabs undo what they did themselves.
      const own = this.#revisions.filter(({ by }) => by === undefined);
      const steps = operation === 'undo' ? stepsOfUndo(own, group) : stepsOfRedo(own, group);
      await this.#session.ok('workspace', { operation, steps });
      tell(operation === 'undo' ? 'Undone.' : 'Redone.');
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  /** Undo the last operations, other processes' too. */
  async #back(steps: number): Promise<void> {
    try {
      await this.#session.ok('workspace', { operation: 'undo', steps, all: true });
      tell(steps === 1 ? 'Undid one change.' : `Undid ${steps} changes. Redo brings them back.`);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  /** What an agent did last, if nobody did anything after it. */
  #turn(): { who: string; steps: number } {
    const all = standing(this.#revisions);
    const who = all[0] ? this.origins.of(all[0]) : 'you';
    const end = all.findIndex((revision) => this.origins.of(revision) !== who);
    return { who, steps: end < 0 ? all.length : end };
  }

  async refresh(): Promise<void> {
    const history = await this.#session.ok('workspace', { operation: 'history', steps: SHOWN });
    // What a draft proposes is above; the book has it once it is accepted.
    this.#revisions = history.revisions.filter(({ operation }) => operation !== 'draft');
    this.#undo.disabled = history.undoable === 0;
    this.#redo.disabled = history.redoable === 0;
    const { who, steps } = this.#turn();
    this.#undoTurn.hidden = who === 'you' || steps < 2;
    this.#undoTurn.lastElementChild!.textContent = `Undo all ${steps} by ${who}`;
    const items = this.#entries().map(({ revisions, group }) => this.#item(revisions, group));
    if (history.older > 0) items.push(h('li', { class: 'note' }, `and ${history.older} older ones`));
    if (items.length === 0) items.push(h('li', { class: 'note' }, 'No changes yet.'));
    this.#list.replaceChildren(...items);
  }

  /** The revisions, newest first; those that belong together are one entry. */
  #entries(): { revisions: RevisionInfo[]; group?: Group }[] {
    const entries: { revisions: RevisionInfo[]; group?: Group }[] = [];
    for (const revision of this.#revisions) {
      const group = this.origins.group(revision);
      const last = entries.at(-1);
      if (group && last?.group?.to === group.to) last.revisions.push(revision);
      else entries.push({ revisions: [revision], group });
    }
    return entries;
  }

  /** What an operation did, in words. */
  #words({ operation, filename, goal, action, of }: RevisionInfo): (HTMLElement | string)[] {
    const undone = of === undefined ? undefined : this.#revisions.find(({ revision }) => revision === of);
    if (undone) return [`${NAMES[operation] ?? operation} ${of}: `, ...this.#words(undone)];
    const [, proposer] = (operation === 'accept' && /, proposed by (?:hornbook-)?(.+)$/.exec(action ?? '')) || [];
    if (proposer !== undefined) return ['Accepted what ', h('b', {}, proposer), ' proposed'];
    const subject = filename
      ? h('b', {}, filename)
      : goal
        ? coloured(goal)
        : action && asSentence(action).replace(/\.$/, '');
    const name = [NAMES[operation] ?? operation, of].filter(Boolean).join(' ');
    return subject ? [`${name}${of === undefined ? '' : ':'} `, subject] : [name];
  }

  #item(revisions: RevisionInfo[], group: Group | undefined): HTMLElement {
    const [last] = revisions as [RevisionInfo, ...RevisionInfo[]];
    const first = revisions.at(-1)!;
    const number = last.revision;
    const sum = (count: 'added' | 'removed') => revisions.reduce((all, one) => all + one[count], 0);
    const [added, removed] = [sum('added'), sum('removed')];
    const when = new Date(last.timestamp);
    const who = this.origins.of(last);
    const body = h('div', {});
    const details = h(
      'details',
      {
        ontoggle: () => {
          if (!details.open) return;
          this.#open = number;
          void this.#draw(first.revision - 1, number, body);
        },
      },
      h(
        'summary',
        {},
        h('span', { class: 'number' }, number),
        h('span', { class: who === 'you' ? 'who' : 'who agent' }, who),
        h('span', { class: 'what' }, ...(group ? [group.label] : this.#words(last))),
        added + removed > 0 &&
          h(
            'span',
            { class: 'counts' },
            h('span', { class: 'plus' }, `+${added}`),
            ' ',
            h('span', { class: 'minus' }, `−${removed}`),
          ),
        h('time', { datetime: when.toISOString(), title: when.toLocaleString() }, when.toLocaleTimeString()),
      ),
      body,
    );
    if (this.#open === number) details.open = true;
    return h('li', {}, details);
  }

  /** The button that goes back to the book as it was after a revision; a sentence if undoing does not lead there. */
  #wayBack(number: number): HTMLElement | undefined {
    const steps = stepsBackTo(this.#revisions, number);
    if (steps === 0) return undefined;
    if (steps === undefined)
      return h(
        'p',
        { class: 'note' },
        'Something older was undone or redone since, so undoing does not lead back here.',
      );
    const later = steps === 1 ? 'the change' : `the ${steps} changes`;
    return h(
      'div',
      { class: 'row way-back' },
      button('Back to here', () => void this.#back(steps), { icon: 'undo' }),
      h('span', { class: 'note' }, `Undoes ${later} after this one.`),
    );
  }

  #compareButton(number: number): HTMLElement[] {
    if (!this.others.comparison || number === this.#revisions[0]?.revision) return [];
    const compare = button('Compare answers with now', () => this.compares.send(number), { class: 'quiet' });
    return [h('div', { class: 'row way-back' }, compare)];
  }

  async #draw(from: number, to: number, frame: HTMLElement): Promise<void> {
    const label = `What revision ${to} changed`;
    const difference = h('div', { class: 'diff', tabindex: 0, role: 'group', 'aria-label': label });
    try {
      const { diff, truncated } = await this.#session.ok('workspace', { operation: 'diff', from, to });
      // The lines of a place are those of the whole book as one text, which nobody sees.
      const shown = diff.split('\n').filter(Boolean);
      const lines = shown.flatMap((line, index) => {
        if (line.startsWith('@@')) return index === 0 ? [] : [h('div', { class: 'place' }, '⋯')];
        return [h('div', { class: { '+': 'plus', '-': 'minus' }[line[0] ?? ''] ?? 'same' }, line)];
      });
      if (lines.length === 0) lines.push(h('div', { class: 'same' }, 'The text of the book did not change.'));
      if (truncated) lines.push(h('div', { class: 'place' }, '… and more'));
      difference.append(...lines);
    } catch (error) {
      difference.append(h('p', { class: 'fault' }, sentence(error)));
    }
    const back = this.#wayBack(to);
    frame.replaceChildren(...(back ? [back] : []), ...this.#compareButton(to), difference);
  }
}
