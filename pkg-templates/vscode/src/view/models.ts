/** The language models that the editor offers to extensions. */
import type { LanguageModel, ModelRequest, Turn } from '../../../../pkg/dml.js';
import { type ModelChoice, NoModel } from '../../../../www/src/dml/models.ts';
import { h } from '../../../../www/src/dom.ts';
import { hear, say } from './editor.ts';
import type { EditorModel } from './messages.ts';

const NONE =
  'This editor has no language model for extensions. Sign in to GitHub Copilot, or install an extension that provides one. “A script” and “You are the model” work without one.';

interface Waiting {
  resolve(turn: Turn): void;
  reject(error: Error): void;
}

export class EditorModels implements ModelChoice {
  readonly name = 'editor';
  readonly label = "The editor's model";
  #which = h('select', { 'aria-label': 'Editor model' });
  #about = h('p', { class: 'note' }, NONE);
  readonly fields = h('div', { class: 'composer' }, this.#which, this.#about);
  #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor() {
    this.#draw([]);
    hear((message) => {
      if (message.kind === 'models') this.#draw(message.models);
      else if (message.kind === 'turn') this.#take(message.id)?.resolve(message.turn);
      else if (message.kind === 'failed')
        this.#take(message.id)?.reject(Object.assign(new Error(message.message), { status: message.status }));
    });
  }

  model(): LanguageModel {
    const model = this.#which.value;
    if (!model)
      throw new NoModel(
        'The editor has no model. Sign in to GitHub Copilot, or install an extension that provides one. Without one you can be the model yourself, and see each step.',
      );
    return { turn: (request, { signal }) => this.#ask(model, request, signal) };
  }

  #ask(model: string, request: ModelRequest, signal: AbortSignal): Promise<Turn> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      signal.addEventListener('abort', () => {
        if (!this.#take(id)) return;
        say({ kind: 'stop', id });
        reject(signal.reason as Error);
      });
      say({ kind: 'ask', id, model, request });
    });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #draw(models: EditorModel[]): void {
    const chosen = this.#which.value;
    this.#which.replaceChildren(...models.map(({ id, label }) => h('option', { value: id }, label)));
    if (models.some(({ id }) => id === chosen)) this.#which.value = chosen;
    this.#which.hidden = models.length === 0;
    this.#about.hidden = models.length > 0;
  }
}
