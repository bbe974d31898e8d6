/** The models that a run can ask: a script, the browser's own, the person before the page, and what others add. */
import {
  chromeModel,
  scriptedModel,
  type LanguageModel,
  type ModelRequest,
  type ScriptedTurn,
  type Turn,
} from '../../../pkg/dml.js';
import { h } from '../dom.ts';

/** Asks the person for a turn; rejects when the run is over. */
export type AskPerson = (request: ModelRequest, signal: AbortSignal) => Promise<Turn>;

/** A model that can be chosen. */
export interface ModelChoice {
  name: string;
  label: string;
  /** What is to be given for it, shown while it is chosen. */
  fields?: HTMLElement;
  /** Throws a sentence where what was given is no model. */
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

/** What a model says is written down, turn by turn. */
export class Script implements ModelChoice {
  readonly name = 'script';
  readonly label = 'A script';
  readonly fields: HTMLElement;
  #turns: HTMLTextAreaElement;

  /** @param changed somebody has written in it */
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

/** What somebody wrote into a field: JSON where it is some, or else text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
