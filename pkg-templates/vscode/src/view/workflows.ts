/** The workflows that are open in the editor, and their runner. Loaded when first shown. */
import { h } from '../../../../www/src/dom.ts';
import { keep, keptJson, textsIn } from '../../../../www/src/kept.ts';
import type { Session } from '../../../../www/src/session.ts';
import triage from '../../../../www/src/workflow/examples/triage.yaml?raw';
import { ProgramFiles } from '../../../../www/src/workflow/files.ts';
import { WorkflowRunner } from '../../../../www/src/workflow/runner.ts';
import { Choice } from './choice.ts';
import type { Files } from './messages.ts';
import { tellUnfinished } from './unfinished.ts';

/** The chosen files of programs, by the names that workflows use. */
const KEPT = 'hornbook.workflows';

export class WorkflowsPanel {
  readonly element: HTMLElement;
  #choice: Choice;
  #runner: WorkflowRunner;
  #files: ProgramFiles;
  #programs: Files['programs'] = [];

  /** @param goTo shows a line of a file; with `stays`, the focus stays here */
  constructor(session: Session, goTo: (file: string, line: number, stays?: boolean) => void) {
    const there = {
      text: (name: string) => this.#program(name),
      where: 'open in the editor',
      how: 'open it in the editor',
    };
    this.#files = new ProgramFiles(textsIn(keptJson(KEPT)), there, () => {
      keep(KEPT, JSON.stringify(Object.fromEntries(this.#files.texts)));
      void this.#runner.look();
    });
    const show = (line: number, stays: boolean) => this.#choice.shown && goTo(this.#choice.shown.name, line, stays);
    this.#runner = new WorkflowRunner(
      session,
      {
        text: () => this.#choice.shown?.text ?? '',
        goTo: (line) => show(line, false),
        mark: (lines, isShown) => lines && isShown && show(lines.from, true),
        // The language server underlines it.
        found: () => {},
        file: () => this.#choice.shown?.name,
        unfinished: (files) => tellUnfinished('workflow', files),
      },
      this.#files,
    );
    const about =
      'Open a workflow (.flow.yaml) in the editor to see its graph and run it here. Its runs last as long as this page.';
    this.#choice = new Choice(
      'Workflow',
      { about, language: 'hornbook-workflow', example: triage },
      [h('div', {}, this.#runner.problem), this.#runner.element],
      (isOther) => (isOther ? this.#runner.open() : this.#runner.changed()),
      () => this.#runner.isRunning,
    );
    this.element = this.#choice.element;
  }

  put({ workflows, programs, active }: Files): void {
    this.#programs = programs;
    if (this.#files.areNamed) void this.#runner.look();
    this.#choice.put(workflows, active);
  }

  /** The text of a program that is named by its path from the workflow. */
  #program(name: string): string | undefined {
    const folder = this.#choice.shown?.name.replace(/[^/]*$/, '') ?? '';
    return this.#programs.find((one) => one.name === folder + name)?.text;
  }
}
