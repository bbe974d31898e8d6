/** The colours of Prolog, as classes: the theme of the page says what they are. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightTree, tags } from '@lezer/highlight';
import { h } from '../dom.ts';
import { prologLanguage } from './language.ts';

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

/** A text in the colours of Prolog. `goal`: it is no clause, its first name defines nothing. */
export function coloured(text: string, { goal = true } = {}): HTMLElement {
  const code = h('code', { class: 'pl' });
  const before = goal ? '?- ' : '';
  const whole = before + text;
  let at = before.length;
  highlightTree(prologLanguage.parser.parse(whole), style, (from, to, classes) => {
    if (to <= at) return;
    if (from > at) code.append(whole.slice(at, from));
    code.append(h('span', { class: classes }, whole.slice(Math.max(from, at), to)));
    at = to;
  });
  code.append(whole.slice(at));
  return code;
}
