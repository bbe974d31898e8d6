/** Completion of predicates, libraries, directives, and the variables of a clause. */
import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type CompletionList,
  type Position,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from './analysis.js';
import { builtinOf } from './builtins.js';
import type { Ground } from './ground.js';
import type { Index } from './index.js';
import type { Modules } from './modules.js';
import { callText, parsed } from './names.js';
import { indicatorOf } from './outline.js';

/** The most completions to return at once; typing on narrows them down. */
const MOST = 200;

/** The name of a module at the end of the text. */
const QUALIFIER = /(?<![\p{ID_Continue}_])(\p{Ll}[\p{ID_Continue}]*):$/u;

const DIRECTIVES = [
  'use_module(library(${1:lists})).',
  'dynamic ${1:name}/${2:arity}.',
  'discontiguous ${1:name}/${2:arity}.',
  'table ${1:name}/${2:arity}.',
  'initialization(${1:goal}).',
  'module(${1:name}, [${2}]).',
  'set_prolog_flag(${1:double_quotes}, ${2:codes}).',
];

export async function completions(
  document: TextDocument,
  position: Position,
  index: Index,
  ground: Ground,
): Promise<CompletionList> {
  const offset = document.offsetAt(position);
  const text = document.getText();
  const before = text.slice(Math.max(0, offset - 4000), offset);
  const none = { isIncomplete: false, items: [] };
  if (/library\(\w*$/.test(before)) {
    const items = ground.reader.libraries().map((label) => ({ label, kind: CompletionItemKind.Module }));
    return { isIncomplete: false, items };
  }
  const word = /(?<!\p{ID_Continue})\p{ID_Continue}*$/u.exec(before)![0];
  if (isInside(before)) return none;
  if (new RegExp(`^\\s*:-\\s*${word}$`, 'm').test(before.split('\n').at(-1)!)) {
    const items = DIRECTIVES.map((snippet) => ({
      label: /^\w+/.exec(snippet)![0],
      kind: CompletionItemKind.Keyword,
      insertText: snippet,
      insertTextFormat: InsertTextFormat.Snippet,
    }));
    return { isIncomplete: false, items };
  }
  if (/^\d/.test(word)) return none;
  if (/^[\p{Lu}\p{Lt}_]/u.test(word)) return { isIncomplete: false, items: variables(before, word) };
  const modules = await index.modules();
  const [, module] = QUALIFIER.exec(before.slice(0, before.length - word.length)) ?? [];
  const analysis = await index.analysed(document);
  if (module !== undefined && modules.names().includes(module))
    return list(modules.callable(word, analysis, module).map((named) => item(indicatorOf(named), 0)));
  return word === '' ? none : predicates(analysis, word, index, modules);
}

/** A character code, a quoted text with its closing quote if it has one, or the beginning of a comment. */
const OPENING = /0'(?:\\.|''|.)|(["'`])(?:(?!\1)[^\\]|\\.)*(\1?)|%/gsu;

/** Whether the position is inside a comment that runs to the end of the line, or inside quotes on that line. */
function isInside(before: string): boolean {
  const line = before.split('\n').at(-1)!;
  for (const [token, quote, close] of line.matchAll(OPENING))
    if (token === '%' || (quote !== undefined && close === '')) return true;
  return false;
}

function variables(before: string, word: string): CompletionItem[] {
  const clause = before
    .slice(0, before.length - word.length)
    .split(/\.\s/)
    .at(-1)!;
  const names = clause.match(/(?<![\p{ID_Continue}_'"])[\p{Lu}_][\p{ID_Continue}]*/gu) ?? [];
  return [...new Set(names)]
    .filter((name) => name !== '_')
    .map((label) => ({ label, kind: CompletionItemKind.Variable }));
}

function predicates(analysis: Analysis, word: string, index: Index, modules: Modules<Analysis>): CompletionList {
  const callable = modules.callable(word, analysis);
  const own = new Set(callable.map(indicatorOf));
  const others = [...index.builtins()].filter((indicator) => indicator.startsWith(word) && !own.has(indicator));
  return list([
    ...callable.map((named) => item(indicatorOf(named), modules.isOwn(named, analysis) ? 0 : 1)),
    ...others.map((indicator) => item(indicator, 2)),
  ]);
}

function list(items: CompletionItem[]): CompletionList {
  return { isIncomplete: items.length > MOST, items: items.slice(0, MOST) };
}

/** `rank`: predicates of this text come first, then others of the workspace, then those of the system. */
function item(indicator: string, rank: number): CompletionItem {
  const { name, arity } = parsed(indicator);
  const known = rank === 2 ? builtinOf(indicator) : undefined;
  return {
    label: name,
    labelDetails: { detail: `/${arity}`, ...(rank === 2 && { description: 'SWI-Prolog' }) },
    detail: known?.mode ?? indicator,
    ...(known && { documentation: known.text }),
    kind: CompletionItemKind.Function,
    sortText: `${rank}${name}/${String(arity).padStart(2, '0')}`,
    insertText: callText(name, arity, (argument, index) => `\${${index + 1}:${argument}}`),
    insertTextFormat: InsertTextFormat.Snippet,
  };
}
