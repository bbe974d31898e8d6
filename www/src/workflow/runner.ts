/** Runs a workflow: its graph, live runs, and the runs stored in the book. */
import '../styles/workflow.css';
import {
  Workflow,
  runId,
  type Drawing,
  type KeptRun,
  type LoadOptions,
  type State,
  type WorkflowEvent,
  type WorkflowLoadError,
} from '../../../pkg/workflow.js';
import { readJson } from '../../../pkg/workflow/json.js';
import { button, debounced, h, sentence, tell } from '../dom.ts';
import { shown } from '../queries/proof.ts';
import type { Session } from '../session.ts';
import type { ProgramFiles } from './files.ts';
import { WorkflowGraph } from './graph.ts';
import { javascript } from './javascript.ts';
import { Run } from './run.ts';

/** How long to wait after the last keystroke before checking the text, in milliseconds. */
const PAUSE_MS = 250;
/** How many stored runs to list. */
const LISTED = 20;

/** A range of lines, both from 1 and inclusive. */
export interface Lines {
  from: number;
  to: number;
}

/** What is wrong with the text of a workflow; the line is from 1, the column from 0. */
export interface Flaw {
  line: number;
  column: number;
  message: string;
}

/** The workflow to run, and its owner. */
export interface Flow {
  /** Its current text. */
  text(): string;
  /** Show a place in it, by line from 1 and column from 0. */
  goTo(line: number, column: number): void;
  /** Mark lines, or none, without taking the focus; `show`: bring them into view. */
  mark(lines: Lines | undefined, show: boolean): void;
  /** Called with what is wrong with it, or nothing. */
  found(flaw: Flaw | undefined): void;
  /** The file that it is from, for an owner that hears of `unfinished`. */
  file?(): string | undefined;
  /** Called with the files of the runs that go on, or can be resumed. */
  unfinished?(files: string[]): void;
}

export class WorkflowRunner {
  readonly element: HTMLElement;
  /** What is wrong with the text. */
  readonly problem = h('p', { class: 'fault', role: 'status' });
  /** The text has changed; it is looked at after a pause in typing. */
  readonly changed = debounced(PAUSE_MS, () => void this.look());
  #graph = new WorkflowGraph((node) => this.#select(node, true));
  #drawing: Drawing | undefined;
  /** The files of the runs that began here. */
  #files = new Map<string, string>();
  /** The run that began last. */
  #now: string | undefined;
  #state = h('input', {
    type: 'text',
    'aria-label': 'Initial state, as JSON',
    placeholder: '{}',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  #start: HTMLButtonElement;
  #stop: HTMLButtonElement;
  #frame = h('div', {});
  #runs = h('details', { class: 'composer kept-runs' });
  /** Stops what is running now. */
  #abort = new AbortController();

  constructor(
    private readonly session: Session,
    private readonly flow: Flow,
    private readonly files: ProgramFiles,
  ) {
    this.#start = button('Run', () => void this.#go(), { icon: 'play', class: 'main' });
    this.#stop = button('Stop', () => this.#abort.abort(), { icon: 'stop', class: 'danger' });
    this.#stop.hidden = true;
    this.#runs.addEventListener('toggle', () => this.#drawRuns());
    this.element = h(
      'div',
      { class: 'workflow' },
      this.#graph.element,
      files.element,
      h('div', { class: 'row bar' }, this.#start, this.#stop, h('label', { class: 'row begin' }, 'State', this.#state)),
      this.#frame,
      this.#runs,
    );
    this.#drawRuns();
  }

  get isRunning(): boolean {
    return !this.#stop.hidden;
  }

  /** Switch to another workflow. */
  open(): void {
    if (this.isRunning) tell('The run was stopped: another workflow was opened. It is among the runs in the book.');
    this.#abort.abort();
    this.#frame.replaceChildren();
    this.#state.value = '';
    void this.look();
  }

  /** Mark the node that a line, from 1, belongs to. */
  point(line: number): void {
    this.#select(this.#nodeAt(line), false);
  }

  /** Load a workflow, with files by name. */
  #load(text: string, files: LoadOptions['files'] = this.files.text): Promise<Workflow> {
    return Workflow.load(text, {
      host: this.session.host,
      book: this.session.hornbook,
      languages: { javascript },
      files,
    });
  }

  /** Load the workflow of a stored run, with the run's own text and files. */
  #loadOf(run: string): Promise<Workflow> {
    const runs = this.session.hornbook.runs();
    return this.#load(runs.text(run), runs.files(run));
  }

  /** Draw the graph of the text, or show what is wrong with it. */
  async look(): Promise<void> {
    const text = this.flow.text();
    this.files.forget();
    try {
      const workflow = await this.#load(text);
      const drawing = workflow.drawing();
      workflow.close();
      if (text !== this.flow.text()) return;
      this.problem.replaceChildren();
      this.flow.found(undefined);
      const isSame = JSON.stringify(drawing) === JSON.stringify(this.#drawing);
      this.#drawing = drawing;
      if (!isSame) this.#graph.draw(drawing);
    } catch (error) {
      const { message, line = 1, column = 0 } = error as WorkflowLoadError;
      if (text !== this.flow.text()) return;
      this.flow.found({ line, column, message });
      this.problem.replaceChildren(
        button(message, () => this.flow.goTo(line, column), { class: 'quiet', title: 'Go to the error' }),
      );
    }
    this.files.draw();
  }

  #linesOf(name: string): Lines | undefined {
    const nodes = this.#drawing?.nodes ?? [];
    const at = nodes.findIndex((node) => node.name === name);
    const from = nodes[at]?.line;
    if (from === undefined) return undefined;
    const lines = this.flow.text().split('\n');
    let to = (nodes[at + 1]?.line ?? lines.length + 1) - 1;
    // What follows the last node is less indented.
    for (let line = from + 1; line <= to; line += 1)
      if (/^\S/.test(lines[line - 1] ?? '') && !/^[-#]/.test(lines[line - 1]!)) to = line - 1;
    return { from, to };
  }

  #nodeAt(line: number): string | undefined {
    return this.#drawing?.nodes.find(({ name }) => {
      const lines = this.#linesOf(name);
      return lines && lines.from <= line && line <= lines.to;
    })?.name;
  }

  /** Highlight a node in the graph, in the text, and in the run. */
  #select(name: string | undefined, show: boolean): void {
    this.#graph.mark(name);
    this.flow.mark(name === undefined ? undefined : this.#linesOf(name), show);
    for (const step of this.#frame.querySelectorAll<HTMLElement>('[data-step]'))
      step.classList.toggle('selected', step.dataset.step === name);
  }

  async #go(): Promise<void> {
    let state: State;
    try {
      state = readJson(this.#state.value || '{}') as State;
      if (typeof state !== 'object' || state === null || Array.isArray(state)) throw new Error();
    } catch {
      tell('The state must be a JSON object, for example {"amount": 20}.', 'error');
      this.#state.focus();
      return;
    }
    const run = runId();
    this.#startedFrom(run, this.flow.file?.());
    await this.#through((workflow, signal) => workflow.run(state, { run, signal }));
  }

  /** A run begins that is of this file. */
  #startedFrom(run: string, file: string | undefined): void {
    this.#now = run;
    if (file !== undefined) this.#files.set(run, file);
  }

  #tellUnfinished(runs = this.session.hornbook.runs().list() as KeptRun[]): void {
    const open = runs.filter(canResume).map(({ run }) => run);
    const all = this.isRunning && this.#now !== undefined ? [this.#now, ...open] : open;
    const files = all.map((run) => this.#files.get(run)).filter((file) => file !== undefined);
    this.flow.unfinished?.([...new Set(files)]);
  }

  /** Resume a stored run, with the text it was started with. */
  async #resume(run: string, updates: State, from?: string, interrupt?: string): Promise<void> {
    this.#startedFrom(run, this.#files.get(run));
    const which = interrupt === undefined ? {} : { interrupt };
    await this.#through((workflow, signal) => workflow.resume(run, updates, { ...which, signal }), run, from);
  }

  /** Start a new run from a checkpoint of another. */
  async #travel(run: string, checkpoint: number): Promise<void> {
    const copy = runId();
    try {
      await this.session.hornbook.runs().fork(run, checkpoint, copy);
      this.#startedFrom(copy, this.#files.get(run));
      await this.#resume(copy, {}, `From checkpoint ${checkpoint} of run ${run}`);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async #through(
    begin: (workflow: Workflow, signal: AbortSignal) => AsyncGenerator<WorkflowEvent, void>,
    kept?: string,
    from?: string,
  ): Promise<void> {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const run: Run = new Run(
      {
        light: (node, state) => this.#graph.light(node, state),
        select: (node) => this.#select(node, true),
        decides: (node) => this.#drawing?.nodes.find(({ name }) => name === node)?.does === 'prolog',
        explain: (id, node, checkpoint) => this.#explain(id, node, checkpoint),
        travel: (id, checkpoint) => void this.#travel(id, checkpoint),
      },
      from,
    );
    this.#frame.replaceChildren(run.element);
    this.#graph.clear();
    this.#start.hidden = true;
    this.#stop.hidden = false;
    this.#tellUnfinished();
    let workflow: Workflow | undefined;
    try {
      workflow = await (kept === undefined ? this.#load(this.flow.text()) : this.#loadOf(kept));
      for await (const event of begin(workflow, abort.signal)) run.take(event);
    } catch (error) {
      if (!run.end) run.failed(sentence(error));
    }
    run.stopped();
    workflow?.close();
    if (run.end === 'interrupt' || run.end === 'stopped' || run.end === 'error') this.#offerResume(run);
    if (this.#abort === abort) {
      this.#start.hidden = false;
      this.#stop.hidden = true;
    }
    this.#drawRuns();
  }

  /** Why a node of a run ended as it did, as a tree; clauses link to their lines in the text. */
  async #explain(run: string, node: string, checkpoint: number): Promise<HTMLElement> {
    const frame = h('div', { class: 'proof', role: 'group', 'aria-label': `How ${node} ended` });
    let workflow: Workflow | undefined;
    try {
      workflow = await this.#loadOf(run);
      const found = await workflow.explain(node, this.session.hornbook.runs().met(run, checkpoint));
      frame.append(...shown(found, ({ line }) => this.#goToCode(node, line)));
    } catch (error) {
      frame.append(h('p', { class: 'fault', role: 'alert' }, `The node could not be explained: ${sentence(error)}`));
    }
    workflow?.close();
    return frame;
  }

  /** Go to a line, from 1, of a node's code. */
  #goToCode(node: string, line: number): void {
    const lines = this.#linesOf(node);
    if (!lines) return;
    this.#select(node, false);
    const own = this.flow
      .text()
      .split('\n')
      .slice(lines.from - 1, lines.to);
    const block = own.findIndex((text) => /^\s*(- )?(run|script|code):\s*[|>]/.test(text));
    this.flow.goTo(lines.from + (block < 0 ? 0 : block + line), 0);
  }

  /** Below an unfinished run: a field for updates of its state, and the button to resume. */
  #offerResume(run: Run): void {
    const { id } = run;
    if (id === undefined) return;
    const updates = h('input', {
      type: 'text',
      'aria-label': 'Changes to the state, as JSON',
      placeholder:
        run.interrupt?.when === 'question'
          ? '{"answer": "yes"}'
          : run.end === 'interrupt'
            ? '{"approved": true}'
            : '{}',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    const resume = () => {
      try {
        const given = readJson(updates.value || '{}') as State;
        const waits = run.interrupt?.when;
        const answered = waits === 'time' || waits === 'signal' ? undefined : run.interrupt?.id;
        void this.#resume(id, given, `Resumed: run ${id}`, answered).catch((error: unknown) =>
          tell(sentence(error), 'error'),
        );
      } catch {
        tell('The changes to the state must be a JSON object, for example {"approved": true}.', 'error');
      }
    };
    run.append(
      h(
        'div',
        { class: 'row resume' },
        button('Resume', resume, { icon: 'play', class: 'main' }),
        h('label', { class: 'row begin' }, 'with', updates),
      ),
    );
  }

  #drawRuns(): void {
    const runs = this.session.hornbook.runs().list() as KeptRun[];
    this.#tellUnfinished(runs);
    this.#runs.replaceChildren(
      h('summary', {}, `Runs in the book (${runs.length})`),
      ...(this.#runs.open
        ? [
            h(
              'ul',
              { class: 'runs' },
              ...runs.slice(0, LISTED).map((run) => this.#listed(run)),
              runs.length > LISTED ? h('li', { class: 'note' }, `and ${runs.length - LISTED} older ones`) : null,
            ),
          ]
        : []),
    );
  }

  #listed(kept: KeptRun): HTMLElement {
    const { run, workflow, status, interrupted, node, from } = kept;
    return h(
      'li',
      { class: 'row' },
      h('b', {}, workflow ?? 'workflow'),
      h('code', {}, run),
      h('span', { class: 'badge' }, interrupted ? 'interrupted' : status),
      node ? h('span', { class: 'mark' }, `at ${node}`) : null,
      from ? h('span', { class: 'mark' }, `from checkpoint ${from.checkpoint} of ${from.run}`) : null,
      canResume(kept) &&
        button(
          'Resume',
          () =>
            void this.#resume(run, {}, `Resumed: run ${run}`).catch((error: unknown) => tell(sentence(error), 'error')),
          {
            class: 'quiet',
            name: `Resume ${run}`,
          },
        ),
      canResume(kept) &&
        button('Cancel', () => void this.#cancel(run), {
          class: 'quiet',
          name: `Cancel ${run}`,
          title: 'Give this run up: it does not go on. You can undo this.',
        }),
      button('Forget', () => void this.#forget(run), {
        class: 'quiet',
        name: `Forget ${run}`,
        title: 'Delete the records of this run. You can undo this.',
      }),
    );
  }

  #cancel(run: string): Promise<void> {
    return this.#changing((runs) => runs.cancel(run));
  }

  #forget(run: string): Promise<void> {
    return this.#changing((runs) => runs.forget(run));
  }

  async #changing(change: (runs: ReturnType<Session['hornbook']['runs']>) => Promise<void>): Promise<void> {
    try {
      await change(this.session.hornbook.runs());
    } catch (error) {
      tell(sentence(error), 'error');
    }
    this.#drawRuns();
  }
}

const canResume = ({ status, interrupted }: KeptRun): boolean =>
  status === 'waiting' || status === 'failed' || interrupted;
