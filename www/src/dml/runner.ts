/** Runs a program: its model, inputs and limits, its run as a tree, and recordings. */
import '../styles/dml.css';
import {
  createDeepClause,
  type DeepClause,
  type Finding,
  type Inspected,
  type RecordEntry,
  type RunOptions,
} from '../../../pkg/dml.js';
import { button, debounced, h, sentence, tell } from '../dom.ts';
import { download } from '../download.ts';
import type { Session } from '../session.ts';
import { NoModel, PERSON, jsonOrText, type ModelChoice } from './models.ts';
import { askUser } from '../asking.ts';
import { askTurn } from './person.ts';
import { Run } from './run.ts';

/**
 * How long to wait after the last keystroke before checking the program, in milliseconds: a check takes an engine of
 * its own.
 */
const PAUSE_MS = 500;

/** What an empty field means. */
const NONE = 'no limit';
/**
 * The limits of a run: the name of the option, the label, how many of the option's units the field's unit has, and what
 * an empty field means.
 */
const BUDGETS: [keyof RunOptions, string, number, string][] = [
  ['timeoutMs', 'Seconds', 1000, '600'],
  ['maxModelCalls', 'Model turns', 1, NONE],
  ['maxToolCalls', 'Tool calls', 1, NONE],
  ['maxTokens', 'Tokens', 1, NONE],
  ['gasLimit', 'Inferences', 1, NONE],
];

/** The program to run, and its owner. */
export interface Program {
  /** Its current text. */
  text(): string;
  /** Show a place in it, by line from 1 and column from 0. */
  goTo(place: Pick<Finding, 'line' | 'column'>): void;
  /** Point to a line, from 1, or to none, without taking the focus. */
  point(line: number | undefined): void;
  /** The lines at which to stop, from 1. */
  stops(): readonly number[];
  /** Called with what `hornbook check` finds. */
  found?(findings: Finding[]): void;
  /** Somebody edited the parameter fields. */
  given(): void;
  /** Called with whether a run goes on. */
  unfinished?(is: boolean): void;
}

export class Runner {
  readonly element: HTMLElement;
  #dml: Promise<DeepClause>;
  #parameters = h('div', { class: 'fields', role: 'group', 'aria-label': 'Parameters' });
  /** The contents of the parameter fields, by name. */
  #given = new Map<string, string>();
  #model: HTMLSelectElement;
  #budgets = h('div', { class: 'fields' });
  #start: HTMLButtonElement;
  #stop: HTMLButtonElement;
  #recording: HTMLButtonElement;
  #steps: HTMLButtonElement;
  #frame = h('div', {});
  #run: Run | undefined;
  #looked = 0;
  #looking = Promise.resolve();

  /** The program has changed; its parameters are redrawn after a pause in typing. */
  readonly changed = debounced(PAUSE_MS, () => void this.#look());

  /** @param models the first one is selected */
  constructor(
    session: Session,
    private readonly program: Program,
    private readonly models: ModelChoice[],
  ) {
    this.#dml = createDeepClause({ host: session.host });
    session.reopened.on(() => (this.#dml = createDeepClause({ host: session.host })));
    this.#start = button('Run', () => void this.#go(), { icon: 'play', class: 'main' });
    this.#stop = button('Stop', () => this.#run?.stop(), { icon: 'stop', class: 'danger' });
    this.#recording = button('Download recording', () => this.#download(), {
      icon: 'down',
      class: 'quiet',
      title: 'Download a recording of this run, to replay it later',
    });
    this.#steps = button('Step through', () => this.#run?.stepThrough(), {
      icon: 'steps',
      class: 'quiet',
      title: 'Step through this run, forwards and back. Nothing is called again.',
    });
    this.#stop.hidden = this.#recording.hidden = this.#steps.hidden = this.#parameters.hidden = true;
    const recording = h('input', {
      type: 'file',
      accept: '.jsonl',
      hidden: true,
      'aria-label': 'Recording',
      onchange: () => void this.#replay(recording),
    });
    this.#model = h(
      'select',
      { 'aria-label': 'Model' },
      ...models.map(({ name, label }) => h('option', { value: name }, label)),
    );
    this.#model.addEventListener('change', () => this.#drawFields());
    this.#budgets.append(
      ...BUDGETS.map(([name, label, , placeholder]) =>
        h(
          'label',
          { class: 'row' },
          label,
          h('input', { type: 'text', inputmode: 'numeric', size: 7, placeholder, 'data-budget': name }),
        ),
      ),
    );
    this.element = h(
      'div',
      { class: 'dml' },
      h('div', { class: 'row bar' }, h('label', { class: 'row' }, 'Model', this.#model)),
      ...models.map(({ fields }) => fields),
      this.#parameters,
      h(
        'div',
        { class: 'row bar' },
        this.#start,
        this.#stop,
        this.#steps,
        this.#recording,
        button('Replay…', () => recording.click(), {
          icon: 'up',
          class: 'quiet',
          title: 'Replay a recording. No model, tool or person is asked again.',
        }),
        recording,
      ),
      h('details', { class: 'composer' }, h('summary', {}, 'Limits'), this.#budgets),
      this.#frame,
    );
    this.#drawFields();
  }

  /** The contents of the parameter fields, by name. */
  get params(): Map<string, string> {
    return new Map(this.#given);
  }

  get isRunning(): boolean {
    return !this.#stop.hidden;
  }

  #isRun(is: boolean): void {
    this.#start.hidden = is;
    this.#stop.hidden = !is;
    this.program.unfinished?.(is);
  }

  /** Switch to another program, with its previous inputs. */
  open(params: Map<string, string>): void {
    if (this.isRunning) tell('The run was stopped: another program was opened.');
    this.#run?.stop();
    this.#run = undefined;
    this.#isRun(false);
    this.#given = new Map(params);
    delete this.#parameters.dataset.drawn;
    this.#frame.replaceChildren();
    this.#recording.hidden = this.#steps.hidden = true;
    this.changed();
  }

  get #choice(): ModelChoice {
    return this.models.find(({ name }) => name === this.#model.value)!;
  }

  #drawFields(): void {
    for (const choice of this.models) if (choice.fields) choice.fields.hidden = choice !== this.#choice;
  }

  /** Check the program, and get its parameters. Resolves when its current text has been checked. */
  #look(): Promise<void> {
    const looked = ++this.#looked;
    this.#looking = (async () => {
      try {
        const { findings, parameters } = await (await this.#dml).inspectDML(this.program.text());
        // A newer check has begun.
        if (looked !== this.#looked) return await this.#looking;
        this.program.found?.(findings);
        this.#drawParameters(parameters);
      } catch (error) {
        tell(sentence(error), 'error');
      }
    })();
    return this.#looking;
  }

  #drawParameters(parameters: Inspected['parameters']): void {
    const drawn = JSON.stringify(parameters);
    if (this.#parameters.dataset.drawn === drawn) return;
    this.#parameters.dataset.drawn = drawn;
    this.#parameters.hidden = parameters.length === 0;
    this.#parameters.replaceChildren(
      ...parameters.map(({ name, required }) => {
        const field = h('input', {
          type: 'text',
          value: this.#given.get(name) ?? '',
          'data-parameter': name,
          autocomplete: 'off',
          spellcheck: 'false',
          oninput: () => {
            this.#given.set(name, field.value);
            this.program.given();
          },
        });
        return h(
          'label',
          { class: 'row', title: 'JSON or plain text' },
          h('code', {}, name),
          field,
          required ? null : h('span', { class: 'note' }, 'optional'),
        );
      }),
    );
  }

  #params(): Record<string, unknown> {
    const fields = [...this.#parameters.querySelectorAll<HTMLInputElement>('[data-parameter]')];
    return Object.fromEntries(
      fields.filter(({ value }) => value !== '').map(({ dataset, value }) => [dataset.parameter, jsonOrText(value)]),
    );
  }

  /** Throws a sentence if a field is not a number. */
  #limits(): RunOptions {
    const options: Record<string, number> = {};
    for (const [name, label, unit] of BUDGETS) {
      const text = this.#budgets.querySelector<HTMLInputElement>(`[data-budget=${name}]`)!.value.trim();
      if (text === '') continue;
      if (!/^\d{1,12}$/.test(text)) throw new Error(`${label}: enter a whole number, or leave it empty.`);
      options[name] = Number(text) * unit;
    }
    return options;
  }

  async #go(replay?: RecordEntry[]): Promise<void> {
    this.#run?.stop();
    const { program } = this;
    const run = new Run(program.text(), {
      goTo: (line) => program.goTo({ line, column: 0 }),
      point: (line) => program.point(line),
      stops: () => program.stops(),
      isSame: () => program.text() === run.code,
    });
    this.#frame.replaceChildren();
    program.point(undefined);
    try {
      // Make sure that the fields match the current program.
      await this.#look();
      const otherwise = 'The question fails, and the program tries another way';
      const ask = (prompt: string) => askUser(run.place, prompt, otherwise, run.signal);
      const options: RunOptions = replay
        ? { ...this.#limits(), replay }
        : {
            ...this.#limits(),
            params: this.#params(),
            onUserInput: ask,
            model: this.#choice.model((request, signal) => askTurn(run.place, request, signal)),
          };
      this.#run = run;
      this.#frame.replaceChildren(run.element);
      this.#isRun(true);
      this.#steps.hidden = true;
      this.#recording.hidden = false;
      run.show();
      await run.go(await this.#dml, options);
      if (this.#run === run) run.show();
    } catch (error) {
      this.#frame.append(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
      if (error instanceof NoModel) this.#frame.append(this.#asPerson());
    }
    if (this.#run !== run) return;
    this.#isRun(false);
    this.#steps.hidden = !run.hasSteps;
  }

  /** The button that runs with the person in place of a model that is not there. */
  #asPerson(): HTMLElement {
    const run = () => {
      this.#model.value = PERSON.name;
      this.#drawFields();
      void this.#go();
    };
    return button('Run it with you as the model', run, { icon: 'play', class: 'main' });
  }

  #download(): void {
    const { recording = [] } = this.#run ?? {};
    download('run.jsonl', recording.map((entry) => `${JSON.stringify(entry)}\n`).join(''), 'application/jsonl');
  }

  async #replay(field: HTMLInputElement): Promise<void> {
    const [file] = field.files ?? [];
    if (!file) return;
    try {
      const lines = (await file.text()).trim().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as RecordEntry);
      field.value = '';
      await this.#go(entries);
    } catch {
      tell(`${file.name} is not a recording of a run.`, 'error');
    }
  }
}
