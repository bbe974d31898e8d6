/** The page that reviews the drafts of a book, which the extension has opened. */
import '../../../../www/src/styles/base.css';
import '../../../../www/src/styles/layout.css';
import '../../../../www/src/styles/queries.css';
import '../../../../www/src/styles/panels.css';
import './view.css';
import { h } from '../../../../www/src/dom.ts';
import type { Desk } from '../../../../www/src/review/draft.ts';
import { Reviews } from '../../../../www/src/review/list.ts';
import { hear, say } from './editor.ts';
import { DESK_CALLS, type DeskCall } from './messages.ts';
import { followTheme } from './theme.ts';

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
const reviews = new Reviews({ desk, goTo, pinned: () => [] });

hear((message) => {
  if (message.kind === 'changed') return reviews.later();
  if (message.kind !== 'result' && message.kind !== 'refused') return;
  const call = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.kind === 'result') call?.resolve(message.value as never);
  else call?.reject(new Error(message.message));
});

const none = h('p', { class: 'note none' }, 'Nothing to review. What an agent under review changes appears here.');
const main = h('main', { class: 'review-page' }, h('h1', { class: 'unseen' }, 'Review'), reviews.element, none);
document.getElementById('app')!.replaceChildren(main);
say({ kind: 'ready' });
void reviews.refresh();
