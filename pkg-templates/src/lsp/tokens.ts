/** Semantic tokens: colours by what a name means, which an editor's grammar cannot tell. */
import { SemanticTokensBuilder, type SemanticTokens, type SemanticTokensLegend } from 'vscode-languageserver';
import type { OutlineMark } from '../full/hornbook.js';
import type { Analysis } from './analysis.js';
import type { Index } from './index.js';
import type { Modules } from './modules.js';
import { indicatorOf } from './outline.js';

const TYPES = ['function', 'operator', 'keyword', 'variable', 'enumMember', 'number', 'string', 'comment'] as const;
const MODIFIERS = ['definition', 'declaration', 'defaultLibrary'] as const;

export const LEGEND: SemanticTokensLegend = { tokenTypes: [...TYPES], tokenModifiers: [...MODIFIERS] };

type Meaning = [(typeof TYPES)[number], ...(typeof MODIFIERS)[number][]];

export async function tokensOf(analysis: Analysis, index: Index): Promise<SemanticTokens> {
  const builder = new SemanticTokensBuilder();
  const modules = await index.modules();
  const marks = analysis.items.flatMap((item) => item.marks).sort((a, b) => a.start - b.start);
  for (const mark of marks) {
    const [type, ...modifiers] = meaning(mark, analysis, index, modules);
    const bits = modifiers.reduce((all, modifier) => all | (1 << MODIFIERS.indexOf(modifier)), 0);
    for (const [line, character, length] of linesOf(mark, analysis))
      builder.push(line, character, length, TYPES.indexOf(type), bits);
  }
  return builder.build();
}

function meaning(mark: OutlineMark, analysis: Analysis, index: Index, modules: Modules<Analysis>): Meaning {
  switch (mark.kind) {
    case 'head':
      return ['function', 'definition'];
    case 'indicator':
      return ['function', 'declaration'];
    case 'call': {
      const name = mark.name!;
      if (name === '!') return ['keyword'];
      if (/^[^\p{L}_'"]/u.test(name) || name === 'is') return ['operator'];
      if (!index.isBuiltin(indicatorOf(mark)) || modules.isOwn(mark, analysis)) return ['function'];
      return ['function', 'defaultLibrary'];
    }
    case 'variable':
      return ['variable'];
    case 'atom':
      return /^[^\p{L}_'"]/u.test(analysis.textOf(mark)) ? ['operator'] : ['enumMember'];
    case 'number':
      return ['number'];
    case 'string':
      return ['string'];
    case 'comment':
      return ['comment'];
  }
}

/** A token cannot span lines. */
function* linesOf({ start, end }: OutlineMark, { document }: Analysis): Generator<[number, number, number]> {
  const [from, to] = [document.positionAt(start), document.positionAt(end)];
  for (let { line, character } = from; line <= to.line; line += 1, character = 0) {
    const lineEnd =
      line === to.line
        ? to.character
        : document.positionAt(document.offsetAt({ line: line + 1, character: 0 }) - 1).character;
    if (lineEnd > character) yield [line, character, lineEnd - character];
  }
}
