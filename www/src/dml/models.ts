/** The models that a run can use: a script, the browser's own, the person at the page, and any that others add. */
import {
  chromeModel,
  scriptedModel,
  type LanguageModel,
  type ModelRequest,
  type ScriptedTurn,
  type Turn,
} from '../../../pkg/dml.js';
import { h } from '../dom.ts';

/** There is no model to ask. The message says what one can do. */
export class NoModel extends Error {}

/** Asks the person for a turn. Rejects when the run is over. */
export type AskPerson = (request: ModelRequest, signal: AbortSignal) => Promise<Turn>;

/** A model that can be chosen. */
export interface ModelChoice {
  name: string;
  label: string;
  /** Its settings, shown while it is chosen. */
  fields?: HTMLElement;
  /** Throws a sentence if the settings do not describe a model. */
  model(ask: AskPerson): LanguageModel;
}

export const PERSON: ModelChoice = {
  name: 'person',
  label: 'You are the model',
  model: (ask) => ({ turn: (request, { signal }) => ask(request, signal) }),
};

export const BROWSER: ModelChoice = {
  name: 'browser',
  label: "This browser's model",
  model: () => chromeModel(),
};

export const hasBrowserModel = (): boolean => 'LanguageModel' in globalThis;

/** A model whose turns are written down in advance. */
export class Script implements ModelChoice {
  readonly name = 'script';
  readonly label = 'A script';
  readonly fields: HTMLElement;
  #turns: HTMLTextAreaElement;

  /** @param changed called when somebody edits it */
  constructor(changed: () => void) {
    this.#turns = h('textarea', {
      rows: 6,
      spellcheck: 'false',
      'aria-label': 'Turns of the script, as JSON',
      oninput: changed,
    });
    this.fields = h('details', { class: 'composer' }, h('summary', {}, 'Script of the model'), this.#turns);
  }

  get text(): string {
    return this.#turns.value;
  }

  set text(text: string) {
    this.#turns.value = text;
  }

  model(): LanguageModel {
    return scriptedModel(turnsOf(this.text));
  }
}

function turnsOf(script: string): ScriptedTurn[] {
  let turns: unknown;
  try {
    turns = JSON.parse(script || '[]');
  } catch {
    throw new Error('The script is not valid JSON.');
  }
  const areTurns = Array.isArray(turns) && turns.every((turn) => typeof turn === 'object' && turn !== null);
  if (!areTurns)
    throw new Error('The script must be a list of turns: [{"text": "…", "calls": [{"tool": "…", "args": {}}]}].');
  return turns as ScriptedTurn[];
}

/** The value of a field: JSON if it is valid JSON, otherwise text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
