/** Navigation from a name to its other occurrences. */
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
import type { Analysis } from './analysis.js';
import type { Index } from './index.js';
import type { Place } from './modules.js';
import type { Found } from './outline.js';

/** How many workspace symbols to return at once. */
const MOST_SYMBOLS = 500;

interface Span {
  start: number;
  end: number;
}

export const rangeOf = ({ document }: Analysis, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

const locationOf = (analysis: Analysis, span: Span): Location => ({
  uri: analysis.uri,
  range: rangeOf(analysis, span),
});

/** The predicates of a text, each with its clauses if it has several. */
export function documentSymbols(analysis: Analysis): DocumentSymbol[] {
  return [...analysis.definitions()].map(([shown, { clauses }]) => {
    const [first, last] = [clauses[0]!, clauses.at(-1)!];
    const kind = SymbolKind.Function;
    const children = clauses.map(({ item, mark }) => ({
      name: headline(analysis, item),
      kind: SymbolKind.Field,
      range: rangeOf(analysis, item),
      selectionRange: rangeOf(analysis, mark),
    }));
    return {
      name: shown,
      detail: clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`,
      kind,
      // Clauses of other predicates may come between; only the contiguous part counts as the range.
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

/** The head of a clause on one line. */
function headline(analysis: Analysis, item: Span): string {
  const text = analysis
    .textOf(item)
    .split(/:-|-->|=>/)[0]!
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Predicates of the workspace whose names contain these characters in this order, named as in other files. */
export async function workspaceSymbols(query: string, index: Index): Promise<SymbolInformation[]> {
  const wanted = [...query.toLowerCase()];
  const found: SymbolInformation[] = [];
  const modules = await index.modules();
  for (const analysis of modules.texts) {
    for (const { clauses } of analysis.definitions().values()) {
      const { mark } = clauses[0]!;
      const name = modules.shown(mark, analysis);
      if (!hasInOrder(name.toLowerCase(), wanted)) continue;
      found.push({ name, kind: SymbolKind.Function, location: locationOf(analysis, mark) });
      if (found.length === MOST_SYMBOLS) return found;
    }
  }
  return found;
}

function hasInOrder(name: string, characters: string[]): boolean {
  let from = 0;
  return characters.every((character) => {
    const at = name.indexOf(character, from);
    from = at + character.length;
    return at >= 0;
  });
}

/** All clauses of the predicate at a position or, if there are none, its declarations. */
export async function definitionsAt(analysis: Analysis, offset: number, index: Index): Promise<Location[]> {
  const places = await placesAt(analysis, offset, index);
  const heads = places.filter(({ found }) => found.mark.kind === 'head');
  const shown = heads.length > 0 ? heads : places.filter(({ found }) => found.mark.kind === 'indicator');
  return shown.map(({ text, found }) => locationOf(text, found.mark));
}

/** All occurrences of the predicate at a position, those in its own text first. */
async function placesAt(analysis: Analysis, offset: number, index: Index): Promise<Place<Analysis>[]> {
  const found = analysis.at(offset);
  if (found?.mark.name === undefined) return [];
  const modules = await index.modules();
  const places = modules.places(modules.meantAt(found, analysis));
  return places.sort((a, b) => Number(b.text.uri === analysis.uri) - Number(a.text.uri === analysis.uri));
}

/** All occurrences of the predicate or variable at a position. */
export async function referencesAt(
  analysis: Analysis,
  offset: number,
  withDefinitions: boolean,
  index: Index,
): Promise<Location[]> {
  const found = analysis.at(offset);
  if (found?.mark.kind === 'variable')
    return analysis.variables(found.item, analysis.textOf(found.mark)).map((mark) => locationOf(analysis, mark));
  return (await placesAt(analysis, offset, index))
    .filter(({ found }) => withDefinitions || found.mark.kind !== 'head')
    .map(({ text, found }) => locationOf(text, found.mark));
}

/** The same, within the text. */
export async function highlightsAt(analysis: Analysis, offset: number, index: Index): Promise<DocumentHighlight[]> {
  const found = analysis.at(offset);
  const marks =
    found?.mark.kind === 'variable'
      ? analysis.variables(found.item, analysis.textOf(found.mark))
      : (await placesAt(analysis, offset, index)).flatMap(({ text, found }) =>
          text.uri === analysis.uri ? found.mark : [],
        );
  return marks.map((other) => ({
    range: rangeOf(analysis, other),
    kind: other.kind === 'head' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

/** Multi-line clauses, multi-line comments, and the clauses of each predicate. */
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
