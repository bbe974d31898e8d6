/** Goals that are watched in a book that the extension has open. */
import type { Watches } from '../../../../www/src/queries/pinned.ts';
import { say } from './editor.ts';
import type { ToView } from './messages.ts';

type Take = Parameters<Watches>[1];

const takers = new Map<number, Take>();
let count = 0;

export const watches: Watches = (goal, take) => {
  const id = ++count;
  takers.set(id, take);
  say({ kind: 'watch', id, goal });
  return () => {
    takers.delete(id);
    say({ kind: 'unwatch', id });
  };
};

export const watched = ({ id, step }: Extract<ToView, { kind: 'watched' }>): void => takers.get(id)?.(step);
