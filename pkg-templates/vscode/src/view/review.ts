/** The page of a book that the extension has opened: its pinned queries, and the drafts that wait for a decision. */
import '../../../../www/src/styles/base.css';
import '../../../../www/src/styles/layout.css';
import '../../../../www/src/styles/queries.css';
import '../../../../www/src/styles/panels.css';
import './view.css';
import { h } from '../../../../www/src/dom.ts';
import { Pinned, pinForm } from '../../../../www/src/queries/pinned.ts';
import type { Desk } from '../../../../www/src/review/draft.ts';
import { Reviews } from '../../../../www/src/review/list.ts';
import { hear, say } from './editor.ts';
import { DESK_CALLS, type DeskCall } from './messages.ts';
import * as storage from './storage.ts';
import { followTheme } from './theme.ts';
import { watched, watches } from './watching.ts';

followTheme();

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Calls of the desk that have no answer yet, by their ids. */
const waiting = new Map<number, Waiting>();
let count = 0;

const call = (method: DeskCall, args: unknown[]): Promise<never> =>
  new Promise((resolve, reject) => {
    const id = ++count;
    waiting.set(id, { resolve, reject });
    say({ kind: 'call', id, method, args });
  });

const desk = Object.fromEntries(
  DESK_CALLS.map((method) => [method, (...args: unknown[]) => call(method, args)]),
) as unknown as Desk;

const goTo = (file: string, line: number) => say({ kind: 'goTo', file, line, stays: false });
const pinned = new Pinned(watches);
const reviews = new Reviews({ desk, goTo, pinned: () => pinned.goals });
pinned.changed.on(() => reviews.later());

hear((message) => {
  switch (message.kind) {
    case 'begin':
      storage.begin(message.kept);
      pinned.restore();
      void reviews.refresh();
      return;
    case 'pin':
      return pinned.pin(message.goal);
    case 'watched':
      return watched(message);
    case 'changed':
      return reviews.later();
    case 'result':
    case 'refused': {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === 'result') call?.resolve(message.value as never);
      else call?.reject(new Error(message.message));
    }
  }
});

const none = h('p', { class: 'note none' }, 'Nothing to review. What an agent under review changes appears here.');
const main = h(
  'main',
  { class: 'review-page' },
  h('h1', { class: 'unseen' }, 'Review'),
  pinForm(pinned),
  pinned.element,
  reviews.element,
  none,
);
document.getElementById('app')!.replaceChildren(main);
say({ kind: 'ready' });
