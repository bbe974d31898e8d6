/** From a name to where else it stands. */
import {
  DocumentHighlightKind,
  FoldingRangeKind,
  SymbolKind,
  type DocumentHighlight,
  type DocumentSymbol,
  type FoldingRange,
  type Location,
  type Range,
  type SymbolInformation,
} from 'vscode-languageserver';
import { indicatorOf, type Analysis, type Found } from './analysis.js';
import type { Index } from './index.js';

/** Symbols of the workspace that are told at once. */
const MOST_SYMBOLS = 500;

interface Span {
  start: number;
  end: number;
}

export const rangeOf = ({ document }: Analysis, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const locationOf = (analysis: Analysis, span: Span): Location => ({
  uri: analysis.uri,
  range: rangeOf(analysis, span),
});

/** The predicates of a text, each with its clauses where it has several. */
export function documentSymbols(analysis: Analysis): DocumentSymbol[] {
  return [...analysis.definitions.entries()].map(([indicator, { clauses }]) => {
    const [first, last] = [clauses[0]!, clauses.at(-1)!];
    const kind = SymbolKind.Function;
    const children = clauses.map(({ item, mark }) => ({
      name: headline(analysis, item),
      kind: SymbolKind.Field,
      range: rangeOf(analysis, item),
      selectionRange: rangeOf(analysis, mark),
    }));
    return {
      name: indicator,
      detail: clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`,
      kind,
      // Clauses of others may stand between: only what goes on from the first is within.
      range: rangeOf(analysis, {
        start: first.item.start,
        end: isTogether(analysis, clauses) ? last.item.end : first.item.end,
      }),
      selectionRange: rangeOf(analysis, first.mark),
      children: clauses.length > 1 && isTogether(analysis, clauses) ? children : [],
    };
  });
}

function isTogether(analysis: Analysis, clauses: Found[]): boolean {
  const [first, last] = [analysis.items.indexOf(clauses[0]!.item), analysis.items.indexOf(clauses.at(-1)!.item)];
  return last - first + 1 === clauses.length;
}

/** The head of a clause, in one line. */
function headline(analysis: Analysis, item: Span): string {
  const text = analysis
    .textOf(item)
    .split(/:-|-->|=>/)[0]!
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Predicates of the workspace whose names have these characters in this order. */
export async function workspaceSymbols(query: string, index: Index): Promise<SymbolInformation[]> {
  const pattern = new RegExp([...query].map((c) => c.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*'), 'iu');
  const found: SymbolInformation[] = [];
  for (const analysis of await index.all()) {
    for (const [indicator, { clauses }] of analysis.definitions) {
      if (!pattern.test(indicator)) continue;
      found.push({ name: indicator, kind: SymbolKind.Function, location: locationOf(analysis, clauses[0]!.mark) });
      if (found.length === MOST_SYMBOLS) return found;
    }
  }
  return found;
}

/** Where the predicate at a place is defined: all of its clauses; and, without any, where it is declared. */
export async function definitionsAt(analysis: Analysis, offset: number, index: Index): Promise<Location[]> {
  const mark = analysis.at(offset)?.mark;
  if (mark?.name === undefined) return [];
  const found = await index.definitions(indicatorOf(mark), analysis);
  if (found.length > 0)
    return found.flatMap(({ analysis, definition }) =>
      definition.clauses.map(({ mark }) => locationOf(analysis, mark)),
    );
  const named = await index.uses(indicatorOf(mark), analysis);
  return named
    .filter(({ found }) => found.mark.kind === 'indicator')
    .map(({ analysis, found }) => locationOf(analysis, found.mark));
}

/** Where the predicate or the variable at a place stands. */
export async function referencesAt(
  analysis: Analysis,
  offset: number,
  withDefinitions: boolean,
  index: Index,
): Promise<Location[]> {
  const found = analysis.at(offset);
  if (found?.mark.kind === 'variable')
    return analysis.variables(found.item, analysis.textOf(found.mark)).map((mark) => locationOf(analysis, mark));
  if (found?.mark.name === undefined) return [];
  const uses = await index.uses(indicatorOf(found.mark), analysis);
  return uses
    .filter(({ found }) => withDefinitions || found.mark.kind !== 'head')
    .map(({ analysis, found }) => locationOf(analysis, found.mark));
}

/** The same within the text. */
export function highlightsAt(analysis: Analysis, offset: number): DocumentHighlight[] {
  const found = analysis.at(offset);
  if (!found) return [];
  const { mark, item } = found;
  const marks =
    mark.kind === 'variable'
      ? analysis.variables(item, analysis.textOf(mark))
      : analysis.uses(indicatorOf(mark)).map((use) => use.mark);
  return marks.map((other) => ({
    range: rangeOf(analysis, other),
    kind: other.kind === 'head' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

/** Clauses of several lines, comments of several lines, and the clauses of a predicate. */
export function foldingRanges(analysis: Analysis): FoldingRange[] {
  const { document } = analysis;
  const ranges: FoldingRange[] = [];
  const fold = (start: number, end: number, kind?: FoldingRangeKind) => {
    const [startLine, endLine] = [document.positionAt(start).line, document.positionAt(end).line];
    if (endLine > startLine) ranges.push({ startLine, endLine, ...(kind && { kind }) });
  };
  for (const { kind, start, end, marks } of analysis.items) {
    let block: Span | undefined;
    for (const comment of marks.filter((mark) => mark.kind === 'comment')) {
      const goesOn = block && /^[ \t]*\r?\n[ \t]*$/.test(document.getText().slice(block.end, comment.start));
      if (block && !goesOn) fold(block.start, block.end, FoldingRangeKind.Comment);
      block = { start: goesOn ? block!.start : comment.start, end: comment.end };
    }
    if (block) fold(block.start, block.end, FoldingRangeKind.Comment);
    if (kind !== 'comments' && kind !== 'error') fold(start, end);
  }
  return ranges;
}
