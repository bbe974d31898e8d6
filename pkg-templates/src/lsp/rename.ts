/** Renames a variable in its clause, or a predicate wherever it occurs. */
import { ResponseError, LSPErrorCodes, type Range, type TextEdit } from 'vscode-languageserver';
import type { Analysis } from './analysis.js';
import type { Index } from './index.js';
import type { Place } from './modules.js';
import { atomText, isVariable } from './names.js';
import { rangeOf } from './navigate.js';
import { indicatorOf, type Found } from './outline.js';

const refused = (message: string) => new ResponseError(LSPErrorCodes.RequestFailed, message);

/**
 * What would be renamed, and its name.
 * @throws if nothing here can be
 */
export async function renameable(
  analysis: Analysis,
  offset: number,
  index: Index,
): Promise<{ range: Range; placeholder: string }> {
  const { mark } = variableAt(analysis, offset) ?? (await predicateAt(analysis, offset, index)).found;
  return { range: rangeOf(analysis, mark), placeholder: mark.name ?? analysis.textOf(mark) };
}

/** The edits, by URI. */
export async function renamed(
  analysis: Analysis,
  offset: number,
  name: string,
  index: Index,
): Promise<Record<string, TextEdit[]>> {
  const variable = variableAt(analysis, offset);
  if (variable) return { [analysis.uri]: ofVariable(analysis, variable, name) };
  const { found, places } = await predicateAt(analysis, offset, index);
  const plain = /^'.*'$/su.test(name) ? name.slice(1, -1) : name;
  if (plain === '') throw refused('A predicate needs a name.');
  const indicator = indicatorOf({ name: plain, arity: found.mark.arity! });
  if (index.isBuiltin(indicator)) throw refused(`${indicator} is built into SWI-Prolog. Choose another name.`);
  const modules = await index.modules();
  const changes: Record<string, TextEdit[]> = {};
  for (const { text, found } of places) {
    const fileOf = () => (text.uri === analysis.uri ? 'This file' : decodeURIComponent(text.uri.split('/').at(-1)!));
    if (modules.isOwn({ ...found.mark, name: plain }, text)) throw refused(`${fileOf()} already defines ${indicator}.`);
    if (text.named(indicator).some((other) => modules.isDefined(modules.meantAt(other, text))))
      throw refused(`${fileOf()} already calls ${indicator}, another predicate.`);
    changes[text.uri] ??= [];
    changes[text.uri]!.push({ range: rangeOf(text, found.mark), newText: atomText(plain) });
  }
  return changes;
}

function ofVariable(analysis: Analysis, { mark, item }: Found, name: string): TextEdit[] {
  if (!isVariable(name)) throw refused(`${name} is not a variable name: variables start with a capital letter or _.`);
  if (analysis.variables(item, name).length > 0) throw refused(`The clause already has a variable ${name}.`);
  const marks = analysis.variables(item, analysis.textOf(mark));
  return marks.map((other) => ({ range: rangeOf(analysis, other), newText: name }));
}

function variableAt(analysis: Analysis, offset: number): Found | undefined {
  const found = analysis.at(offset);
  if (found?.mark.kind !== 'variable') return undefined;
  if (analysis.textOf(found.mark) === '_') throw refused('Each _ is a different variable, so it cannot be renamed.');
  return found;
}

/** The predicate at a position, and all places that refer to it and to no other. */
async function predicateAt(
  analysis: Analysis,
  offset: number,
  index: Index,
): Promise<{ found: Found; places: Place<Analysis>[] }> {
  const found = analysis.at(offset);
  if (found?.mark.name === undefined) throw refused('Only variables and predicates can be renamed.');
  const modules = await index.modules();
  const keys = modules.meantAt(found, analysis);
  const indicator = indicatorOf(found.mark);
  if (keys.every((key) => modules.isShared(key))) {
    if (index.isBuiltin(indicator)) throw refused(`${indicator} is built into SWI-Prolog and cannot be renamed.`);
    if (!modules.isDefined(keys)) throw refused(`${indicator} is not defined here.`);
  }
  if (keys.length > 1) throw refused(`Several files define ${indicator}: rename it where it is defined.`);
  const places = modules.places(keys).filter(({ text, found }) => modules.meantAt(found, text).length === 1);
  if (places.some(({ text, found }) => isOperator(text, found.mark)))
    throw refused(`${indicator} is used as an operator: the new name would need an operator declaration, too.`);
  return { found, places };
}

/** Whether the name is written as an operator, rather than before a parenthesis. */
function isOperator(analysis: Analysis, { kind, end, arity }: Found['mark']): boolean {
  if (kind === 'indicator' || arity === 0) return false;
  const text = analysis.document.getText();
  // Arguments that a grammar or a meta-predicate adds are not written.
  return text[end] !== '(' && /^\s*[\p{L}\p{N}_'"([{]/u.test(text.slice(end, end + 20)) && text[end] !== ',';
}
