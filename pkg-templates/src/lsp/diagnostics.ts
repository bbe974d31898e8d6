/** Diagnostics for a document. */
import { DiagnosticSeverity, type Diagnostic, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../full/hornbook.js';
import type { Analysis } from './analysis.js';
import { atItsCause } from './cause.js';
import type { Flaw, Ground } from './ground.js';
import type { Index } from './index.js';
import { near } from './near.js';
import { indicatorOf, type Named } from './outline.js';

/** The kind of a document, from its language id in the editor. */
export type Kind = 'prolog' | 'dml' | 'workflow';

/** `undefined` for YAML that is not a workflow. */
export function kindOf({ languageId, uri }: TextDocument, text: string): Kind | undefined {
  if (languageId === 'dml' || /\.dml$/i.test(uri)) return 'dml';
  if (languageId === 'hornbook-workflow') return 'workflow';
  if (languageId !== 'yaml') return 'prolog';
  return /\.flow\.ya?ml$/i.test(uri) ||
    (/^nodes:/m.test(text) && /^[ \t]+(- )?(run|script|uses|steps|goto):/m.test(text))
    ? 'workflow'
    : undefined;
}

/** The problems in a document, as reported by whatever would run it. */
export async function diagnosticsOf(document: TextDocument, index: Index, ground: Ground): Promise<Diagnostic[]> {
  const text = document.getText();
  switch (kindOf(document, text)) {
    case undefined:
      return [];
    case 'dml':
      return (await ground.checkDml(text)).map((flaw) => atPlace(flaw, text));
    case 'workflow':
      return (await ground.checkWorkflow(text)).map((flaw) => atPlace(flaw, text));
    case 'prolog': {
      const analysis = await index.analysed(document);
      const problems = await problemsOf(analysis, index, ground);
      return [...problems, ...(await undefinedCalls(analysis, problems, index))];
    }
  }
}

async function problemsOf(analysis: Analysis, index: Index, ground: Ground): Promise<Diagnostic[]> {
  const { document, text } = analysis;
  try {
    const modules = await index.modules();
    const problems = await ground.reader.check(text, modules.moduleOf(analysis), modules.names());
    // Undefined predicates are checked below, where other files are known.
    const shown = problems.filter(({ kind }) => kind !== 'undefined');
    return shown.map((problem) => diagnostic(atItsCause(problem, text), document));
  } catch (error) {
    const start = { line: 0, character: 0 };
    return [
      {
        range: { start, end: start },
        severity: DiagnosticSeverity.Warning,
        source: 'hornbook',
        message: (error as Error).message,
      },
    ];
  }
}

/**
 * Code that only the book refuses, such as a goal that reaches files, would load in SWI-Prolog: a warning, not an
 * error.
 */
function diagnostic({ start, end, severity, kind, message }: Problem, document: TextDocument): Diagnostic {
  const isRefusal = kind === 'unsafe_goal' || kind === 'permission_error';
  return {
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    severity: severity === 'error' && !isRefusal ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: kind,
    source: isRefusal ? 'hornbook' : 'SWI-Prolog',
    message: capital(message),
  };
}

/**
 * Calls of predicates that nobody defines, and what they probably mean. If a clause could not be read, it may define any
 * of them, and if a directive was refused, such as one that loads an unknown library, they could come from there: then
 * only those are reported that look misspelled.
 */
async function undefinedCalls(analysis: Analysis, problems: Diagnostic[], index: Index): Promise<Diagnostic[]> {
  const { document, items, text } = analysis;
  const at = ({ start, end }: Range) => [document.offsetAt(start), document.offsetAt(end)] as const;
  const spans = problems.map(({ range }) => at(range));
  const isFaulty = (from: number, to: number) => spans.some(([start, end]) => start < to && end > from);
  const unread = items.filter(
    ({ kind, start, end }) => kind === 'error' || (kind === 'directive' && isFaulty(start, end)),
  );
  if (index.builtins().size === 0) return [];
  const modules = await index.modules();
  let known: Set<string> | undefined;
  const meantBy = (mark: Named) => {
    known ??= new Set([...modules.texts.flatMap((one) => [...one.indicators()]), ...index.builtins()]);
    const isThere = (one: Named) =>
      index.isBuiltin(indicatorOf(one)) || modules.isDefined(modules.meant(one, analysis));
    return near(mark, known).find(isThere);
  };
  const mayDefine = (name: string) => unread.some(({ start, end }) => text.slice(start, end).includes(name));
  return [...analysis.indicators()]
    .filter((indicator) => !index.isBuiltin(indicator))
    .flatMap((indicator) => analysis.named(indicator))
    .filter(({ mark, item }) => mark.kind === 'call' && item.kind !== 'directive' && !isFaulty(mark.start, mark.end))
    .filter((found) => !modules.isDefined(modules.meantAt(found, analysis)))
    .flatMap(({ mark }) => {
      const advice = modules.advice(mark);
      const meant = advice === undefined && mark.module === undefined ? meantBy(mark) : undefined;
      if (unread.length > 0 && (meant === undefined || mayDefine(mark.name!))) return [];
      const missing = `${analysis.shown(mark)} is not defined here.`;
      return {
        range: { start: document.positionAt(mark.start), end: document.positionAt(mark.end) },
        severity: DiagnosticSeverity.Information,
        code: 'undefined',
        source: 'hornbook',
        message: advice ?? (meant === undefined ? missing : `${missing} Did you mean ${indicatorOf(meant)}?`),
        ...(meant !== undefined && { data: { meant: meant.name } }),
      };
    });
}

function atPlace({ line, column, message }: Flaw, text: string): Diagnostic {
  const start = { line, character: column };
  const rest = text.split('\n')[line]?.slice(column) ?? '';
  const word = /^(?:[\p{ID_Continue}_]+|\S)/u.exec(rest)?.[0].length ?? 0;
  return {
    range: { start, end: { line, character: column + word } },
    severity: DiagnosticSeverity.Error,
    source: 'hornbook',
    message: capital(message),
  };
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
