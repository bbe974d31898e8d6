/** What the extension and its page say to each other. */
import type { ModelRequest, Turn } from '../../../../pkg/generated/dml.js';

/** A panel of the page. */
export type Panel = 'queries' | 'dml' | 'memory' | 'history';

/** A text that is open in the editor; its name is its path in the workspace. */
export interface OpenText {
  name: string;
  text: string;
}

/** A language model of the editor. */
export interface EditorModel {
  id: string;
  label: string;
}

export type ToView =
  /** The answer to `ready`: what the page has kept in this workspace, by name. */
  | { kind: 'begin'; kept: Record<string, string> }
  /** What is open, Prolog and DML, and which text is looked at. */
  | { kind: 'files'; files: OpenText[]; programs: OpenText[]; active?: string }
  | { kind: 'show'; panel: Panel }
  | { kind: 'models'; models: EditorModel[] }
  /** The answer to `ask`; `status` is as that of HTTP where the model could not be asked. */
  | { kind: 'turn'; id: number; turn: Turn }
  | { kind: 'failed'; id: number; message: string; status?: number };

export type FromView =
  | { kind: 'ready' }
  /** `stays`: the person goes on in the page. */
  | { kind: 'goTo'; file: string; line: number; stays: boolean }
  /** Keep a text in this workspace, or without one nothing. */
  | { kind: 'keep'; name: string; text?: string }
  /** Give the person a file. */
  | { kind: 'save'; name: string; text: string }
  /** Open a new Prolog text. */
  | { kind: 'open'; text: string }
  /** A turn of a language model, the one with this id. */
  | { kind: 'ask'; id: number; model: string; request: ModelRequest }
  | { kind: 'stop'; id: number };
