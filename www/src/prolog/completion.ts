/** Completion of predicates, libraries and the variables of a clause. */
import {
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import type { Outlines } from '../book/outlines.ts';
import type { Session } from '../session.ts';
import { fieldOf, variableOf } from './columns.ts';

const DIRECTIVES = [
  'use_module(library(${}))',
  'dynamic ${name}/${arity}',
  'discontiguous ${name}/${arity}',
  'table ${name}/${arity}',
  'initialization(${goal})',
];

/** Completes `parent/2` as `parent(_, _)`, with the arguments as fields to fill in, named after the columns of a table. */
function call(indicator: string, columns: string[] = []): Completion {
  const slash = indicator.lastIndexOf('/');
  const name = indicator.slice(0, slash);
  const arity = Number(indicator.slice(slash + 1));
  const named = columns.length === arity ? columns : [];
  const detail = named.length > 0 ? `(${named.join(', ')})` : `/${arity}`;
  const options = { label: name, detail, type: 'function' };
  if (arity === 0) return options;
  const hole = (index: number) => (named[index] ? variableOf(named[index]) : ('ABCDEFGHIJ'[index] ?? '_'));
  const holes = Array.from({ length: arity }, (_, index) => `\${${hole(index)}}`);
  return snippetCompletion(`${name}(${holes.join(', ')})`, options);
}

function variables(context: CompletionContext, from: number): Completion[] {
  const before = context.state.sliceDoc(Math.max(0, from - 2000), from);
  const clause =
    before
      .slice(/\.\s/.test(before) ? before.lastIndexOf('. ') + 1 : 0)
      .split(/\.\s/)
      .at(-1) ?? '';
  const names = clause.match(/(?<![\p{L}\p{N}_'"])[\p{Lu}_][\p{L}\p{N}_]*/gu) ?? [];
  return [...new Set(names)].filter((name) => name !== '_').map((label) => ({ label, type: 'variable' }));
}

/** `fileOf` returns the file that is shown; without it the text is a goal. */
export function completion(
  session: Session,
  outlines: Outlines,
  fileOf: () => string | undefined = () => undefined,
): CompletionSource {
  return (context): CompletionResult | null => {
    const library = context.matchBefore(/library\(\w*/);
    if (library) {
      const from = library.from + 'library('.length;
      return { from, options: session.hornbook.libraries().map((label) => ({ label, type: 'namespace' })) };
    }
    const directive = context.matchBefore(/^\s*:-\s*\w*/);
    const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
    if (directive) {
      const options = DIRECTIVES.map((text) =>
        snippetCompletion(text, { label: /^\w+/.exec(text)?.[0] ?? text, type: 'keyword' }),
      );
      return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
    }
    const qualified = context.matchBefore(/(?<![\p{L}\p{N}_])\p{Ll}[\p{L}\p{N}_]*:[\p{L}\p{N}_]*/u);
    if (qualified) {
      const colon = qualified.text.indexOf(':');
      const [module, beginning] = [qualified.text.slice(0, colon), qualified.text.slice(colon + 1)];
      const names = outlines.callable(beginning, fileOf(), module);
      if (names) return { from: qualified.from + colon + 1, options: names.map((indicator) => call(indicator)) };
    }
    const row = context.matchBefore(/(?<![\p{L}\p{N}_])\p{Ll}[\p{L}\p{N}_]*\{[^{}]*/u);
    if (row && (word || context.explicit || /[{,]\s*$/.test(row.text))) {
      const brace = row.text.indexOf('{');
      const columns = session.hornbook.columns(row.text.slice(0, brace));
      const written = row.text.slice(brace + 1);
      // After the colon comes a value.
      if (columns.length > 0 && /(?:^|,)\s*[\p{L}\p{N}_]*$/u.test(written)) {
        const rest = columns.filter((column) => !new RegExp(`(?:^|,)\\s*'?${column}'?\\s*:`, 'u').test(written));
        const options = rest.map((column) => ({ label: column, apply: fieldOf(column), type: 'property' }));
        return { from: word?.from ?? context.pos, options };
      }
    }
    if (!word || /^\d/.test(word.text)) return null;
    if (/^[\p{Lu}_]/u.test(word.text)) return { from: word.from, options: variables(context, word.from) };
    if (word.text.length < 2 && !context.explicit) return null;
    // Do not offer a name that is already complete.
    const own = outlines.callable(word.text, fileOf()) ?? [];
    const others = session.hornbook.complete(word.text).filter((indicator) => !outlines.isKept(indicator));
    const names = [...new Set([...own, ...others])].filter((indicator) => indicator !== `${word.text}/0`);
    const columnsOf = (indicator: string) => session.hornbook.columns(indicator.replace(/\/\d+$/, ''));
    return { from: word.from, options: names.map((indicator) => call(indicator, columnsOf(indicator))) };
  };
}
