/** Where the answers of two revisions are compared; what that needs is loaded when it is first opened. */
import { h, sentence, tell } from '../dom.ts';
import type { GoTo } from '../queries/replay.ts';
import type { Session } from '../session.ts';
import type { Comparison } from './comparing.ts';

export class ComparisonFrame {
  readonly element: HTMLDetailsElement;
  #inner: Promise<Comparison> | undefined;
  #from: number | undefined;

  constructor(
    private readonly session: Session,
    private readonly goTo: GoTo,
    private readonly pinned: () => string[],
  ) {
    this.element = h(
      'details',
      { class: 'composer', ontoggle: () => this.element.open && void this.#offer() },
      h('summary', {}, 'Compare answers of two revisions'),
    );
  }

  /** Compare a revision with the newest. */
  compare(from: number): void {
    this.#from = from;
    if (this.element.open) void this.#offer();
    this.element.open = true;
    this.element.scrollIntoView({ block: 'nearest' });
    this.element.querySelector('summary')?.focus({ preventScroll: true });
  }

  async #offer(): Promise<void> {
    const from = this.#from;
    this.#from = undefined;
    try {
      this.#inner ??= this.#load();
      await (await this.#inner).offer(from);
    } catch (error) {
      this.#inner = undefined;
      tell(sentence(error), 'error');
    }
  }

  async #load(): Promise<Comparison> {
    const { Comparison } = await import('./comparing.ts');
    const inner = new Comparison(this.session, this.goTo, this.pinned);
    this.element.append(inner.element);
    return inner;
  }
}
