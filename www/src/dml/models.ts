/** The models that a page has: a script, the browser's own, the person before it, and one at an address that is typed. */
import {
  chromeModel,
  scriptedModel,
  type LanguageModel,
  type ModelRequest,
  type ScriptedTurn,
  type Turn,
} from '../../../pkg/dml.js';
import { endpointModel, type Endpoint } from './endpoint.ts';

export type ModelName = 'script' | 'person' | 'browser' | 'endpoint';

/** Asks the person for a turn; rejects when the run is over. */
export type AskPerson = (request: ModelRequest, signal: AbortSignal) => Promise<Turn>;

export const hasBrowserModel = (): boolean => 'LanguageModel' in globalThis;

/** Throws a sentence where the script is none, or the endpoint. */
export function modelOf(name: ModelName, script: string, ask: AskPerson, endpoint: Endpoint): LanguageModel {
  if (name === 'endpoint') return endpointModel(endpoint);
  if (name === 'browser') return chromeModel();
  if (name === 'person') return { turn: (request, { signal }) => ask(request, signal) };
  return scriptedModel(turnsOf(script));
}

function turnsOf(script: string): ScriptedTurn[] {
  let turns: unknown;
  try {
    turns = JSON.parse(script || '[]');
  } catch {
    throw new Error('The script of the model is no JSON.');
  }
  const areTurns = Array.isArray(turns) && turns.every((turn) => typeof turn === 'object' && turn !== null);
  if (!areTurns)
    throw new Error(
      'The script of the model is a list of turns: [{"text": "…", "calls": [{"tool": "…", "args": {}}]}].',
    );
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
