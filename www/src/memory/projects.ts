/** Projects, each with its history. */
import type { ProjectItem } from '../../../pkg/generated/memory.js';
import { button, h, sentence } from '../dom.ts';
import type { Memory } from './memory.ts';
import type { View } from './view.ts';
import { when } from './records.ts';

/** The most that the tool returns. */
const LIMIT = 50;

export class Projects implements View {
  readonly element: HTMLElement;
  readonly hasTime = false;
  #list = h('div', { class: 'projects' });
  #open = new Set<string>();
  #drawn = 0;

  constructor(private readonly memory: Memory) {
    this.element = this.#list;
  }

  draw(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const drawn = ++this.#drawn;
    try {
      const listed = await this.memory.call('kn_project', { action: 'list', limit: LIMIT });
      if (drawn !== this.#drawn || !('projects' in listed)) return;
      const { projects, total = 0 } = listed;
      this.#list.replaceChildren(...projects.map((project) => this.#item(project)));
      if (projects.length === 0) this.#list.append(h('p', { class: 'note' }, 'No projects.'));
      if (total > projects.length) this.#list.append(h('p', { class: 'note' }, `${projects.length} of ${total}`));
    } catch (error) {
      this.#list.replaceChildren(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
    }
  }

  #item(project: ProjectItem): HTMLElement {
    const { id, name, phase, active } = project;
    const frame = h('div', { class: 'inside' });
    const details = h(
      'details',
      {
        class: 'details',
        ontoggle: () => {
          if (details.open) {
            this.#open.add(id);
            void this.#drawWhole(project, frame);
          } else this.#open.delete(id);
        },
      },
      h(
        'summary',
        {},
        h('b', {}, name),
        ' ',
        h('span', { class: 'badge' }, phase),
        active ? h('span', { class: 'badge answer' }, 'current') : null,
      ),
      frame,
    );
    if (this.#open.has(id)) details.open = true;
    return details;
  }

  async #drawWhole({ id, name, active }: ProjectItem, frame: HTMLElement): Promise<void> {
    try {
      const whole = await this.memory.call('kn_project', { action: 'list', project_id: id, limit: LIMIT });
      if (!('log' in whole)) return;
      const { total = 0 } = whole;
      const list = (label: string, texts: string[]) =>
        texts.length > 0 ? [h('dt', {}, label), ...texts.map((text) => h('dd', {}, text))] : [];
      frame.replaceChildren(
        h(
          'dl',
          {},
          ...list('Goals', whole.goals),
          ...list('Success', whole.success_metrics),
          ...list('Stakeholders', whole.stakeholders),
        ),
        active
          ? ''
          : button('Make current', () => void this.memory.change('kn_project', { action: 'list', set_active: id }), {
              class: 'quiet',
              title: `Agents begin with ${name}`,
            }),
        h(
          'ol',
          { class: 'log' },
          ...whole.log.map((one) =>
            h(
              'li',
              { class: one.type },
              h('time', { class: 'mark', datetime: one.created_at }, when(Date.parse(one.created_at))),
              h('span', {}, one.action),
              one.result ? h('span', { class: 'note' }, one.result) : null,
              one.next_step ? h('span', { class: 'note' }, `Next: ${one.next_step}`) : null,
              one.type === 'failure' ? h('span', { class: 'badge bad' }, 'failed') : null,
            ),
          ),
        ),
        whole.log.length < total ? h('p', { class: 'note' }, `Latest ${whole.log.length} of ${total}`) : '',
      );
      if (whole.log.length === 0) frame.append(h('p', { class: 'note' }, 'Nothing logged yet.'));
    } catch (error) {
      frame.replaceChildren(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
    }
  }
}
