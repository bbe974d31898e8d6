/** DML in the page: a program, what it is given, and its run as a tree. Loaded when it is looked at first. */
import '../styles/dml.css';
import {
  createDeepClause,
  type DeepClause,
  type Finding,
  type Inspected,
  type RecordEntry,
  type RunOptions,
} from '../../../pkg/dml.js';
import { agreed } from '../dialogs.ts';
import { button, debounced, download, h, sentence, tell } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import type { Session } from '../session.ts';
import { ProgramEditor } from './editor.ts';
import type { Endpoint } from './endpoint.ts';
import { hasBrowserModel, modelOf, jsonOrText, type ModelName } from './models.ts';
import { askTurn, askUser } from './person.ts';
import { Programs } from './programs.ts';
import { Run } from './run.ts';

/** Milliseconds without a key before the program is looked at: that takes an engine of its own. */
const PAUSE_MS = 500;

const MODELS: [ModelName, string][] = [
  ['script', 'A script'],
  ['person', 'You are the model'],
  ['browser', 'The model of this browser'],
  ['endpoint', 'An endpoint: Ollama, OpenAI, others'],
];

/** Where the browser keeps the address and the model of the endpoint; the key is kept nowhere. */
const ENDPOINT = 'hornbook.endpoint';

/** What a run may take, its name in the options, and how much that is in what the field counts. */
const BUDGETS: [keyof RunOptions, string, number][] = [
  ['timeoutMs', 'Seconds', 1000],
  ['maxModelCalls', 'Turns of the model', 1],
  ['maxToolCalls', 'Tool calls', 1],
  ['maxTokens', 'Tokens', 1],
  ['gasLimit', 'Inferences', 1],
];

export class DmlPanel {
  readonly element: HTMLElement;
  /** The text of the program, and which one it is; it may stand elsewhere than in the panel. */
  readonly program: HTMLElement;
  #dml: Promise<DeepClause>;
  #programs = new Programs();
  #editor = new ProgramEditor(() => {
    this.#keep();
    this.#changed();
  });
  #problems = h('div', { class: 'problems', role: 'region', 'aria-label': 'Problems of the program' });
  #parameters = h('div', { class: 'fields', role: 'group', 'aria-label': 'Parameters' });
  /** What was written into the fields of parameters, by their names. */
  #given = new Map<string, string>();
  #program = h(
    'select',
    { 'aria-label': 'Program' },
    ...this.#programs.names.map((name) => h('option', { value: name }, name)),
  );
  #original: HTMLButtonElement;
  #model = h('select', { 'aria-label': 'Model' });
  #script = h('textarea', {
    rows: 6,
    spellcheck: 'false',
    'aria-label': 'Turns of the scripted model, as JSON',
    oninput: () => this.#keep(),
  });
  #scripted = h('details', { class: 'composer' }, h('summary', {}, 'What the script says, turn by turn'), this.#script);
  #endpoint = endpointFields();
  #budgets = h('div', { class: 'fields' });
  #start: HTMLButtonElement;
  #stop: HTMLButtonElement;
  #recording: HTMLButtonElement;
  #frame = h('div', {});
  #run: Run | undefined;
  #looked = 0;
  #looking = Promise.resolve();
  /** A program is being put into the fields: what they say meanwhile is nobody's change. */
  #opening = false;
  #changed = debounced(PAUSE_MS, () => void this.#look());

  constructor(session: Session) {
    this.#dml = createDeepClause({ host: session.host });
    session.reopened.on(() => (this.#dml = createDeepClause({ host: session.host })));
    this.#start = button('Run', () => void this.#go(), { icon: 'play', class: 'main' });
    this.#stop = button('Stop', () => this.#run?.stop(), { icon: 'stop', class: 'danger' });
    this.#recording = button('Recording', () => this.#download(), {
      icon: 'down',
      class: 'quiet',
      title: 'Download the recording of this run',
    });
    this.#original = button('Original', () => void this.#restore(), {
      icon: 'undo',
      class: 'quiet',
      title: 'The example as it was',
    });
    this.#stop.hidden = this.#recording.hidden = this.#problems.hidden = this.#parameters.hidden = true;
    const recording = h('input', {
      type: 'file',
      accept: '.jsonl',
      hidden: true,
      'aria-label': 'A recording',
      onchange: () => void this.#replay(recording),
    });
    this.#model.append(
      ...MODELS.filter(([name]) => name !== 'browser' || hasBrowserModel()).map(([value, label]) =>
        h('option', { value }, label),
      ),
    );
    const fields = () => {
      this.#scripted.hidden = this.#model.value !== 'script';
      this.#endpoint.element.hidden = this.#model.value !== 'endpoint';
    };
    this.#model.addEventListener('change', fields);
    fields();
    this.#program.addEventListener('change', () => this.#open(this.#program.value));
    this.#budgets.append(
      ...BUDGETS.map(([name, label]) =>
        h(
          'label',
          { class: 'row' },
          label,
          h('input', { type: 'text', inputmode: 'numeric', size: 7, 'data-budget': name }),
        ),
      ),
    );
    this.program = h(
      'div',
      { class: 'program' },
      h('div', { class: 'row bar' }, this.#program, this.#original),
      h('div', { class: 'program-text' }, this.#editor.view.dom),
      this.#problems,
    );
    this.element = h(
      'div',
      { class: 'dml' },
      h(
        'p',
        { class: 'note' },
        'DML is Prolog that asks language models, tools and people, and goes back over all of them. Programs run in this page, apart from the book; nothing leaves it but what is asked of an endpoint that you name.',
      ),
      h('div', { class: 'row bar' }, h('label', { class: 'row' }, 'Model', this.#model)),
      this.#endpoint.element,
      this.#parameters,
      h(
        'div',
        { class: 'row bar' },
        this.#start,
        this.#stop,
        this.#recording,
        button('Replay…', () => recording.click(), {
          icon: 'up',
          class: 'quiet',
          title: 'Replay a recording: no model, tool or person is asked again',
        }),
        recording,
      ),
      this.#scripted,
      h('details', { class: 'composer' }, h('summary', {}, 'What a run may take at most'), this.#budgets),
      this.#frame,
    );
    this.#open(this.#programs.current);
  }

  /** The text of the program stands in the panel again. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  focus(): void {
    this.#editor.view.focus();
  }

  #open(name: string): void {
    this.#programs.open(name);
    const { text, script, params } = this.#programs.work;
    this.#program.value = name;
    this.#given = new Map(params);
    delete this.#parameters.dataset.drawn;
    this.#opening = true;
    this.#script.value = script;
    this.#editor.text = text;
    this.#opening = false;
    this.#frame.replaceChildren();
    this.#recording.hidden = true;
    this.#mark();
  }

  /** What stands in the fields is kept. */
  #keep(): void {
    if (this.#opening) return;
    const kept = this.#programs.keeps;
    this.#programs.change({ text: this.#editor.text, script: this.#script.value, params: new Map(this.#given) });
    if (kept && !this.#programs.keeps)
      tell('The browser has no room to keep this program: it is gone when this page is closed.', 'error');
    this.#mark();
  }

  #mark(): void {
    for (const option of this.#program.options)
      option.text = this.#programs.isChanged(option.value) ? `${option.value} (changed)` : option.value;
    this.#original.hidden = !this.#programs.isChanged();
  }

  async #restore(): Promise<void> {
    if (!(await agreed('Go back to the original?', 'What you have written here is gone then.', 'Go back', 'Keep mine')))
      return;
    this.#programs.restore();
    this.#open(this.#programs.current);
  }

  /** What `hornbook check` says of the program, and its parameters. Done when the text as it stands was looked at. */
  #look(): Promise<void> {
    const looked = ++this.#looked;
    this.#looking = (async () => {
      try {
        const { findings, parameters } = await (await this.#dml).inspectDML(this.#editor.text);
        // Somebody has begun to look again.
        if (looked !== this.#looked) return await this.#looking;
        this.#editor.underline(findings);
        this.#drawProblems(findings);
        this.#drawParameters(parameters);
      } catch (error) {
        tell(sentence(error), 'error');
      }
    })();
    return this.#looking;
  }

  #drawProblems(findings: Finding[]): void {
    this.#problems.hidden = findings.length === 0;
    this.#problems.replaceChildren(
      h(
        'ul',
        {},
        ...findings.map((finding) =>
          h(
            'li',
            { class: 'error' },
            h(
              'button',
              { type: 'button', class: 'quiet', onclick: () => this.#editor.goTo(finding) },
              h('span', { class: 'place' }, `${finding.line}:${finding.column}`),
              ` ${finding.message}`,
            ),
          ),
        ),
      ),
    );
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
            this.#keep();
          },
        });
        return h(
          'label',
          { class: 'row', title: 'JSON, or else text' },
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

  /** Throws a sentence where a field has no number. */
  #limits(): RunOptions {
    const options: Record<string, number> = {};
    for (const [name, label, unit] of BUDGETS) {
      const text = this.#budgets.querySelector<HTMLInputElement>(`[data-budget=${name}]`)!.value.trim();
      if (text === '') continue;
      if (!/^\d{1,12}$/.test(text)) throw new Error(`${label}: a number, please, or nothing.`);
      options[name] = Number(text) * unit;
    }
    return options;
  }

  async #go(replay?: RecordEntry[]): Promise<void> {
    this.#run?.stop();
    const run = new Run(this.#editor.text, (line) => this.#editor.goTo({ line, column: 0 }));
    this.#frame.replaceChildren();
    try {
      // The fields are those of the program as it stands now.
      await this.#look();
      const ask = (prompt: string) => askUser(run.place, prompt, run.signal);
      const options: RunOptions = replay
        ? { replay }
        : {
            params: this.#params(),
            onUserInput: ask,
            model: modelOf(
              this.#model.value as ModelName,
              this.#script.value,
              (request, signal) => askTurn(run.place, request, signal),
              this.#endpoint.value(),
            ),
          };
      this.#run = run;
      this.#frame.replaceChildren(run.element);
      this.#start.hidden = true;
      this.#stop.hidden = this.#recording.hidden = false;
      await run.go(await this.#dml, { ...options, ...this.#limits() });
    } catch (error) {
      tell(sentence(error), 'error');
    }
    if (this.#run !== run) return;
    this.#start.hidden = false;
    this.#stop.hidden = true;
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
      tell(`${file.name} is no recording of a run.`, 'error');
    }
  }
}

/** What is to be known of an endpoint. */
function endpointFields(): { element: HTMLElement; value(): Endpoint } {
  const known = textsIn(keptJson(ENDPOINT));
  const field = (label: string, value: string, type: string) => {
    const input = h('input', { type, value, autocomplete: 'off', spellcheck: 'false' });
    return { input, label: h('label', { class: 'row' }, label, input) };
  };
  const url = field('Address', known.get('url') ?? 'http://localhost:11434/v1', 'text');
  const model = field('Name of the model', known.get('model') ?? 'llama3.2', 'text');
  const key = field('Key', '', 'password');
  const value = () => ({ url: url.input.value, model: model.input.value, key: key.input.value });
  for (const { input } of [url, model])
    input.addEventListener('change', () => {
      const { url, model } = value();
      keep(ENDPOINT, JSON.stringify({ url, model }));
    });
  const note = `What the program asks goes to this address, and nowhere else. Ollama lets this page ask when it is started with OLLAMA_ORIGINS=${window.location.origin}. The key is forgotten with the page.`;
  const element = h(
    'div',
    { class: 'composer', role: 'group', 'aria-label': 'Endpoint' },
    h('div', { class: 'fields' }, url.label, model.label, key.label),
    h('p', { class: 'note' }, note),
  );
  return { element, value };
}
