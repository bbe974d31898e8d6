/** The DML programs that are open in the editor, and their runner. */
import { PERSON, Script } from '../../../../www/src/dml/models.ts';
import { Runner } from '../../../../www/src/dml/runner.ts';
import { keep, keptJson, textsIn } from '../../../../www/src/kept.ts';
import type { Session } from '../../../../www/src/session.ts';
import { Choice } from './choice.ts';
import type { OpenText } from './messages.ts';
import { EditorModels } from './models.ts';
import { tellUnfinished } from './unfinished.ts';

/** The inputs of programs, `script` and `params`, by program name. */
const KEPT = 'hornbook.dml';

const EXAMPLE = `% A model greets whom you name.
agent_main(Name) :-
    task("Greet {Name} in one sentence.", string(Text)),
    answer(Text).
`;

export class ProgramsPanel {
  readonly element: HTMLElement;
  #choice: Choice;
  #script = new Script(() => this.#keep());
  #runner: Runner;
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
        unfinished: (is) => tellUnfinished('dml', is && this.#shown ? [this.#shown.name] : []),
      },
      [new EditorModels(), this.#script, PERSON],
    );
    this.#choice = new Choice(
      'Program',
      { about: 'Open a program (.dml) in the editor to run it here.', language: 'dml', example: EXAMPLE },
      [this.#runner.element],
      (isOther) => this.#changed(isOther),
      () => this.#runner.isRunning,
    );
    this.element = this.#choice.element;
  }

  get #shown(): OpenText | undefined {
    return this.#choice.shown;
  }

  /** Update the programs from the editor; `active` is the one shown there. */
  put(programs: OpenText[], active?: string): void {
    this.#choice.put(programs, active);
  }

  #changed(isOther: boolean): void {
    if (!isOther) {
      this.#runner.changed();
      return;
    }
    const { script, params } = (this.#given.get(this.#shown!.name) ?? {}) as { script?: unknown; params?: unknown };
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
