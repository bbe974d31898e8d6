/** The colours of Prolog, as classes: the theme of the page says what they are. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightTree, tags } from '@lezer/highlight';
import { h } from '../dom.ts';
import { seen } from '../odd.ts';
import { clauses, goal } from './language.ts';

const style = HighlightStyle.define([
  { tag: tags.comment, class: 'pl-comment' },
  { tag: tags.definition(tags.function(tags.variableName)), class: 'pl-head' },
  { tag: tags.function(tags.variableName), class: 'pl-functor' },
  { tag: tags.atom, class: 'pl-atom' },
  { tag: [tags.string, tags.special(tags.string)], class: 'pl-string' },
  { tag: tags.number, class: 'pl-number' },
  { tag: tags.variableName, class: 'pl-variable' },
  { tag: tags.special(tags.variableName), class: 'pl-anonymous' },
  { tag: tags.typeName, class: 'pl-tag' },
  { tag: [tags.definitionKeyword, tags.controlKeyword], class: 'pl-neck' },
  { tag: [tags.operatorKeyword, tags.operator], class: 'pl-operator' },
  { tag: [tags.bracket, tags.punctuation], class: 'pl-bracket' },
]);

export const prologColours = syntaxHighlighting(style);

/** A goal or a term in the colours of Prolog. */
export function coloured(text: string): HTMLElement {
  const code = h('code', { class: 'pl' });
  let at = 0;
  highlightTree(goal.parser.parse(text), style, (from, to, classes) => {
    if (from > at) code.append(...seen(text.slice(at, from)));
    code.append(h('span', { class: classes }, ...seen(text.slice(from, to))));
    at = to;
  });
  code.append(...seen(text.slice(at)));
  return code;
}

/** The coloured pieces of a text of clauses. */
export function pieces(text: string): { from: number; to: number; style: string }[] {
  const all: { from: number; to: number; style: string }[] = [];
  highlightTree(clauses.parser.parse(text), style, (from, to, classes) => all.push({ from, to, style: classes }));
  return all;
}

/** A goal up to its period, if it has one. */
export function withoutEnd(text: string): string {
  let end = text.length;
  highlightTree(goal.parser.parse(text), style, (from, to, classes) => {
    if (classes === 'pl-neck' && text.slice(from, to) === '.') end = Math.min(end, from);
  });
  return text.slice(0, end);
}
