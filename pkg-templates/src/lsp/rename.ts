/** Another name for a variable in its clause, or for a predicate in its text. */
import { ResponseError, LSPErrorCodes, type Range, type TextEdit } from 'vscode-languageserver';
import { indicatorOf, type Analysis, type Found } from './analysis.js';
import type { Index } from './index.js';
import { atomText, isVariable } from './names.js';
import { rangeOf } from './navigate.js';

const refused = (message: string) => new ResponseError(LSPErrorCodes.RequestFailed, message);

/** What would be renamed, and its name. @throws where nothing at this place can be */
export function renameable(analysis: Analysis, offset: number, index: Index): { range: Range; placeholder: string } {
  const { mark } = foundAt(analysis, offset, index);
  return { range: rangeOf(analysis, mark), placeholder: mark.name ?? analysis.textOf(mark) };
}

export function renamed(analysis: Analysis, offset: number, name: string, index: Index): TextEdit[] {
  const { mark, item } = foundAt(analysis, offset, index);
  if (mark.kind === 'variable') {
    if (!isVariable(name)) throw refused(`${name} is not a variable name: variables start with a capital letter or _.`);
    if (analysis.variables(item, name).length > 0) throw refused(`The clause already has a variable ${name}.`);
    const marks = analysis.variables(item, analysis.textOf(mark));
    return marks.map((other) => ({ range: rangeOf(analysis, other), newText: name }));
  }
  const plain = /^'.*'$/su.test(name) ? name.slice(1, -1) : name;
  if (plain === '') throw refused('A predicate needs a name.');
  const indicator = indicatorOf({ name: plain, arity: mark.arity! });
  if (analysis.definitions.has(indicator)) throw refused(`This file already defines ${indicator}.`);
  if (index.isBuiltin(indicator)) throw refused(`${indicator} is built into SWI-Prolog. Choose another name.`);
  const text = atomText(plain);
  return analysis
    .uses(indicatorOf(mark))
    .map(({ mark: other }) => ({ range: rangeOf(analysis, other), newText: text }));
}

function foundAt(analysis: Analysis, offset: number, index: Index): Found {
  const found = analysis.at(offset);
  if (found?.mark.kind === 'variable') {
    if (analysis.textOf(found.mark) === '_') throw refused('Each _ is a different variable, so it cannot be renamed.');
    return found;
  }
  if (found?.mark.name === undefined) throw refused('Only variables and predicates can be renamed.');
  const indicator = indicatorOf(found.mark);
  if (!analysis.definitions.has(indicator) && !analysis.declared.has(indicator))
    throw refused(
      index.isBuiltin(indicator)
        ? `${indicator} is built into SWI-Prolog and cannot be renamed.`
        : `${indicator} is not defined in this file: rename it where it is defined.`,
    );
  const operator = analysis.uses(indicator).find(({ mark }) => isOperator(analysis, mark));
  if (operator)
    throw refused(`${indicator} is used as an operator: the new name would need an operator declaration, too.`);
  return found;
}

/** Whether the name stands between or before its arguments, and not before a parenthesis. */
function isOperator(analysis: Analysis, { kind, end, arity }: Found['mark']): boolean {
  if (kind === 'indicator' || arity === 0) return false;
  const text = analysis.document.getText();
  // Arguments that a grammar or a meta predicate adds are not written.
  return text[end] !== '(' && /^\s*[\p{L}\p{N}_'"([{]/u.test(text.slice(end, end + 20)) && text[end] !== ',';
}
