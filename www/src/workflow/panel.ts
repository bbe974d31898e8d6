/**
 * Workflows in the page: the text and its graph, live runs, and the runs stored in the book. Loaded when first shown.
 */
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
import type { Book } from '../book/book.ts';
import { agreed } from '../dialogs.ts';
import { button, debounced, h, sentence, tell } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import { shown } from '../queries/proof.ts';
import type { Session } from '../session.ts';
import { YamlEditor, type Lines } from './editor.ts';
import { WORKFLOWS } from './examples/index.ts';
import { ProgramFiles } from './files.ts';
import { WorkflowGraph } from './graph.ts';
import { javascript } from './javascript.ts';
import { Run } from './run.ts';

/** How long to wait after the last keystroke before checking the text, in milliseconds. */
const PAUSE_MS = 250;
const KEPT = 'hornbook.workflows';
/** How many stored runs to list. */
const LISTED = 20;

export class WorkflowPanel {
  readonly element: HTMLElement;
  /** The workflow's text and selector; they may be shown outside the panel. */
  readonly program: HTMLElement;
  #editor: YamlEditor;
  #graph = new WorkflowGraph((node) => this.#select(node, true));
  #drawing: Drawing | undefined;
  #problem = h('p', { class: 'fault', role: 'status' });
  #name = h('select', { 'aria-label': 'Workflow', onchange: () => this.#open(this.#name.value) });
  #original: HTMLButtonElement;
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
  /** The person's edits of the examples, by name. */
  #changed: Map<string, string>;
  #files: ProgramFiles;
  /** Stops what is running now. */
  #abort = new AbortController();

  constructor(
    private readonly session: Session,
    book: Book,
  ) {
    const { changed, current, files } = (keptJson(KEPT) ?? {}) as Record<string, unknown>;
    this.#changed = new Map([...textsIn(changed)].filter(([name]) => name in WORKFLOWS));
    const ofBook = (name: string) => {
      const tab = book.tabs.find((tab) => tab.name === name && !tab.readOnly);
      return tab && book.text(tab);
    };
    this.#files = new ProgramFiles(textsIn(files), ofBook, () => {
      this.#keep();
      void this.#look();
    });
    book.tabsChanged.on(() => this.#files.areNamed && void this.#look());
    const look = debounced(PAUSE_MS, () => void this.#look());
    this.#editor = new YamlEditor(
      () => {
        this.#keep();
        look();
      },
      (line) => this.#select(this.#nodeAt(line), false),
    );
    this.#start = button('Run', () => void this.#go(), { icon: 'play', class: 'main' });
    this.#stop = button('Stop', () => this.#abort.abort(), { icon: 'stop', class: 'danger' });
    this.#original = button('Restore original', () => void this.#restore(), {
      icon: 'undo',
      class: 'quiet',
    });
    this.#stop.hidden = true;
    this.#runs.addEventListener('toggle', () => this.#drawRuns());
    this.program = h(
      'div',
      { class: 'program' },
      h('div', { class: 'row bar' }, this.#name, this.#original),
      h('div', { class: 'program-text' }, this.#editor.view.dom),
      this.#problem,
    );
    this.element = h(
      'div',
      { class: 'workflow' },
      h(
        'p',
        { class: 'note' },
        'A workflow is a graph in YAML whose nodes run Prolog and JavaScript. Your book records each step of a run, so you can resume it, or start again from any checkpoint.',
      ),
      this.#graph.element,
      this.#files.element,
      h('div', { class: 'row bar' }, this.#start, this.#stop, h('label', { class: 'row begin' }, 'State', this.#state)),
      this.#frame,
      this.#runs,
    );
    this.#name.append(...Object.keys(WORKFLOWS).map((name) => h('option', { value: name }, name)));
    this.#open(typeof current === 'string' && current in WORKFLOWS ? current : Object.keys(WORKFLOWS)[0]!);
    this.#drawRuns();
  }

  /** Put the text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  #open(name: string): void {
    this.#name.value = name;
    this.#frame.replaceChildren();
    this.#state.value = '';
    this.#editor.text = this.#changed.get(name) ?? WORKFLOWS[name]!;
    void this.#look();
  }

  #keep(): void {
    const name = this.#name.value;
    if (this.#editor.text === WORKFLOWS[name]) this.#changed.delete(name);
    else this.#changed.set(name, this.#editor.text);
    keep(
      KEPT,
      JSON.stringify({
        current: name,
        changed: Object.fromEntries(this.#changed),
        files: Object.fromEntries(this.#files.texts),
      }),
    );
    this.#original.hidden = !this.#changed.has(name);
    for (const option of this.#name.options)
      option.text = this.#changed.has(option.value) ? `${option.value} (changed)` : option.value;
  }

  async #restore(): Promise<void> {
    if (!(await agreed('Restore the original?', 'Your changes to this example are lost.', 'Restore', 'Cancel'))) return;
    this.#changed.delete(this.#name.value);
    this.#open(this.#name.value);
  }

  /** Load a workflow, with files by name. */
  #load(text: string, files: LoadOptions['files'] = this.#files.text): Promise<Workflow> {
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
  async #look(): Promise<void> {
    const text = this.#editor.text;
    this.#files.forget();
    try {
      const workflow = await this.#load(text);
      const drawing = workflow.drawing();
      workflow.close();
      if (text !== this.#editor.text) return;
      this.#problem.replaceChildren();
      this.#editor.underline(undefined);
      const isSame = JSON.stringify(drawing) === JSON.stringify(this.#drawing);
      this.#drawing = drawing;
      if (!isSame) this.#graph.draw(drawing);
    } catch (error) {
      const { message, line = 1, column = 0 } = error as WorkflowLoadError;
      if (text !== this.#editor.text) return;
      this.#editor.underline({ line, column, message });
      this.#problem.replaceChildren(
        button(message, () => this.#editor.goTo(line, column), { class: 'quiet', title: 'Go to the error' }),
      );
    }
    this.#files.draw();
  }

  #linesOf(name: string): Lines | undefined {
    const nodes = this.#drawing?.nodes ?? [];
    const at = nodes.findIndex((node) => node.name === name);
    const from = nodes[at]?.line;
    if (from === undefined) return undefined;
    const lines = this.#editor.text.split('\n');
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
    this.#editor.mark(name === undefined ? undefined : this.#linesOf(name), show);
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
    await this.#through((workflow, signal) => workflow.run(state, { run: runId(), signal }));
  }

  /** Resume a stored run, with the text it was started with. */
  async #resume(run: string, updates: State, from?: string, interrupt?: string): Promise<void> {
    const which = interrupt === undefined ? {} : { interrupt };
    await this.#through((workflow, signal) => workflow.resume(run, updates, { ...which, signal }), run, from);
  }

  /** Start a new run from a checkpoint of another. */
  async #travel(run: string, checkpoint: number): Promise<void> {
    const copy = runId();
    try {
      await this.session.hornbook.runs().fork(run, checkpoint, copy);
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
    let workflow: Workflow | undefined;
    try {
      workflow = await (kept === undefined ? this.#load(this.#editor.text) : this.#loadOf(kept));
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
    const own = this.#editor.text.split('\n').slice(lines.from - 1, lines.to);
    const block = own.findIndex((text) => /^\s*(- )?(run|script|code):\s*[|>]/.test(text));
    this.#editor.goTo(lines.from + (block < 0 ? 0 : block + line), 0);
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

  #listed({ run, workflow, status, interrupted, node, from }: KeptRun): HTMLElement {
    const canResume = status === 'waiting' || status === 'failed' || interrupted;
    return h(
      'li',
      { class: 'row' },
      h('b', {}, workflow ?? 'workflow'),
      h('code', {}, run),
      h('span', { class: 'badge' }, interrupted ? 'interrupted' : status),
      node ? h('span', { class: 'mark' }, `at ${node}`) : null,
      from ? h('span', { class: 'mark' }, `from checkpoint ${from.checkpoint} of ${from.run}`) : null,
      canResume &&
        button(
          'Resume',
          () =>
            void this.#resume(run, {}, `Resumed: run ${run}`).catch((error: unknown) => tell(sentence(error), 'error')),
          {
            class: 'quiet',
            name: `Resume ${run}`,
          },
        ),
      button('Forget', () => void this.#forget(run), {
        class: 'quiet',
        name: `Forget ${run}`,
        title: 'Delete the records of this run. You can undo this.',
      }),
    );
  }

  async #forget(run: string): Promise<void> {
    try {
      await this.session.hornbook.runs().forget(run);
    } catch (error) {
      tell(sentence(error), 'error');
    }
    this.#drawRuns();
  }
}
