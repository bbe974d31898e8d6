/** Documentation of the predicate at a position. */
import { MarkupKind, type Hover } from 'vscode-languageserver';
import type { OutlineMark } from '../full/hornbook.js';
import type { Analysis } from './analysis.js';
import { builtinOf } from './builtins.js';
import { commentOf } from './comments.js';
import type { Index } from './index.js';
import type { Modules } from './modules.js';
import { atomText, callText } from './names.js';
import { rangeOf } from './navigate.js';
import { indicatorOf, type Definition } from './outline.js';

/** How many places to list; there may be more. */
const MOST_PLACES = 5;

export async function hoverAt(analysis: Analysis, offset: number, index: Index): Promise<Hover | null> {
  const found = analysis.at(offset);
  if (found?.mark.name === undefined) return null;
  const modules = await index.modules();
  const definitions = await index.definitions(modules.meantAt(found, analysis));
  const value =
    definitions.length > 0 ? ofOwn(definitions, found.mark, analysis) : ofOthers(found.mark, analysis, index, modules);
  return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOf(analysis, found.mark) };
}

function ofOwn(
  definitions: { analysis: Analysis; definition: Definition }[],
  { module }: OutlineMark,
  from: Analysis,
): string {
  return definitions
    .slice(0, MOST_PLACES)
    .map(({ analysis, definition }) => {
      const { name, arity, clauses } = definition;
      const comment = commentOf(analysis, definition);
      const modes = comment?.modes.length
        ? comment.modes
        : [`${module === undefined ? '' : `${atomText(module)}:`}${callText(name, arity)}`];
      const lines = clauses.map(({ mark }) => analysis.document.positionAt(mark.start).line + 1);
      const shown = lines.slice(0, MOST_PLACES).join(', ');
      const where =
        `${clauses.length === 1 ? '1 clause, line' : `${clauses.length} clauses, lines`} ${shown}` +
        `${lines.length > MOST_PLACES ? ', …' : ''}` +
        (analysis === from ? '' : ` of ${decodeURIComponent(analysis.uri.split('/').at(-1)!)}`);
      return [code(modes.join('\n')), comment?.text, `*${where}*`].filter(Boolean).join('\n\n');
    })
    .join('\n\n---\n\n');
}

function ofOthers(mark: OutlineMark, analysis: Analysis, index: Index, modules: Modules<Analysis>): string {
  const indicator = indicatorOf(mark);
  const builtin = builtinOf(indicator);
  if (builtin) return `${code(builtin.mode)}\n\n${builtin.text}\n\n*SWI-Prolog*`;
  const call = code(callText(mark.name!, mark.arity!));
  if (index.isBuiltin(indicator)) return `${call}\n\n*Built into SWI-Prolog*`;
  if (analysis.named(indicator).some(({ mark }) => mark.kind === 'indicator'))
    return `${call}\n\n*Declared here, without clauses*`;
  return `${call}\n\n*Not defined here*\n\n${modules.advice(mark) ?? ''}`.trim();
}

const code = (text: string): string => `\`\`\`prolog\n${text}\n\`\`\``;
