/** Ideas as a board with a column per stage. */
import type { IdeaItem, IdeaStatus } from '../../../pkg/generated/memory.js';
import { h, sentence } from '../dom.ts';
import type { Memory } from './memory.ts';
import type { View } from './view.ts';

const STAGES: IdeaStatus[] = ['draft', 'evaluating', 'approved', 'implementing', 'done', 'archived'];
/** The most that the tool returns per stage. */
const LIMIT = 50;

export class Ideas implements View {
  readonly element: HTMLElement;
  readonly hasTime = false;
  #board = h('div', { class: 'idea-board' });
  #drawn = 0;

  constructor(private readonly memory: Memory) {
    this.element = h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Ideas by stage' },
      this.#board,
    );
  }

  draw(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const drawn = ++this.#drawn;
    try {
      const columns = await Promise.all(
        STAGES.map((status) => this.memory.call('kn_idea', { action: 'list', status, limit: LIMIT })),
      );
      if (drawn !== this.#drawn) return;
      this.#board.replaceChildren(
        ...columns.map(({ ideas, total = 0 }, index) =>
          h(
            'section',
            { class: 'stage', 'aria-label': STAGES[index] },
            h('h2', {}, STAGES[index]!, ' ', h('span', { class: 'mark' }, total)),
            ...ideas.map((idea) => this.#card(idea)),
            total > ideas.length ? h('p', { class: 'note' }, `and ${total - ideas.length} more`) : null,
          ),
        ),
      );
    } catch (error) {
      this.#board.replaceChildren(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
    }
  }

  /** If the change of stage is refused, redraw the idea where it was. */
  async #move({ id, title }: Pick<IdeaItem, 'id' | 'title'>, status: IdeaStatus): Promise<void> {
    if (!(await this.memory.change('kn_idea', { action: 'update', idea_id: id, title, status }))) this.draw();
  }

  #card({ id, title, status, category, score }: IdeaItem): HTMLElement {
    const move = h(
      'select',
      {
        'aria-label': `Stage of ${title}`,
        onchange: () => void this.#move({ id, title }, STAGES[move.selectedIndex]!),
      },
      ...STAGES.map((stage) => h('option', { value: stage, selected: stage === status }, stage)),
    );
    return h(
      'article',
      { class: 'idea' },
      h('p', {}, title),
      h(
        'p',
        { class: 'row' },
        category ? h('span', { class: 'badge' }, category) : null,
        score === null ? null : h('span', { class: 'mark', title: 'Score' }, score),
      ),
      move,
    );
  }
}
