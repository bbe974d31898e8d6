/** The operations on the book: who did them, what each of them changed, and the way back. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { button, h, sentence, tell } from '../dom.ts';
import type { Group, Origins } from '../origins.ts';
import type { Session } from '../session.ts';
import { type Burst, burstsOf, countsOf, headOf, undoOf } from './bursts.ts';
import { standing, stepsBackTo, stepsOfRedo, stepsOfUndo } from './reversal.ts';
import { wordsOf } from './words.ts';

/** How many revisions to show. */
const SHOWN = 100;

/** What is beside the history, if it is there. */
export interface Beside {
  above?: HTMLElement;
  comparison?: HTMLElement;
  /** Compare the book after this revision with what it is now. */
  compares?(revision: number): void;
  /** Whether a revision came from where it has an undo of its own. */
  isElsewhere?(revision: RevisionInfo): boolean;
  /** Bring back a file as it was after this revision. */
  restores?(revision: number): void;
}

export class History {
  readonly element: HTMLElement;
  #session: Session;
  #list = h('ol', { class: 'revisions' });
  #undo: HTMLButtonElement;
  #redo: HTMLButtonElement;
  #about = h('p', { class: 'note', role: 'status' });
  #open: number | undefined;
  /** The latest ones, newest first. */
  #revisions: RevisionInfo[] = [];

  constructor(
    session: Session,
    private readonly origins: Origins,
    private readonly others: Beside = {},
  ) {
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
      others.above,
      h('div', { class: 'row bar' }, this.#undo, this.#redo, this.#about),
      others.comparison,
      this.#list,
    );
    session.changed.on(() => void this.refresh());
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

  async refresh(): Promise<void> {
    const history = await this.#session.ok('workspace', { operation: 'history', steps: SHOWN });
    // What a draft proposes is above; the book has it once it is accepted.
    this.#revisions = history.revisions.filter(({ operation }) => operation !== 'draft');
    const isElsewhere = history.undoable > 0 && this.#reachesElsewhere(1);
    this.#about.textContent = isElsewhere
      ? 'The last change came from a file: undo it in the editor (Ctrl+Z).'
      : 'Every change to the book, newest first. Nothing is ever lost.';
    this.#undo.disabled = history.undoable === 0 || isElsewhere;
    this.#redo.disabled = history.redoable === 0;
    const who = (revision: RevisionInfo) => this.origins.of(revision);
    const groupOf = (revision: RevisionInfo) => this.origins.group(revision)?.to;
    const isOne = (one: RevisionInfo, other: RevisionInfo) =>
      groupOf(one) !== undefined && groupOf(one) === groupOf(other);
    const items = burstsOf(this.#revisions, who, isOne).flatMap((burst) => this.#burst(burst));
    if (history.older > 0) items.push(h('li', { class: 'note' }, `and ${history.older} older ones`));
    if (items.length === 0) items.push(h('li', { class: 'note' }, 'No changes yet.'));
    this.#list.replaceChildren(...items);
  }

  /** Whether so many steps of undo would take back what came from elsewhere. */
  #reachesElsewhere(steps: number): boolean {
    const undone = standing(this.#revisions).slice(0, steps);
    return undone.some((one) => this.others.isElsewhere?.(one) ?? false);
  }

  /** What a client did in a row; several changes by somebody else stand below a line that says so. */
  #burst(burst: Burst): HTMLElement[] {
    const entries = this.#entries(burst.revisions).map(({ revisions, group }) => this.#item(revisions, group));
    if (burst.who === 'you' || burst.revisions.length < 2) return entries;
    const found = undoOf(burst, this.#revisions);
    const undo =
      found && !this.#reachesElsewhere(found.steps)
        ? button(found.label, () => void this.#back(found.steps), {
            icon: 'undo',
            name: `${found.label} by ${burst.who}`,
          })
        : null;
    return [h('li', { class: 'burst' }, headOf(burst, undo), h('ol', { class: 'revisions' }, ...entries))];
  }

  /** Entries of revisions, newest first; those that belong together are one entry. */
  #entries(revisions: RevisionInfo[]): { revisions: RevisionInfo[]; group?: Group }[] {
    const entries: { revisions: RevisionInfo[]; group?: Group }[] = [];
    for (const revision of revisions) {
      const group = this.origins.group(revision);
      const last = entries.at(-1);
      if (group && last?.group?.to === group.to) last.revisions.push(revision);
      else entries.push({ revisions: [revision], group });
    }
    return entries;
  }

  #item(revisions: RevisionInfo[], group: Group | undefined): HTMLElement {
    const [last] = revisions as [RevisionInfo, ...RevisionInfo[]];
    const first = revisions.at(-1)!;
    const number = last.revision;
    const sum = (count: 'added' | 'removed') => revisions.reduce((all, one) => all + one[count], 0);
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
        h('span', { class: 'what' }, ...(group ? [group.label] : wordsOf(last, this.#revisions))),
        countsOf(sum('added'), sum('removed')),
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
    if (this.#reachesElsewhere(steps))
      return h('p', { class: 'note' }, 'A file has changed since: undo that in the editor (Ctrl+Z).');
    const later = steps === 1 ? 'the change' : `the ${steps} changes`;
    return h(
      'div',
      { class: 'row way-back' },
      button('Back to here', () => void this.#back(steps), { icon: 'undo' }),
      h('span', { class: 'note' }, `Undoes ${later} after this one.`),
    );
  }

  #ways(number: number): HTMLElement[] {
    const { compares, restores } = this.others;
    if (!(compares || restores) || number === this.#revisions[0]?.revision) return [];
    const compare = compares && button('Compare answers with now', () => compares(number), { class: 'quiet' });
    const restore = restores && button('One file as it was…', () => restores(number), { class: 'quiet' });
    return [h('div', { class: 'row way-back' }, restore, compare)];
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
    frame.replaceChildren(...(back ? [back] : []), ...this.#ways(to), difference);
  }
}
