/** What is known of the predicate at a place. */
import { MarkupKind, type Hover } from 'vscode-languageserver';
import { indicatorOf, type Analysis, type Definition } from './analysis.js';
import { builtinOf } from './builtins.js';
import { commentOf } from './comments.js';
import type { Index } from './index.js';
import { callText } from './names.js';
import { rangeOf } from './navigate.js';

/** Places that are told; there may be more. */
const MOST_PLACES = 5;

export async function hoverAt(analysis: Analysis, offset: number, index: Index): Promise<Hover | null> {
  const mark = analysis.at(offset)?.mark;
  if (mark?.name === undefined) return null;
  const indicator = indicatorOf(mark);
  const definitions = await index.definitions(indicator, analysis);
  const value =
    definitions.length > 0 ? ofOwn(definitions, analysis) : ofOthers(mark.name, mark.arity!, analysis, index);
  return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOf(analysis, mark) };
}

function ofOwn(definitions: { analysis: Analysis; definition: Definition }[], from: Analysis): string {
  return definitions
    .slice(0, MOST_PLACES)
    .map(({ analysis, definition }) => {
      const { name, arity, clauses } = definition;
      const comment = commentOf(analysis, definition);
      const modes = comment?.modes.length ? comment.modes : [callText(name, arity)];
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

function ofOthers(name: string, arity: number, analysis: Analysis, index: Index): string {
  const indicator = `${name}/${arity}`;
  const builtin = builtinOf(indicator);
  if (builtin) return `${code(builtin.mode)}\n\n${builtin.text}\n\n*SWI-Prolog*`;
  const call = code(callText(name, arity));
  if (index.isBuiltin(indicator)) return `${call}\n\n*Built into SWI-Prolog*`;
  return analysis.declared.has(indicator)
    ? `${call}\n\n*Declared here, without clauses*`
    : `${call}\n\n*Not defined here*`;
}

const code = (text: string): string => `\`\`\`prolog\n${text}\n\`\`\``;
