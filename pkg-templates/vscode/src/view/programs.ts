/** The DML programs that are open in the editor, and their runner. */
import { PERSON, Script } from '../../../../www/src/dml/models.ts';
import { Runner } from '../../../../www/src/dml/runner.ts';
import { h } from '../../../../www/src/dom.ts';
import { keep, keptJson, textsIn } from '../../../../www/src/kept.ts';
import type { Session } from '../../../../www/src/session.ts';
import type { OpenText } from './messages.ts';
import { EditorModels } from './models.ts';

/** The inputs of programs, `script` and `params`, by program name. */
const KEPT = 'hornbook.dml';

export class ProgramsPanel {
  readonly element: HTMLElement;
  #programs: OpenText[] = [];
  #shown: OpenText | undefined;
  #which = h('select', { 'aria-label': 'Program', onchange: () => this.#show(this.#which.value) });
  #script = new Script(() => this.#keep());
  #runner: Runner;
  #none = h('div', { class: 'empty' }, h('p', {}, 'Open a program (.dml) in the editor to run it here.'));
  #some: HTMLElement;
  #given = new Map<string, unknown>(Object.entries((keptJson(KEPT) ?? {}) as object));

  /** @param goTo shows a line of a file; with `stays`, the focus stays here */
  constructor(session: Session, goTo: (file: string, line: number, stays?: boolean) => void) {
    this.#runner = new Runner(
      session,
      {
        text: () => this.#shown?.text ?? '',
        goTo: ({ line }) => this.#shown && goTo(this.#shown.name, line),
        // When nothing is pointed to, the editor's cursor stays where it is.
        point: (line) => this.#shown && line !== undefined && goTo(this.#shown.name, line, true),
        stops: () => [],
        given: () => this.#keep(),
      },
      [new EditorModels(), this.#script, PERSON],
    );
    this.#some = h(
      'div',
      { class: 'dml' },
      h('div', { class: 'row bar' }, h('label', { class: 'row' }, 'Program', this.#which)),
      this.#runner.element,
    );
    this.element = h('div', {}, this.#none, this.#some);
    this.put([]);
  }

  /** Update the programs from the editor; `active` is the one shown there. */
  put(programs: OpenText[], active?: string): void {
    this.#programs = programs;
    const name = [active, this.#shown?.name].find((name) => programs.some((one) => one.name === name));
    this.#which.replaceChildren(...programs.map(({ name }) => h('option', { value: name }, name)));
    this.#none.hidden = programs.length > 0;
    this.#some.hidden = programs.length === 0;
    this.#show(name ?? programs[0]?.name);
  }

  #show(name: string | undefined): void {
    const before = this.#shown;
    this.#shown = this.#programs.find((one) => one.name === name);
    if (!this.#shown) return;
    this.#which.value = this.#shown.name;
    if (before?.name === this.#shown.name) {
      if (before.text !== this.#shown.text) this.#runner.changed();
      return;
    }
    const { script, params } = (this.#given.get(this.#shown.name) ?? {}) as { script?: unknown; params?: unknown };
    this.#script.text = typeof script === 'string' ? script : '';
    this.#runner.open(textsIn(params));
  }

  #keep(): void {
    if (!this.#shown) return;
    this.#given.set(this.#shown.name, {
      script: this.#script.text,
      params: Object.fromEntries(this.#runner.params),
    });
    keep(KEPT, JSON.stringify(Object.fromEntries(this.#given)));
  }
}
