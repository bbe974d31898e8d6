/** A draft that waits for a decision: what it changes, what follows from that, and the decision. */
import type { Chosen, ReviewDesk } from '../../../pkg/book/desk.js';
import { type TestRun, toldTests } from '../../../pkg/book/tests.js';
import type { Proposal, ProposedOperation } from '../../../pkg/full/hornbook.js';
import { button, h, sentence, tell } from '../dom.ts';
import { seen } from '../odd.ts';
import type { GoTo } from '../queries/replay.ts';
import { goalChanges } from './answers.ts';
import { changes } from './changes.ts';
import { Goals } from './goals.ts';

/** What a draft's screen uses of the desk; it may be in another process. */
export type Desk = Pick<ReviewDesk, 'drafts' | 'proposal' | 'consequences' | 'prove' | 'tests' | 'decide' | 'release'>;

/** The page around it. */
export interface Around {
  desk: Desk;
  goTo: GoTo;
  /** The goals that are pinned. */
  pinned: () => string[];
}

/** How long what is new must be visible before somebody decides about it, in milliseconds. */
const READ_MS = 1_000;

/** The name of a client without what is the same for all of this page. */
const named = (by: string | undefined): string => by?.replace(/^hornbook-/, '') ?? 'somebody';

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export class DraftView {
  readonly element: HTMLElement;
  #around: Around;
  #name: string;
  /** What is drawn: all its operations, and those of them whose changes are. A decision is about these. */
  #operations: ProposedOperation[] = [];
  #shown: string[] = [];
  /** The keys of those that are not ticked. */
  #left = new Set<string>();
  /** What is loaded for an older state is dropped. */
  #loads = 0;
  #isBusy = false;
  /** What is drawn is decided about, or not what is ticked. */
  #isStale = true;
  /** What is drawn, as JSON. */
  #drawn = '';
  /** Nobody can have read what is drawn yet. */
  #isUnread = true;
  /** The frame or the time after which it can. */
  #frame = 0;
  #reading: ReturnType<typeof setTimeout> | undefined;
  /** The goals that its client has asked. */
  #asked: string[] = [];
  #decided: () => void;
  #title = h('h2', {}, 'A draft');
  #when = h('time', {});
  #list = h('ul', { class: 'operations', 'aria-label': 'Operations' });
  #changes = h('div', {});
  #refusals = h('div', {});
  #answers = h('div', { class: 'goal-changes' });
  #tests = h('div', { class: 'book-tests' });
  #goals: Goals;
  #reason = h('input', {
    type: 'text',
    'aria-label': 'Reason, which the agent reads',
    placeholder: 'Reason, which the agent reads',
    autocomplete: 'off',
  });
  #accept: HTMLButtonElement;
  #reject: HTMLButtonElement;
  #status = h('p', { class: 'note', role: 'status' });

  /** @param decided is called after a decision, also one that was refused */
  constructor(around: Around, name: string, decided: () => void) {
    this.#around = around;
    this.#name = name;
    this.#decided = decided;
    this.#goals = new Goals(around.pinned, 'Compare', () => void this.#ask());
    this.#accept = button('Accept all', () => void this.#decide('accept'), { class: 'main' });
    this.#reject = button('Reject all', () => void this.#decide('reject'), { class: 'danger' });
    this.element = h(
      'article',
      { class: 'draft', tabindex: -1 },
      h('header', { class: 'row' }, this.#title, this.#when),
      this.#list,
      this.#changes,
      this.#refusals,
      this.#tests,
      h(
        'details',
        { class: 'follows', open: true },
        h('summary', {}, 'Answers that would change'),
        this.#goals.element,
        this.#answers,
      ),
      h('footer', { class: 'row' }, this.#accept, this.#reject, this.#reason),
      this.#status,
    );
  }

  /** What is drawn. */
  get #chosen(): Chosen {
    const isPart = this.#shown.length < this.#operations.length;
    return { draft: this.#name, ...(isPart && { only: this.#shown }) };
  }

  /** Show it as it is now. Rejects if it proposes nothing any more. */
  async refresh(): Promise<void> {
    if (this.#isBusy) return;
    const load = ++this.#loads;
    const { desk } = this.#around;
    const whole = await desk.proposal({ draft: this.#name });
    if (load !== this.#loads) return;
    const keys = whole.operations.map(({ key }) => key);
    const left = new Set([...this.#left].filter((key) => keys.includes(key)));
    // Whoever has chosen some has not chosen what comes later.
    const known = new Set(this.#operations.map(({ key }) => key));
    if (left.size > 0) for (const key of keys) if (!known.has(key)) left.add(key);
    const only = keys.filter((key) => !left.has(key));
    const isWhole = left.size === 0;
    const proposal = isWhole || only.length === 0 ? whole : await desk.proposal({ draft: this.#name, only });
    if (load !== this.#loads) return;
    this.#left = left;
    this.#operations = whole.operations;
    this.#shown = only;
    this.#isStale = false;
    this.#asked = whole.asked;
    // What others do in the book meanwhile need not change what is drawn.
    const drawn = JSON.stringify([{ ...proposal, revision: 0, asked: [] }, this.#operations]);
    if (drawn === this.#drawn) this.#drawButtons();
    else this.#draw(proposal);
    this.#drawn = drawn;
    // What follows from another state says nothing of this one.
    this.#answers.replaceChildren();
    this.#tests.replaceChildren();
    if (only.length === 0) return;
    await this.#ask();
    if (load === this.#loads) await this.#runTests(load);
  }

  /** Load what the ticked operations change. */
  async #tick(): Promise<void> {
    this.#isStale = true;
    this.#status.textContent = '';
    this.#drawButtons();
    const load = this.#loads + 1;
    try {
      await this.refresh();
    } catch (error) {
      if (load === this.#loads) this.#status.textContent = sentence(error);
    }
  }

  #draw(proposal: Proposal): void {
    const last = this.#operations.at(-1);
    const who = [...new Set(this.#operations.map(({ by }) => named(by)))].join(', ');
    const of = this.#name === who ? '' : ` in the draft ${this.#name}`;
    this.#title.textContent = `${who} proposes ${counted(this.#operations.length, 'change')}${of}`;
    this.element.setAttribute('aria-label', this.#title.textContent);
    if (last) {
      const when = new Date(last.at);
      this.#when.dateTime = when.toISOString();
      this.#when.title = when.toLocaleString();
      this.#when.textContent = when.toLocaleTimeString();
    }
    this.#drawOperations(proposal);
    this.#readSoon();
    if (this.#shown.length === 0) {
      const hint = 'Tick operations to see what they change.';
      this.#changes.replaceChildren(h('p', { class: 'note' }, hint));
      this.#refusals.replaceChildren();
      return;
    }
    this.#changes.replaceChildren(changes(proposal));
    this.#refusals.replaceChildren(
      ...proposal.violations.map((one) => h('p', { class: 'fault' }, 'A constraint refuses it: ', ...seen(one))),
      ...proposal.warnings.map((one) => h('p', { class: 'warning' }, ...seen(one))),
    );
  }

  #drawOperations({ operations }: Proposal): void {
    const had = (document.activeElement as HTMLElement | null)?.dataset.key;
    const several = new Set(this.#operations.map(({ by }) => by)).size > 1;
    this.#list.replaceChildren(
      ...this.#operations.map((one) => {
        // What no longer applies depends on what else was chosen.
        const { dropped } = operations.find(({ key }) => key === one.key) ?? one;
        const box = h('input', {
          type: 'checkbox',
          checked: !this.#left.has(one.key),
          'data-key': one.key,
          onchange: () => {
            if (box.checked) this.#left.delete(one.key);
            else this.#left.add(one.key);
            void this.#tick();
          },
        });
        const when = new Date(one.at);
        return h(
          'li',
          {},
          h('label', { class: 'check' }, box, `${one.number} ${one.operation}`),
          several && h('span', { class: 'who agent' }, named(one.by)),
          h('time', { datetime: when.toISOString() }, when.toLocaleTimeString()),
          dropped !== undefined && h('span', { class: 'dropped' }, 'No longer applies: ', ...seen(dropped)),
        );
      }),
    );
    const isPlain = this.#left.size === 0 && !operations.some(({ dropped }) => dropped !== undefined);
    this.#list.hidden = this.#operations.length < 2 && isPlain;
    if (had) this.#list.querySelector<HTMLElement>(`[data-key="${CSS.escape(had)}"]`)?.focus();
  }

  #drawButtons(): void {
    const ticked = this.#operations.length - this.#left.size;
    const which = this.#left.size === 0 ? 'all' : ticked === 0 ? 'the ticked' : `the ${ticked} ticked`;
    this.#accept.lastElementChild!.textContent = `Accept ${which}`;
    this.#reject.lastElementChild!.textContent = `Reject ${which}`;
    const isOff = ticked === 0 || this.#isStale || this.#isUnread;
    for (const one of [this.#accept, this.#reject]) {
      // A button that is disabled loses the focus, and the next key would go to the page.
      if (isOff && document.activeElement === one) this.element.focus();
      one.disabled = isOff;
    }
  }

  /** Nobody decides about what is drawn until it has been visible for a moment: a click may be meant for what was. */
  #readSoon(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#reading);
    this.#isUnread = true;
    this.#drawButtons();
    // There are no frames while the page is in the background.
    this.#frame = requestAnimationFrame(() => {
      this.#reading = setTimeout(() => {
        this.#isUnread = false;
        this.#drawButtons();
      }, READ_MS);
    });
  }

  /** Compare the answers of the goals. */
  async #ask(): Promise<void> {
    const goals = this.#goals.all;
    const [chosen, load] = [this.#chosen, this.#loads];
    if (this.#shown.length === 0) return;
    if (goals.length + this.#asked.length === 0) {
      const hint = 'Pin a query, or type a goal, to see which of its answers would change.';
      this.#answers.replaceChildren(h('p', { class: 'note' }, hint));
      return;
    }
    const { desk, goTo } = this.#around;
    this.#answers.replaceChildren(h('p', { class: 'note' }, 'Asking…'));
    this.#answers.setAttribute('aria-busy', 'true');
    try {
      const found = await desk.consequences(chosen, goals);
      if (load !== this.#loads) return;
      const prove = (goal: string, answer: number) => desk.prove(chosen, goal, answer);
      this.#answers.replaceChildren(...goalChanges(found, prove, goTo));
    } catch (error) {
      if (load === this.#loads) this.#answers.replaceChildren(h('p', { class: 'fault' }, sentence(error)));
    } finally {
      this.#answers.removeAttribute('aria-busy');
    }
  }

  async #runTests(load: number): Promise<void> {
    this.#tests.replaceChildren(h('p', { class: 'note', role: 'status' }, 'Running the tests of the book…'));
    let told: HTMLElement[];
    try {
      const run = await this.#around.desk.tests(this.#chosen);
      told = run ? [drawnTests(run)] : [];
    } catch (error) {
      told = [h('p', { class: 'fault' }, 'The tests could not be run: ', ...seen(sentence(error)))];
    }
    if (load === this.#loads) this.#tests.replaceChildren(...told);
  }

  async #decide(decision: 'accept' | 'reject'): Promise<void> {
    if (this.#isStale || this.#isUnread) return;
    // The buttons come back once the next state is drawn and can have been read.
    this.#drawn = '';
    this.#isBusy = this.#isStale = true;
    this.#loads++;
    this.#drawButtons();
    this.#status.textContent = '';
    const { desk } = this.#around;
    const reason = this.#reason.value.trim() || undefined;
    try {
      const { operations, notices } = await desk.decide(this.#chosen, decision, { reason, shown: this.#shown });
      const done = decision === 'accept' ? 'Accepted' : 'Rejected';
      tell(`${done} ${counted(operations, 'change')}. ${notices.join(' ')}`.trim());
      this.#reason.value = '';
    } catch (error) {
      this.#status.textContent = sentence(error);
    } finally {
      this.#isBusy = false;
      this.#decided();
    }
  }
}

/** What the book's tests do with the draft, with those that fail. */
function drawnTests(run: TestRun): HTMLElement {
  const isUnknown = run.error !== undefined || run.errorBefore !== undefined;
  const isWorse = run.removed.length > 0 || run.failures.some(({ before }) => before !== 'failed');
  const removed = run.removed.map((test) => h('li', {}, h('code', {}, ...seen(test)), ' is removed'));
  const failures = run.failures.map(({ test, message, before }) =>
    h(
      'li',
      {},
      h('code', {}, ...seen(test)),
      before === 'passed' ? ' (passed before)' : before === 'absent' ? ' (new)' : '',
      ': ',
      ...seen(message),
    ),
  );
  const told = h('p', { class: isUnknown || isWorse ? 'fault' : 'good' }, ...seen(toldTests(run)));
  const listed = [...failures, ...removed];
  return h('div', {}, told, listed.length > 0 && h('ul', {}, ...listed));
}
