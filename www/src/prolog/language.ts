/**
 * The tokens of SWI-Prolog, for the eye. Operators are the user's to define, so that no fixed grammar fits all texts:
 * what is wrong with a text is told by SWI-Prolog itself, and this tells names, heads, strings and numbers apart.
 */
import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface State {
  /** What the line before left open. */
  inside: 'comment' | 'quasi' | '"' | "'" | '`' | undefined;
  /** In the head of a clause, before its neck. */
  head: boolean;
  /** Nothing of the clause was read yet. */
  first: boolean;
  directive: boolean;
  depth: number;
}

const NAME = /^\p{Ll}[\p{L}\p{N}_]*/u;
const VARIABLE = /^[\p{Lu}\p{Lt}_][\p{L}\p{N}_]*/u;
const SYMBOLS = /^[#$&*+\-./:<=>?@^~\\]+/;
const NUMBERS = [
  /^0'(?:\\x[\da-fA-F]+\\?|\\[0-7]+\\?|\\.|''|[^\\'])/,
  /^\d+(?:_\d+)*\.\d+(?:Inf|NaN)/,
  /^0x[\da-fA-F]+|^0o[0-7]+|^0b[01]+|^\d{1,2}'[\da-zA-Z]+/,
  /^\d+(?:_\d+)*r\d+/,
  /^\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?/,
];
const WORD_OPERATORS = new Set(['is', 'mod', 'rem', 'div', 'rdiv', 'divmod', 'xor', 'as', 'in', 'ins', 'in_set', 'tnot', 'table', 'dynamic', 'discontiguous', 'initialization']);

function start(inClause = false): State {
  return { inside: undefined, head: !inClause, first: !inClause, directive: inClause, depth: 0 };
}

function comment(stream: StringStream, state: State): string {
  state.inside = stream.skipTo('*/') ? undefined : 'comment';
  if (state.inside) stream.skipToEnd();
  else stream.match('*/');
  return 'comment';
}

function quasi(stream: StringStream, state: State): string {
  state.inside = stream.skipTo('|}') ? undefined : 'quasi';
  if (state.inside) stream.skipToEnd();
  else stream.match('|}');
  return 'quasi';
}

const QUOTED = { '"': 'string', '`': 'string', "'": 'quoted' } as const;

/** From after the opening quote. A quoted text goes on in the next line after a backslash only. */
function quoted(stream: StringStream, state: State, quote: '"' | "'" | '`'): string {
  state.inside = undefined;
  while (!stream.eol()) {
    const c = stream.next();
    if (c === '\\') {
      if (stream.eol()) state.inside = quote;
      else stream.next();
    } else if (c === quote && !stream.eat(quote)) {
      if (quote === "'" && stream.peek() === '(') return called(state);
      return QUOTED[quote];
    }
  }
  return QUOTED[quote];
}

function called(state: State): string {
  return state.head && state.depth === 0 && !state.directive ? 'head' : 'functor';
}

function symbol(run: string, stream: StringStream, state: State): string {
  const next = stream.peek();
  if (run.endsWith('.') && (next === undefined || /[\s%]/.test(next))) {
    if (run.length > 1) {
      stream.backUp(1);
      return 'operator';
    }
    Object.assign(state, start());
    return 'end';
  }
  if (state.depth === 0 && (run === ':-' || run === '?-') && state.first) {
    state.directive = true;
    state.head = false;
    return 'neck';
  }
  if (state.depth === 0 && [':-', '-->', '=>'].includes(run)) {
    state.head = false;
    return 'neck';
  }
  return 'operator';
}

const parser: StreamParser<State> = {
  name: 'prolog',
  startState: () => start(),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.inside === 'comment') return comment(stream, state);
    if (state.inside === 'quasi') return quasi(stream, state);
    if (state.inside) return quoted(stream, state, state.inside);
    if (stream.eatSpace()) return null;
    if (stream.peek() === '%' || (stream.sol() && stream.match('#!', false))) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) return comment(stream, state);
    const style = token(stream, state);
    if (style !== 'end') state.first = false;
    return style;
  },
  indent: (state, _after, { unit }) => (state.first ? 0 : unit),
  languageData: {
    commentTokens: { line: '%', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"', '`'] },
    wordChars: '_',
  },
  tokenTable: {
    head: tags.definition(tags.function(tags.variableName)),
    functor: tags.function(tags.variableName),
    atom: tags.atom,
    quoted: tags.special(tags.string),
    neck: tags.definitionKeyword,
    end: tags.definitionKeyword,
    variable: tags.variableName,
    anonymous: tags.special(tags.variableName),
    tag: tags.typeName,
    quasi: tags.special(tags.string),
    cut: tags.controlKeyword,
    word: tags.operatorKeyword,
  },
};

function token(stream: StringStream, state: State): string | null {
  for (const number of NUMBERS) if (stream.match(number)) return 'number';
  if (stream.match('{|')) return quasi(stream, state);
  const quote = stream.eat(/["'`]/);
  if (quote) return quoted(stream, state, quote as '"' | "'" | '`');
  const variable = stream.match(VARIABLE) as RegExpMatchArray | null;
  if (variable) {
    if (stream.peek() === '{') return 'tag';
    return variable[0].startsWith('_') ? 'anonymous' : 'variable';
  }
  const name = stream.match(NAME) as RegExpMatchArray | null;
  if (name) {
    if (stream.peek() === '{') return 'tag';
    if (stream.peek() === '(') return called(state);
    if (WORD_OPERATORS.has(name[0]) && !(state.first && !state.directive)) return 'word';
    return state.first ? 'head' : 'atom';
  }
  const symbols = stream.match(SYMBOLS) as RegExpMatchArray | null;
  if (symbols) return symbol(symbols[0], stream, state);
  const c = stream.next();
  if (c === '!') return 'cut';
  if (c && '([{'.includes(c)) state.depth += 1;
  else if (c && ')]}'.includes(c)) state.depth = Math.max(0, state.depth - 1);
  return c && '()[]{}'.includes(c) ? 'bracket' : 'punctuation';
}

/** A text of clauses. */
export const clauses = StreamLanguage.define(parser);

/** A goal: no name in it is defined. */
export const goal = StreamLanguage.define({ ...parser, startState: () => start(true) });
