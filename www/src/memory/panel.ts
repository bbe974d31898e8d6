/**
 * The memory in the page: its graph, experiences, projects and ideas, and what follows from it. Loaded when first
 * shown.
 */
import '../styles/memory.css';
import { button, h, sentence, tell } from '../dom.ts';
import { download } from '../download.ts';
import type { Session } from '../session.ts';
import { exampleAt, RULES, RULES_FILE } from './example.ts';
import { Experiences } from './experiences.ts';
import { GraphView } from './graph.ts';
import { Ideas } from './ideas.ts';
import { Infer } from './infer.ts';
import { Memory } from './memory.ts';
import { Projects } from './projects.ts';
import { when } from './records.ts';
import type { View } from './view.ts';

export class MemoryPanel {
  readonly element: HTMLElement;
  #memory: Memory;
  #views: Record<string, View>;
  #shown = 'Graph';
  #buttons = h('div', { class: 'views', role: 'group', 'aria-label': 'What to look at' });
  #slider = h('input', { type: 'range', min: 0, step: 1, 'aria-label': 'As of' });
  #time = h('output', { class: 'when' });
  #timeRow = h('div', { class: 'row time' }, h('span', { class: 'about' }, 'As of'), this.#slider, this.#time);
  #frame = h('div', {});
  #empty: HTMLElement;

  /** @param giveRules gives the person a file with the rules of the example */
  constructor(
    session: Session,
    private readonly giveRules: (name: string, text: string) => void | Promise<void>,
  ) {
    this.#memory = new Memory(session);
    this.#views = {
      Graph: new GraphView(this.#memory),
      Experiences: new Experiences(this.#memory),
      Projects: new Projects(this.#memory),
      Ideas: new Ideas(this.#memory),
      Infer: new Infer(this.#memory),
    };
    const file = h('input', {
      type: 'file',
      accept: '.jsonl,.json',
      hidden: true,
      'aria-label': 'Memory file to import',
      onchange: () => void this.#import(file),
    });
    this.#slider.addEventListener('input', () => {
      const { times } = this.#memory.records;
      const index = Number(this.#slider.value);
      this.#memory.lookAt(index >= times.length ? undefined : times[index]);
    });
    this.#empty = h(
      'div',
      { class: 'empty' },
      h('p', {}, 'Nothing here yet. Agents fill the memory with tools such as kn_graph and kn_intel.'),
      button('Load an example', () => void this.#loadExample(), { class: 'main' }),
    );
    this.element = h(
      'div',
      { class: 'memory' },
      h(
        'p',
        { class: 'note' },
        'What agents remember. It is part of your book, so you can undo each change, and query it with kn_node/3, kn_edge/3 and others.',
      ),
      h(
        'div',
        { class: 'row bar' },
        this.#buttons,
        h(
          'span',
          { class: 'row tools' },
          button('Import…', () => file.click(), {
            icon: 'up',
            class: 'quiet',
            title: 'Import a JSON Lines file: an export, or the file of server-memory',
          }),
          button('Export', () => download('memory.jsonl', this.#memory.export(), 'application/jsonl'), {
            icon: 'down',
            class: 'quiet',
            title: 'Download the memory as JSON Lines',
          }),
          file,
        ),
      ),
      this.#timeRow,
      this.#empty,
      this.#frame,
    );
    this.#memory.changed.on(() => this.#draw());
    this.#draw();
  }

  #show(name: string): void {
    this.#shown = name;
    this.#draw();
  }

  #draw(): void {
    const { records, at } = this.#memory;
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(
      ...Object.keys(this.#views).map((name) => {
        const isShown = name === this.#shown;
        const one = button(name, () => this.#show(name));
        one.setAttribute('aria-pressed', String(isShown));
        return one;
      }),
    );
    if (focused) this.#buttons.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
    const view = this.#views[this.#shown]!;
    const isEmpty = records.count === 0;
    this.#empty.hidden = !isEmpty;
    this.#frame.hidden = isEmpty;
    this.#timeRow.hidden = isEmpty || !view.hasTime || records.times.length < 2;
    this.#slider.max = String(records.times.length);
    const index = at === undefined ? -1 : records.times.indexOf(at);
    this.#slider.value = String(index < 0 ? records.times.length : index);
    this.#time.textContent = at === undefined ? 'now' : when(at);
    this.#slider.setAttribute('aria-valuetext', this.#time.textContent);
    if (!view.element.isConnected) this.#frame.replaceChildren(view.element);
    view.draw();
  }

  async #import(field: HTMLInputElement): Promise<void> {
    const [file] = field.files ?? [];
    if (!file) return;
    try {
      tell(await this.#memory.import(await file.text()));
    } catch (error) {
      tell(`${file.name} was not imported: ${sentence(error)}`, 'error');
    }
    field.value = '';
  }

  async #loadExample(): Promise<void> {
    try {
      await this.#memory.import(exampleAt(Date.now()));
      await this.giveRules(RULES_FILE, RULES);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }
}
