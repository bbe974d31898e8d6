/** Prolog's syntax classes; the page's theme defines their colours. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightTree, tags } from '@lezer/highlight';
import { h } from '../dom.ts';
import { seen } from '../odd.ts';
import { WORD_OPERATORS, clauses, goal } from './language.ts';

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

/** A highlighted goal or term, or text of clauses. */
export function coloured(text: string, language = goal): HTMLElement {
  const code = h('code', { class: 'pl' });
  // Fast path: most values are just a name or a number, and there are many of them.
  const plain = /^[a-z]\w*$/.test(text) ? 'pl-atom' : /^-?\d+$/.test(text) ? 'pl-number' : undefined;
  if (plain && language === goal && !WORD_OPERATORS.has(text)) {
    code.append(h('span', { class: plain }, text));
    return code;
  }
  let at = 0;
  highlightTree(language.parser.parse(text), style, (from, to, classes) => {
    if (from > at) code.append(...seen(text.slice(at, from)));
    code.append(h('span', { class: classes }, ...seen(text.slice(from, to))));
    at = to;
  });
  code.append(...seen(text.slice(at)));
  return code;
}

interface Piece {
  from: number;
  to: number;
  style: string;
}

/** The highlighted pieces of a text of clauses, or of a goal. Each bracket and each cut is a piece of its own. */
export function pieces(text: string, kind: 'clauses' | 'goal' = 'clauses'): Piece[] {
  const all: Piece[] = [];
  highlightTree((kind === 'goal' ? goal : clauses).parser.parse(text), style, (from, to, classes) => {
    const cuts = classes === 'pl-neck' ? /^!*/.exec(text.slice(from, to))![0].length : 0;
    const singles = classes === 'pl-bracket' ? to - from : cuts;
    for (let at = from; at < from + singles; at += 1) all.push({ from: at, to: at + 1, style: classes });
    if (from + singles < to) all.push({ from: from + singles, to, style: classes });
  });
  return all;
}

/** A goal up to its period, if it has one. */
export function withoutEnd(text: string): string {
  const end = pieces(text, 'goal').find(({ from, to, style }) => style === 'pl-neck' && text.slice(from, to) === '.');
  return end ? text.slice(0, end.from) : text;
}
