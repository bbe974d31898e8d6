/** A book that an agent uses elsewhere: what happens to it as it happens, who did it, and the way back. */
import type { Past, PastEntry } from '../../../pkg/generated/hornbook.js';
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { Signal, button, h, sentence, tell } from '../dom.ts';
import { type Burst, burstsOf, countsOf, headOf, timeOf, undoOf } from '../panels/bursts.ts';
import { standing, stepsBackTo } from '../panels/reversal.ts';
import { callOf, wordsOf } from '../panels/words.ts';
import { Pinned, pinForm } from '../queries/pinned.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import { type LiveBook, whoMade } from './book.ts';
import { Told } from './source.ts';
import { LiveText } from './text.ts';

const count = (n: number, what: string): string => (n === 1 ? `1 ${what}` : `${n.toLocaleString('en')} ${what}s`);

/** How much of a clause an entry shows, in characters. */
const SHOWN = 120;
/** How many of the latest revisions are listed: the slider reaches the others. */
const LISTED = 300;
/** How soon it is looked again whether a button is still pressed, in milliseconds. */
const PRESSED_MS = 50;
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

export class LivePanel {
  readonly element: HTMLElement;
  /** The text of the book; it may be shown outside the panel. */
  readonly program: HTMLElement;
  /** The person wants to watch it no more. */
  readonly stopped = new Signal();
  /** The person wants to watch what is there by now. */
  readonly again = new Signal();
  #text = new LiveText((entry) => this.#about(entry));
  #state = h('span', { class: 'live-state', role: 'status' });
  #anew = button('Watch it again', () => this.again.send(), { class: 'small' });
  #mayNot = h('p', { class: 'note' });
  #others = h('p', { class: 'note live-others', hidden: true });
  #where = h('p', { class: 'live-where', role: 'status' });
  #now = button('Back to now', () => this.#go(undefined), { class: 'main' });
  #slider: HTMLInputElement;
  #at = h('p', { class: 'note' });
  #list = h('ol', { class: 'bursts' });
  #pinned: Pinned;
  /** All that are known, newest first. */
  #revisions: RevisionInfo[] = [];
  /** The first clause that each has added, as far as it was seen. */
  #texts = new Map<number, string>();
  /** Those of them that hold: nobody has undone them. */
  #standing = new Set<RevisionInfo>();
  #last = 0;
  #oldest = 0;
  /** The clauses that are shown, by id. */
  #entries = new Map<string, PastEntry>();
  /** The revision that is shown, if it is not the newest. */
  #shown: number | undefined;
  #reading = false;
  #isBehind = false;
  #undoing = false;
  /** The picture is being drawn, and something else is wanted by now. */
  #drawing: Promise<void> | undefined;
  #isWanted = false;
  #pressed: number | undefined;

  constructor(private readonly book: LiveBook) {
    const { source } = book;
    this.#pinned = new Pinned(book.watches, undefined, `hornbook.pinned ${source.place} ${source.name}`);
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
        this.#anew,
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
      this.#mayNot,
      this.#others,
      pinForm(this.#pinned),
      this.#pinned.element,
      this.#list,
    );
    const { presence } = source;
    presence?.changed.on(() => this.#drawOthers());
    this.#text.moved.on((at) => presence?.move(at));
    void presence?.begin();
    this.#text.asked.on((revision) => this.#go(revision));
    book.changed.on(() => void this.#read());
    source.changed.on(() => this.#drawState());
    this.#drawState();
    this.#pinned.restore();
    void this.#read();
  }

  close(): void {
    this.#pinned.close();
  }

  /** Put the text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.#at.after(this.program);
  }

  /** Show the book as it was after a revision, or as it is. */
  #go(revision: number | undefined): void {
    this.#shown = revision === undefined || revision >= this.#last ? undefined : Math.max(revision, this.#oldest);
    void this.#draw().catch((error: unknown) => this.#isOver() || tell(sentence(error), 'error'));
  }

  #step(by: number): void {
    this.#go((this.#shown ?? this.#last) + by);
  }

  #drawState(): void {
    const { standing } = this.book.source;
    this.#state.classList.toggle('lost', !standing.isLive);
    this.#state.textContent = standing.isLive ? 'Live' : standing.why;
    this.#anew.hidden = !this.#isOver();
    this.#mayNot.textContent = (!this.#isOver() && this.book.source.cannotUndo) || '';
    this.#mayNot.hidden = this.#mayNot.textContent === '';
    if (this.#last > 0) this.#drawBursts();
  }

  /** Say who else watches, and where they are. */
  #drawOthers(): void {
    const others = this.book.source.presence?.others ?? [];
    this.#text.mark(others);
    const where = (at: string | undefined) => {
      const entry = at === undefined ? undefined : this.#entries.get(at);
      if (!entry) return '';
      return entry.file && entry.line ? ` (${entry.file}:${entry.line})` : ` (${cut(entry.text.trim())})`;
    };
    this.#others.textContent = `Also here: ${others.map(({ name, at }) => name + where(at)).join(', ')}.`;
    this.#others.hidden = others.length === 0;
  }

  #isOver(): boolean {
    const { standing } = this.book.source;
    return !standing.isLive && standing.isOver === true;
  }

  /** Read what has come, and draw. While that takes, at most one more reading waits for it. */
  async #read(): Promise<void> {
    if (this.#reading || this.#isOver()) {
      this.#isBehind = true;
      return;
    }
    [this.#reading, this.#isBehind] = [true, false];
    const before = this.#last;
    try {
      this.#take(await this.book.history());
      await this.#draw();
      if (before > 0 && this.#shown === undefined && this.#last > before) this.#say();
    } catch (error) {
      if (!this.#isOver()) tell(sentence(error), 'error');
    } finally {
      this.#reading = false;
      if (this.#isBehind) void this.#read();
    }
  }

  #take({ revisions, last, oldest }: Awaited<ReturnType<LiveBook['history']>>): void {
    this.#revisions = revisions;
    this.#standing = new Set(standing(this.#kept()));
    [this.#last, this.#oldest] = [last, oldest];
  }

  /**
   * Draw what is to be shown, of what was read: this asks no server. Whatever is wanted meanwhile, one look at the past
   * follows the other.
   */
  #draw(): Promise<void> {
    this.#isWanted = true;
    this.#drawing ??= this.#drawAll().finally(() => (this.#drawing = undefined));
    return this.#drawing;
  }

  async #drawAll(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      const shown = this.#shown;
      const past = await this.book.past(shown);
      this.#note(past);
      this.#text.draw(past, shown === undefined);
      this.#entries = new Map(past.entries.map((entry) => [entry.id, entry]));
      this.#drawOthers();
      // The slider stays with whoever drags it.
      if (shown !== this.#shown) continue;
      this.#drawTime(past);
      this.#drawBursts();
    }
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
    // A button that is replaced while it is pressed is not clicked.
    if (this.#list.matches(':active')) {
      window.clearTimeout(this.#pressed);
      this.#pressed = window.setTimeout(() => this.#drawBursts(), PRESSED_MS);
      return;
    }
    const items: HTMLElement[] = [];
    let left = LISTED;
    for (const burst of this.#bursts()) {
      if (left <= 0) break;
      items.push(this.#burst(burst, left));
      left -= burst.revisions.length;
    }
    const unlisted = this.#revisions.length - LISTED;
    if (unlisted > 0)
      items.push(h('li', { class: 'note' }, `Not listed: ${count(unlisted, 'older change')}. The slider shows them.`));
    if (items.length === 0)
      items.push(h('li', { class: 'note' }, 'Nothing has happened yet. Let your agent change the book.'));
    if (this.#oldest > 0)
      items.push(
        h('li', { class: 'note' }, `No longer kept: ${count(this.#oldest, 'older change')}. They cannot be undone.`),
      );
    const focus = document.activeElement?.closest('.bursts [data-key]')?.getAttribute('data-key');
    this.#list.replaceChildren(...items);
    if (focus)
      this.#list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  #burst(burst: Burst, most: number): HTMLElement {
    const entries = burst.revisions.slice(0, most).map((one) => this.#entry(one));
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
            this.#wayBack(revision),
            h('span', { class: 'note' }, `Undoes the ${count(steps, 'change')} after this one, for everybody.`),
          )
        : null,
    );
  }

  #wayBack(revision: number): HTMLElement {
    const back = button('Back to here', () => void this.#undo(revision), { icon: 'undo' });
    back.dataset.key = `back to ${revision}`;
    return back;
  }

  /** The operations that undo knows: what a draft proposes is none of the book's. */
  #kept(): RevisionInfo[] {
    return this.#revisions.filter(({ operation }) => operation !== 'draft');
  }

  #canUndo(): boolean {
    return this.book.source.cannotUndo === undefined && !this.#isOver();
  }

  /** Undoes all of a burst, and what came after it. */
  #undoBurst(burst: Burst): HTMLElement | null {
    const found = this.#canUndo() ? undoOf(burst, this.#kept()) : undefined;
    if (!found) return null;
    const first = burst.revisions.at(-1)!.revision;
    const undo = button(found.label, () => void this.#undo(first - 1), {
      icon: 'undo',
      name: `${found.label} by ${burst.who}`,
    });
    undo.dataset.key = `undo ${first}`;
    undo.disabled = this.#undoing;
    return undo;
  }

  /** Undo what came after a revision. */
  async #undo(until: number): Promise<void> {
    if (this.#undoing) return;
    this.#undoing = true;
    try {
      const { steps, last } = await this.#undoAfter(until);
      this.#shown = undefined;
      tell(`Undid ${count(steps, 'change')}.`, 'done', { label: 'Redo', act: () => void this.#redo(steps, last) });
    } catch (error) {
      if (!this.#isOver()) tell(sentence(error), 'error');
    } finally {
      this.#undoing = false;
      this.#drawBursts();
      void this.#read();
    }
  }

  /**
   * Undo what came after a revision, also what the clients whose changes the button names have added since it was
   * drawn; what another client did meanwhile is not undone in its place. Resolves to how many changes that were, and
   * the last revision then.
   */
  async #undoAfter(until: number): Promise<{ steps: number; last: number }> {
    const { source } = this.book;
    if (!source.standing.isLive) throw new Error(`${source.standing.why} Nothing was undone.`);
    const after = () => standing(this.#kept()).filter(({ revision }) => revision > until);
    const named = new Set(after().map(whoMade));
    const { steps, from } = await source.reverse('undo', async () => {
      this.#take(await this.book.history());
      await this.book.check();
      const other = after().find((one) => !named.has(whoMade(one)));
      if (other) throw new Told(`${whoMade(other)} has just changed the book. Look at what came, and undo again.`);
      const left = stepsBackTo(this.#kept(), until);
      if (!left) throw new Told('Others have undone this already.');
      return { steps: left, from: this.#last };
    });
    return { steps, last: from + steps };
  }

  /** Redo what was just undone, unless the book has changed after the revision `from`. */
  async #redo(steps: number, from: number): Promise<void> {
    let isFirst = true;
    try {
      const done = await this.book.source.reverse('redo', async () => {
        if (!isFirst) throw new Told('The book has changed since, so nothing was redone.');
        isFirst = false;
        return { steps, from };
      });
      tell(`Redid ${count(done.steps, 'change')}.`);
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
