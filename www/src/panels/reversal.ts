/** How many steps of undo and redo lead to an earlier state of the book. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import type { Group } from '../origins.ts';

const isReversal = ({ operation }: RevisionInfo): boolean => operation === 'undo' || operation === 'redo';

/** Whether each revision that was undone or redone holds after `revisions`, newest first. */
function reversedIn(revisions: readonly RevisionInfo[]): Map<number, boolean> {
  const holds = new Map<number, boolean>();
  for (const { operation, of } of revisions)
    if (of !== undefined && !holds.has(of)) holds.set(of, operation === 'redo');
  return holds;
}

/** The revisions, newest first, that an undo would undo one after the other. */
export function standing(revisions: readonly RevisionInfo[]): RevisionInfo[] {
  const holds = reversedIn(revisions);
  return revisions.filter((one) => !isReversal(one) && holds.get(one.revision) !== false);
}

/**
 * How many operations must be undone, so that the book is again as it was after revision `number`; undefined if undoing
 * does not lead there, because something older was undone or redone since. `revisions` are the latest, newest first.
 */
export function stepsBackTo(revisions: readonly RevisionInfo[], number: number): number | undefined {
  const after = revisions.filter(({ revision }) => revision > number);
  const [now, then] = [reversedIn(revisions), reversedIn(revisions.filter(({ revision }) => revision <= number))];
  const isSame = after.every(
    ({ of }) => of === undefined || of > number || (now.get(of) ?? true) === (then.get(of) ?? true),
  );
  return isSame ? standing(after).length : undefined;
}

/** How many operations the next undo undoes: all that belong together. */
export function stepsOfUndo(
  revisions: readonly RevisionInfo[],
  group: (revision: RevisionInfo) => Group | undefined,
): number {
  const [first, ...others] = standing(revisions);
  const whole = first && group(first);
  if (!whole) return 1;
  const end = others.findIndex(({ revision }) => revision < whole.from);
  return 1 + (end < 0 ? others.length : end);
}

/** How many operations the next redo redoes: all that belong together and were undone together. */
export function stepsOfRedo(
  revisions: readonly RevisionInfo[],
  group: (revision: RevisionInfo) => Group | undefined,
): number {
  const [last] = revisions;
  const first = last?.operation === 'undo' ? revisions.find(({ revision }) => revision === last.of) : undefined;
  const whole = first && group(first);
  if (!whole) return 1;
  const end = revisions.findIndex(({ operation, of = 0 }) => operation !== 'undo' || of < whole.from || of > whole.to);
  return end < 0 ? revisions.length : end;
}
