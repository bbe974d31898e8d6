/** Completion of predicates, libraries, directives and the variables of a clause. */
import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type CompletionList,
  type Position,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Ground } from './ground.js';
import type { Index } from './index.js';
import { callText, parsed } from './names.js';
import { builtinOf } from './builtins.js';

/** More are not told at once: typing on makes them fewer. */
const MOST = 200;

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
  const word = /[\p{ID_Continue}_]*$/u.exec(before)![0];
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
  if (word === '') return none;
  return predicates(document, word, index);
}

/** Whether a place is within a comment to the end of the line, or a quoted text of its line. */
function isInside(before: string): boolean {
  const line = before.split('\n').at(-1)!;
  const plain = line
    .replace(/0'(?:\\.|''|.)/gu, '0')
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '_');
  return /["'`%]/.test(plain);
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

async function predicates(document: TextDocument, word: string, index: Index): Promise<CompletionList> {
  const own = new Map<string, boolean>();
  for (const analysis of await index.all(document.uri))
    for (const indicator of [...analysis.definitions.keys(), ...analysis.declared])
      if (!own.has(indicator)) own.set(indicator, analysis.uri === document.uri);
  const begins = (indicator: string) => indicator.startsWith(word);
  const items = [
    ...[...own]
      .filter(([indicator]) => begins(indicator))
      .map(([indicator, isHere]) => item(indicator, isHere ? 0 : 1)),
    ...[...index.builtins()].filter((indicator) => begins(indicator) && !own.has(indicator)).map((i) => item(i, 2)),
  ];
  return { isIncomplete: items.length > MOST, items: items.slice(0, MOST) };
}

/** `rank`: those of this text come first, then others of the workspace, then those of the system. */
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
