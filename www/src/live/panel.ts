/** A book that an agent uses elsewhere: what happens to it as it happens, who did it, and the way back. */
import type { Past, PastEntry } from '../../../pkg/generated/hornbook.js';
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { Signal, button, h, sentence, tell } from '../dom.ts';
import { type Burst, burstsOf, countsOf, headOf, timeOf, undoOf } from '../panels/bursts.ts';
import { standing, stepsBackTo } from '../panels/reversal.ts';
import { callOf, wordsOf } from '../panels/words.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import { type LiveBook, whoMade } from './book.ts';
import { LiveText } from './text.ts';

const count = (n: number, what: string): string => (n === 1 ? `1 ${what}` : `${n.toLocaleString('en')} ${what}s`);

/** How much of a clause an entry shows, in characters. */
const SHOWN = 120;
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

export class LivePanel {
  readonly element: HTMLElement;
  /** The text of the book; it may be shown outside the panel. */
  readonly program: HTMLElement;
  /** The person wants to watch it no more. */
  readonly stopped = new Signal();
  #text = new LiveText((entry) => this.#about(entry));
  #state = h('span', { class: 'live-state' });
  #where = h('p', { class: 'live-where', role: 'status' });
  #now = button('Back to now', () => this.#go(undefined), { class: 'main' });
  #slider: HTMLInputElement;
  #at = h('p', { class: 'note' });
  #list = h('ol', { class: 'bursts' });
  /** The latest, newest first. */
  #revisions: RevisionInfo[] = [];
  /** The first clause that each has added, as far as it was seen. */
  #texts = new Map<number, string>();
  /** Those of them that hold: nobody has undone them. */
  #standing = new Set<RevisionInfo>();
  #last = 0;
  #oldest = 0;
  /** The revision that is shown, if it is not the newest. */
  #shown: number | undefined;
  #drawing: Promise<void> | undefined;
  #again = false;
  #undoing = false;

  constructor(private readonly book: LiveBook) {
    const { source } = book;
    this.#slider = h('input', {
      type: 'range',
      min: 0,
      max: 0,
      value: 0,
      'aria-label': 'Time: the revision that is shown',
      oninput: () => this.#go(Number(this.#slider.value)),
    });
    this.program = h(
      'div',
      { class: 'program live-program' },
      h('div', { class: 'row bar' }, this.#where, this.#now),
      h('div', { class: 'program-text' }, this.#text.element),
    );
    this.element = h(
      'div',
      { class: 'live' },
      h(
        'div',
        { class: 'row bar' },
        h('p', { class: 'live-name' }, h('b', {}, source.name), ` on ${source.place}`),
        this.#state,
        button('Stop watching', () => this.stopped.send(), { class: 'quiet' }),
      ),
      h(
        'div',
        { class: 'row live-time' },
        button('Back', () => this.#step(-1), { class: 'small', name: 'Back one change' }),
        this.#slider,
        button('Step', () => this.#step(1), { class: 'small', name: 'Step one change on' }),
      ),
      this.#at,
      source.cannotUndo ? h('p', { class: 'note' }, source.cannotUndo) : null,
      this.#list,
    );
    this.#text.asked.on((revision) => this.#go(revision));
    book.changed.on(() => void this.#draw());
    source.changed.on(() => this.#drawState());
    this.#drawState();
    void this.#draw();
  }

  /** Put the text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.#at.after(this.program);
  }

  /** Show the book as it was after a revision, or as it is. */
  #go(revision: number | undefined): void {
    this.#shown = revision === undefined || revision >= this.#last ? undefined : Math.max(revision, this.#oldest);
    void this.#draw();
  }

  #step(by: number): void {
    this.#go((this.#shown ?? this.#last) + by);
  }

  #drawState(): void {
    const { standing } = this.book.source;
    this.#state.classList.toggle('lost', !standing.isLive);
    this.#state.textContent = standing.isLive ? 'Live' : standing.why;
    this.#state.setAttribute('role', 'status');
  }

  /** Draw what is to be shown now. While one drawing waits for the book, at most one more waits for it. */
  #draw(): Promise<void> {
    if (this.#drawing) this.#again = true;
    this.#drawing ??= this.#drawOnce()
      .catch((error: unknown) => void tell(sentence(error), 'error'))
      .finally(() => {
        this.#drawing = undefined;
        const again = this.#again;
        this.#again = false;
        if (again) void this.#draw();
      });
    return this.#drawing;
  }

  async #drawOnce(): Promise<void> {
    const shown = this.#shown;
    const [history, past] = await Promise.all([this.book.history(), this.book.past(shown)]);
    const before = this.#last;
    this.#revisions = history.revisions;
    this.#standing = new Set(standing(this.#kept()));
    [this.#last, this.#oldest] = [history.last, history.oldest];
    if (shown !== this.#shown) {
      this.#again = true;
      return;
    }
    this.#note(past);
    this.#text.draw(past, shown === undefined);
    this.#drawTime(past);
    this.#drawBursts();
    if (before > 0 && shown === undefined && this.#last > before) this.#say();
  }

  /** Remember what each revision has added: later it may be gone. */
  #note({ entries }: Past): void {
    for (const { added, text } of entries) if (added && !this.#texts.has(added)) this.#texts.set(added, text);
  }

  /** What a revision did. Of clauses that a call added, the first is shown. */
  #words(info: RevisionInfo): (HTMLElement | string)[] {
    const first = this.#texts.get(info.revision);
    const isTold = info.operation === 'assert' || info.operation === 'replace';
    if (!isTold || first === undefined) return wordsOf(info, this.#revisions);
    const more = info.added > 1 ? ` and ${info.added - 1} more` : '';
    return [...wordsOf(info, this.#revisions), ' ', coloured(cut(first), clauses), more];
  }

  /** Where in time this is. */
  #drawTime({ revision, total }: Past): void {
    const isNow = this.#shown === undefined;
    this.program.classList.toggle('is-past', !isNow);
    this.#now.hidden = isNow;
    const info = this.#revisions.find((one) => one.revision === revision);
    const when = info && (isNow ? `, last changed at ${timeOf(info.timestamp)}` : `, at ${timeOf(info.timestamp)}`);
    this.#where.replaceChildren(
      h('b', {}, isNow ? 'Now' : `After revision ${revision}`),
      `: ${count(total, 'clause')}${when ?? ''}`,
    );
    this.#slider.min = String(this.#oldest);
    this.#slider.max = String(this.#last);
    this.#slider.value = String(revision);
    this.#slider.setAttribute('aria-valuetext', `revision ${revision} of ${this.#last}`);
    this.#at.textContent = isNow
      ? `Revision ${revision}, the newest. Move back to see the book as it was.`
      : `Revision ${revision} of ${this.#last}. What comes meanwhile is kept; "Back to now" shows it.`;
  }

  /** Read out what has come. */
  #say(): void {
    const [newest] = this.#bursts();
    const [last] = newest?.revisions ?? [];
    if (!newest || !last) return;
    this.#where.append(h('span', { class: 'unseen' }, `. ${newest.who}: ${last.added} added, ${last.removed} removed`));
  }

  #bursts(): Burst[] {
    return burstsOf(this.#revisions, whoMade);
  }

  #drawBursts(): void {
    const items = this.#bursts().map((burst) => this.#burst(burst));
    if (items.length === 0)
      items.push(h('li', { class: 'note' }, 'Nothing has happened yet. Let your agent change the book.'));
    if (this.#oldest > 0)
      items.push(h('li', { class: 'note' }, `Before this: ${count(this.#oldest, 'older change')}.`));
    const focus = document.activeElement?.closest('.bursts [data-key]')?.getAttribute('data-key');
    this.#list.replaceChildren(...items);
    if (focus) this.#list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  #burst(burst: Burst): HTMLElement {
    const entries = burst.revisions.map((one) => this.#entry(one));
    return h('li', { class: 'burst' }, headOf(burst, this.#undoBurst(burst)), h('ol', {}, ...entries));
  }

  #entry(info: RevisionInfo): HTMLElement {
    const { revision, timestamp, added, removed } = info;
    const isShown = revision === this.#shown;
    const steps = isShown && this.#canUndo() ? stepsBackTo(this.#kept(), revision) : undefined;
    const isUndone = !this.#standing.has(info) && !['undo', 'redo', 'draft'].includes(info.operation);
    return h(
      'li',
      { class: isUndone ? 'entry undone' : 'entry' },
      h(
        'button',
        {
          type: 'button',
          class: 'moment',
          'data-key': `moment ${revision}`,
          'aria-pressed': String(isShown),
          title: `${callOf(info)}\nShow the book as it was after this`,
          onclick: () => this.#go(isShown ? undefined : revision),
        },
        h('span', { class: 'number' }, revision),
        h('span', { class: 'what' }, ...this.#words(info)),
        isUndone && h('span', { class: 'note' }, 'undone'),
        countsOf(added, removed),
        h('time', {}, timeOf(timestamp)),
      ),
      steps
        ? h(
            'div',
            { class: 'row way-back' },
            button('Back to here', () => void this.#undo(steps), { icon: 'undo' }),
            h('span', { class: 'note' }, `Undoes the ${count(steps, 'change')} after this one, for everybody.`),
          )
        : null,
    );
  }

  /** The operations that undo knows: what a draft proposes is none of the book's. */
  #kept(): RevisionInfo[] {
    return this.#revisions.filter(({ operation }) => operation !== 'draft');
  }

  #canUndo(): boolean {
    return this.book.source.cannotUndo === undefined;
  }

  /** Undoes all of a burst, and what came after it. */
  #undoBurst(burst: Burst): HTMLElement | null {
    const found = this.#canUndo() ? undoOf(burst, this.#kept()) : undefined;
    if (!found) return null;
    const undo = button(found.label, () => void this.#undo(found.steps), {
      icon: 'undo',
      name: `${found.label} by ${burst.who}`,
    });
    undo.dataset.key = `undo ${burst.revisions.at(-1)!.revision}`;
    undo.disabled = this.#undoing;
    return undo;
  }

  async #undo(steps: number): Promise<void> {
    if (this.#undoing) return;
    this.#undoing = true;
    const [seen] = this.#kept();
    try {
      // What came since the button was drawn is not to be undone in place of what it names.
      const { revisions } = await this.book.history();
      if (revisions.find(({ operation }) => operation !== 'draft')?.revision !== seen?.revision)
        throw new Error('The book has just changed. Look at what came, and undo again.');
      const undone = await this.book.source.reverse('undo', steps);
      this.#shown = undefined;
      tell(`Undid ${count(undone, 'change')}.`, 'done', { label: 'Redo', act: () => void this.#redo(undone) });
    } catch (error) {
      tell(sentence(error), 'error');
    } finally {
      this.#undoing = false;
      void this.#draw();
    }
  }

  async #redo(steps: number): Promise<void> {
    try {
      tell(`Redid ${count(await this.book.source.reverse('redo', steps), 'change')}.`);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  /** Who added a clause, when, and by which call. */
  #about({ added, line, file }: PastEntry): (HTMLElement | string)[] {
    const info = this.#revisions.find(({ revision }) => revision === added);
    const place = file && line ? [` (${file}:${line})`] : [];
    if (!info) {
      const known =
        added === undefined ? 'before what the history still has' : `in revision ${added}, before these changes`;
      return [`Added ${known}.`, ...place];
    }
    return [
      'Added by ',
      h('b', {}, whoMade(info)),
      ` at ${timeOf(info.timestamp)}, revision ${info.revision}, in `,
      h('code', {}, callOf(info)),
      ...place,
    ];
  }
}
