/** What an operation on a book did, in words, and by which call. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { asSentence, h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';

const NAMES: Record<string, string> = {
  assert: 'Asserted',
  retract: 'Retracted',
  import: 'Saved',
  unimport: 'Removed',
  initialization: 'Initialized by',
  query: 'Changed by',
  // No title: the entry itself says what was changed.
  cells: '',
  draft: 'Proposed in the draft',
  accept: 'Accepted',
  change: 'Changed by a program',
  replace: 'Replaced clauses',
  reset: 'Emptied the book',
  undo: 'Undid',
  redo: 'Redid',
};

/** What `revision` did; `others` are those that it may undo or redo. */
export function wordsOf(revision: RevisionInfo, others: readonly RevisionInfo[]): (HTMLElement | string)[] {
  const { operation, filename, goal, action, of } = revision;
  const undone = of === undefined ? undefined : others.find((one) => one.revision === of);
  if (undone) return [`${NAMES[operation] ?? operation} ${of}: `, ...wordsOf(undone, others)];
  const [, proposer] = (operation === 'accept' && /, proposed by (?:hornbook-)?(.+)$/.exec(action ?? '')) || [];
  if (proposer !== undefined) return ['Accepted what ', h('b', {}, proposer), ' proposed'];
  const subject = filename
    ? h('b', {}, filename)
    : goal
      ? coloured(goal)
      : action && asSentence(action).replace(/\.$/, '');
  const name = [NAMES[operation] ?? operation, of].filter(Boolean).join(' ');
  return subject ? [`${name}${of === undefined ? '' : ':'} `, subject] : [name];
}

const CALLS: Record<string, string> = {
  assert: 'clauses assert',
  retract: 'clauses retract',
  replace: 'clauses replace',
  import: 'files import',
  unimport: 'files unimport',
  reset: 'workspace reset',
  undo: 'workspace undo',
  redo: 'workspace redo',
  query: 'query_start',
};

/** The call that made a revision, as an agent writes it: `files import rivers.pl`. */
export function callOf({ operation, filename, goal, action, of }: RevisionInfo): string {
  const subject = filename ?? goal ?? action ?? (of === undefined ? undefined : `revision ${of}`);
  return [CALLS[operation] ?? operation, subject].filter(Boolean).join(' ');
}
