/** Experiences, most relevant first. */
import type { ExperienceItem, ExperienceType } from '../../../pkg/generated/memory.js';
import { button, debounced, h, sentence } from '../dom.ts';
import type { Memory } from './memory.ts';
import type { View } from './view.ts';
import { standing, when } from './records.ts';

/** How many the tool returns at a time. */
const PAGE = 50;
const PAUSE_MS = 250;
const TYPES: ExperienceType[] = ['solution', 'pattern', 'decision', 'workaround', 'gotcha'];

export class Experiences implements View {
  readonly element: HTMLElement;
  readonly hasTime = true;
  #search = h('input', {
    type: 'text',
    placeholder: 'Search',
    'aria-label': 'Search experiences',
    autocomplete: 'off',
  });
  #type = h(
    'select',
    { 'aria-label': 'Type' },
    h('option', { value: '' }, 'all types'),
    ...TYPES.map((type) => h('option', { value: type }, type)),
  );
  #list = h('ol', { class: 'experiences' });
  #after = h('div', { class: 'row' });
  #removed = h('div', {});
  #drawn = 0;

  constructor(private readonly memory: Memory) {
    this.#search.addEventListener(
      'input',
      debounced(PAUSE_MS, () => this.draw()),
    );
    this.#type.addEventListener('change', () => this.draw());
    this.element = h(
      'div',
      { class: 'graph-view' },
      h('div', { class: 'row bar' }, this.#search, this.#type),
      this.#list,
      this.#after,
      this.#removed,
    );
  }

  draw(): void {
    void this.#page(0);
  }

  async #page(offset: number): Promise<void> {
    const drawn = ++this.#drawn;
    const text = this.#search.value.trim();
    const type = TYPES.find((type) => type === this.#type.value);
    try {
      const { experiences, next_offset, total, total_at_least } = await this.memory.call('kn_experience', {
        action: 'search',
        detail: 'full',
        limit: PAGE,
        offset,
        ...(text && { text }),
        ...(type && { type }),
        ...this.memory.asOf,
      });
      if (drawn !== this.#drawn) return;
      const items = experiences.map((one) => this.#item(one));
      if (offset === 0) this.#list.replaceChildren(...items);
      else this.#list.append(...items);
      const shown = this.#list.children.length;
      const count = total === undefined ? `at least ${total_at_least}` : total;
      this.#after.replaceChildren(
        shown === 0 ? h('p', { class: 'note' }, 'No experiences.') : h('p', { class: 'note' }, `${shown} of ${count}`),
        next_offset === undefined ? '' : button('More', () => void this.#page(next_offset)),
      );
      this.#drawRemoved();
    } catch (error) {
      this.#after.replaceChildren(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
    }
  }

  #item(one: ExperienceItem): HTMLElement {
    const { times = 1, created_at = '' } = one;
    const percent = Math.round(one.relevance * 100);
    const canChange = this.memory.at === undefined;
    return h(
      'li',
      { class: 'experience' },
      h(
        'div',
        { class: 'relevance', title: 'Relevance at this time' },
        h('span', {}, `${percent}%`),
        h('span', { class: 'meter', 'aria-hidden': 'true' }, h('span', { style: `width: ${percent}%` })),
      ),
      h(
        'div',
        {},
        h('p', {}, one.content),
        one.context ? h('p', { class: 'note' }, one.context) : null,
        h(
          'p',
          { class: 'row' },
          h('span', { class: 'badge' }, one.type),
          h('span', { class: 'mark' }, `${one.confidence} confidence`),
          times > 1 ? h('span', { class: 'mark' }, `learned ${times} times`) : null,
          ...one.tags.map((tag) => h('span', { class: 'mark' }, `#${tag}`)),
          h('time', { class: 'mark', datetime: created_at }, when(Date.parse(created_at))),
          canChange && this.#act('remove', one.id, one.content),
        ),
      ),
    );
  }

  #drawRemoved(): void {
    const gone = this.memory.records.experiences.filter(({ life }) => standing(life, this.memory.at) === 'removed');
    this.#removed.replaceChildren();
    if (gone.length === 0 || this.memory.at !== undefined) return;
    this.#removed.append(
      h(
        'details',
        { class: 'composer' },
        h('summary', {}, `Removed (${gone.length})`),
        h(
          'ul',
          { class: 'experiences' },
          ...gone.map(({ id, content }) =>
            h('li', { class: 'row gone' }, h('span', {}, content), this.#act('restore', id, content)),
          ),
        ),
      ),
    );
  }

  #act(action: 'remove' | 'restore', id: string, content: string): HTMLElement {
    const label = action === 'remove' ? 'Remove' : 'Restore';
    return button(label, () => void this.memory.change('kn_experience', { action, experience_id: id }), {
      class: 'quiet',
      name: `${label} “${content.slice(0, 40)}”`,
    });
  }
}
