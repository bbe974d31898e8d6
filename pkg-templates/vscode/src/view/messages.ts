/** Messages between the extension and its page. */
import type { WatchedStep } from '../../../../pkg/full/hornbook.js';
import type { ModelRequest, Turn } from '../../../../pkg/generated/dml.js';
import type { Offered } from '../../../../www/src/tables/preview.ts';

/** A panel of the page. */
export type Panel = 'queries' | 'data' | 'dml' | 'workflow' | 'notebook' | 'memory' | 'history';

/** A text that is open in the editor, named by its path in the workspace. */
export interface OpenText {
  name: string;
  text: string;
}

/** The texts that are open in the editor, by what they are, and the name of the active one. */
export interface Files {
  /** Prolog. */
  files: OpenText[];
  programs: OpenText[];
  workflows: OpenText[];
  notebooks: OpenText[];
  active?: string;
}

/** What no name of a file with Prolog or a table ends with. */
const OF_NOTEBOOK = ' (notebook)';
/** The file of the book that has the clauses of a notebook. */
export const fileOf = (notebook: string): string => notebook + OF_NOTEBOOK;
/** The notebook that a file of the book has the clauses of, if it is one's. */
export const notebookOf = (file: string): string | undefined =>
  file.endsWith(OF_NOTEBOOK) ? file.slice(0, -OF_NOTEBOOK.length) : undefined;

/** What the page keeps the names of files under whose runs are not over, as JSON. */
export const UNFINISHED = 'hornbook.unfinished';

/** What to tell the person about runs that ended with their page; undefined if there were none. */
export function ended(files: unknown): string | undefined {
  if (!Array.isArray(files) || files.length === 0) return undefined;
  const runs = files.length === 1 ? 'The run' : 'The runs';
  return `${runs} of ${files.join(' and ')} ended with the page of queries. Keep that page open while something runs.`;
}

/** A language model of the editor. */
export interface EditorModel {
  id: string;
  label: string;
}

/** What a page calls of the desk of a book that is reviewed. */
export const DESK_CALLS = ['drafts', 'proposal', 'consequences', 'prove', 'tests', 'decide', 'release'] as const;
export type DeskCall = (typeof DESK_CALLS)[number];

export type ToView =
  /** The answer to `ready`: what the page has stored in this workspace, by name. */
  | { kind: 'begin'; kept: Record<string, string> }
  | ({ kind: 'files' } & Files)
  /** A table to add to the book, or its new contents. Of one that is new the person is asked how it is to be read. */
  | ({ kind: 'table'; isNew?: boolean } & Pick<Offered, 'name' | 'text' | 'about'>)
  | { kind: 'show'; panel: Panel }
  | { kind: 'pin'; goal: string }
  | { kind: 'models'; models: EditorModel[] }
  /** The answer to `ask`; `status` is an HTTP status, set if the model could not be asked. */
  | { kind: 'turn'; id: number; turn: Turn }
  | { kind: 'failed'; id: number; message: string; status?: number }
  /** The answer to `call`. */
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'refused'; id: number; message: string }
  /** The book that is reviewed has changed. */
  | { kind: 'changed' }
  /** What the goal with this id of `watch` answers now. */
  | { kind: 'watched'; id: number; step: WatchedStep };

export type FromView =
  | { kind: 'ready' }
  /** With `stays`, the focus stays in the page. */
  | { kind: 'goTo'; file: string; line: number; stays: boolean }
  /** Store a text in this workspace; without a text, delete it. */
  | { kind: 'keep'; name: string; text?: string }
  /** A table was removed from the book. */
  | { kind: 'removed'; name: string }
  /** Let the person save a file. */
  | { kind: 'save'; name: string; text: string }
  /** Replace the text of an open file, which the person saves or undoes. */
  | { kind: 'write'; file: string; text: string }
  /** Open a new document. */
  | { kind: 'open'; language: string; text: string }
  /** Request a turn from the language model with this id. */
  | { kind: 'ask'; id: number; model: string; request: ModelRequest }
  | { kind: 'stop'; id: number }
  /** Call the desk of the book that is reviewed. */
  | { kind: 'call'; id: number; method: DeskCall; args: unknown[] }
  /** Watch a goal in the book that is reviewed, until `unwatch`. */
  | { kind: 'watch'; id: number; goal: string }
  | { kind: 'unwatch'; id: number };
