/** What one client did in a row: most often all that an agent did for one prompt. */
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import { h } from '../dom.ts';
import { standing, stepsBackTo } from './reversal.ts';

export interface Burst {
  who: string;
  /** Newest first; at least one. */
  revisions: RevisionInfo[];
}

/** A client that pauses for longer, in milliseconds, has begun something new. */
const PAUSE_MS = 120_000;

/** `revisions`, newest first, divided by who made them and by pauses; `together` are never divided. */
export function burstsOf(
  revisions: readonly RevisionInfo[],
  who: (revision: RevisionInfo) => string,
  together: (one: RevisionInfo, other: RevisionInfo) => boolean = () => false,
): Burst[] {
  const bursts: Burst[] = [];
  for (const revision of revisions) {
    const last = bursts.at(-1);
    const next = last?.revisions.at(-1);
    const isSame = last?.who === who(revision) && next && next.timestamp - revision.timestamp <= PAUSE_MS;
    if (last && next && (isSame || together(next, revision))) last.revisions.push(revision);
    else bursts.push({ who: who(revision), revisions: [revision] });
  }
  return bursts;
}

/** The first and the last time of a burst, as `10:14:03` or `10:14:03–10:15:20`. */
function spanOf({ revisions }: Burst): string {
  const [last, first] = [revisions[0]!, revisions.at(-1)!].map(({ timestamp }) => timeOf(timestamp));
  return first === last ? first! : `${first}–${last}`;
}

/** The time of day, with the date if that is not today's. */
export function timeOf(timestamp: number): string {
  const when = new Date(timestamp);
  const isToday = when.toDateString() === new Date().toDateString();
  return isToday ? when.toLocaleTimeString() : when.toLocaleString();
}

/**
 * How a burst is undone, with what came after it: how many operations that are, and what a button says. `kept` are the
 * latest operations that undo knows, newest first. `undefined` if nothing of the burst stands, or undoing does not lead
 * there.
 */
export function undoOf(
  { revisions }: Burst,
  kept: readonly RevisionInfo[],
): { steps: number; label: string } | undefined {
  const own = standing(kept).filter((one) => revisions.includes(one)).length;
  const steps = stepsBackTo(kept, revisions.at(-1)!.revision - 1);
  if (own === 0 || !steps) return undefined;
  const later = steps - own;
  if (later > 0) return { steps, label: `Undo this and ${later} later` };
  return { steps, label: own === 1 ? 'Undo' : `Undo all ${own}` };
}

/** The number of clauses that came and went; nothing if there are none. */
export const countsOf = (added: number, removed: number): HTMLElement | null =>
  added + removed === 0
    ? null
    : h(
        'span',
        { class: 'counts' },
        h('span', { class: 'plus' }, `+${added}`),
        ' ',
        h('span', { class: 'minus' }, `−${removed}`),
      );

/** The line above a burst, with the button that undoes it. */
export function headOf(burst: Burst, undo: HTMLElement | null): HTMLElement {
  const { who, revisions } = burst;
  const sum = (what: 'added' | 'removed') => revisions.reduce((all, one) => all + one[what], 0);
  return h(
    'div',
    { class: 'row burst-head' },
    h('span', { class: 'who agent', title: who }, who),
    h('time', {}, spanOf(burst)),
    h('span', { class: 'note' }, revisions.length === 1 ? '1 change' : `${revisions.length} changes`),
    countsOf(sum('added'), sum('removed')),
    undo,
  );
}
