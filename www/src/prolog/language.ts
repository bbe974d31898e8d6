/**
 * A highlighter's view of SWI-Prolog's tokens. Users can define operators, so no fixed grammar fits all texts:
 * SWI-Prolog itself reports errors, and this only distinguishes names, heads, strings and numbers.
 */
import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface State {
  /** What the previous line left open. */
  inside: Inside | undefined;
  /** In the head of a clause, before its neck. */
  head: boolean;
  /** Nothing of the clause has been read yet. */
  first: boolean;
  directive: boolean;
  depth: number;
  /** Nothing of the text has been read yet. */
  begin: boolean;
  /** The following symbol characters are one token, whatever they are. */
  run: boolean;
}

/**
 * A comment nested to this depth, or quoted text; `blind` means that the next character closes it or has no meaning.
 */
type Inside = { comment: number } | { open: string; blind: boolean };

const WORD = '[\\p{ID_Continue}_]';
const NAME = new RegExp(`^(?![\\p{Lu}\\p{Lt}_\\d])${WORD}+`, 'u');
const VARIABLE = new RegExp(`^[\\p{Lu}\\p{Lt}_]${WORD}*`, 'u');
const SYMBOLS = /^[#$&*+\-./:<=>?@^~\\]+/;
/** A character code, capturing what makes the symbol characters after it a single token. */
const CODE = /^0'(?:\\(?:(?:x[\da-fA-F]+|[0-7]+)(\\?)|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.|$)|''|[^\\]|$)/u;
const NUMBERS = [
  /^0x[\da-fA-F]+(?:_[\da-fA-F]+)*|^0o[0-7]+(?:[_ ][0-7]+)*|^0b[01]+(?:[_ ][01]+)*/,
  /^\d+(?:[_ ]\d+)*r\d+/,
  /^\d+\.\d+(?:Inf|NaN)(?![\p{ID_Continue}_])/u,
  /^\d+(?:[_ ]\d+)+/,
  /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/,
];
/** Alphanumeric operators. */
export const WORD_OPERATORS: ReadonlySet<string> = new Set([
  'is',
  'mod',
  'rem',
  'div',
  'rdiv',
  'divmod',
  'xor',
  'as',
  'in',
  'ins',
  'in_set',
  'tnot',
  'table',
  'dynamic',
  'discontiguous',
  'initialization',
]);
/** What makes a period before it the end of a clause. */
const AFTER_END = /[\t-\r \u0085\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000%]/;
const CLOSING: Record<string, string> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '«': '»',
  '‘': '’',
  '“': '”',
  '‹': '›',
  '⸂': '⸃',
  '⸄': '⸅',
  '⸉': '⸊',
  '⸌': '⸍',
  '⸜': '⸝',
  '⸠': '⸡',
};

function start(inClause = false): State {
  return {
    inside: undefined,
    head: !inClause,
    first: !inClause,
    directive: inClause,
    depth: 0,
    begin: !inClause,
    run: false,
  };
}

/** Block comments nest, and two delimiters may share a character. */
function comment(stream: StringStream, state: State, level: number): string {
  let open = level;
  while (open > 0 && !stream.eol()) {
    if (stream.match('/*', false)) open += 1;
    else if (stream.match('*/', false)) open -= 1;
    stream.next();
  }
  if (open === 0) stream.next();
  state.inside = open > 0 ? { comment: open } : undefined;
  return 'comment';
}

/** A number with a radix, such as `16'FF`. */
function radix(stream: StringStream): boolean {
  const [, base] = /^(\d\d?)'/.exec(stream.string.slice(stream.pos)) ?? [];
  if (base === undefined || Number(base) < 2 || Number(base) > 36) return false;
  const digits = [...'0123456789abcdefghijklmnopqrstuvwxyz'].slice(0, Number(base)).join('');
  return stream.match(new RegExp(`^${base}'[${digits}]+(?:_[${digits}]+)*`, 'i')) !== null;
}

function number(stream: StringStream, state: State): boolean {
  const code = stream.match(CODE) as RegExpMatchArray | null;
  // The reader does not stop after such a code: a period that follows is part of a symbol token.
  state.run = Boolean(code?.[1]) && /^[#$&*+\-./:<=>?@^~\\]/.test(stream.peek() ?? '');
  return code !== null || radix(stream) || NUMBERS.some((pattern) => stream.match(pattern) !== null);
}

const QUOTED: Record<string, string> = { "'": 'quoted' };

/** Read quoted text to its end, or to the end of the line. */
function quoted(stream: StringStream, state: State, open: string, begun: boolean): string {
  const close = CLOSING[open]!;
  const style = QUOTED[open] ?? 'string';
  let blind = begun;
  state.inside = { open, blind: false };
  while (!stream.eol()) {
    const c = next(stream);
    if (c === close) {
      if (close === open && stream.eat(close)) continue;
      state.inside = undefined;
      return open === "'" && stream.peek() === '(' ? called(state) : style;
    }
    if (c === '\\' && !blind) {
      const digits = stream.match(/^x[\da-fA-F]*|^[0-7]+/);
      if (stream.eol()) state.inside = { open, blind: true };
      else if (!digits) next(stream);
      else if (stream.peek() !== close) next(stream);
    }
    blind = false;
  }
  return style;
}

/** Read a whole code point. */
function next(stream: StringStream): string {
  return (stream.match(/^./su) as RegExpMatchArray)[0];
}

function called(state: State): string {
  return state.head && state.depth === 0 && !state.directive ? 'head' : 'functor';
}

function symbol(run: string, stream: StringStream, state: State): string {
  const next = stream.peek();
  if (run === '.' && (next === undefined || AFTER_END.test(next))) {
    Object.assign(state, start(), { begin: false });
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
    const { inside, begin } = state;
    if (inside)
      return 'comment' in inside
        ? comment(stream, state, inside.comment)
        : quoted(stream, state, inside.open, inside.blind);
    if (begin && stream.match(/^\ufeff+/)) return null;
    state.begin = false;
    if (stream.eatSpace()) return null;
    if (stream.peek() === '%' || (begin && stream.match('#!', false))) {
      stream.skipToEnd();
      return 'comment';
    }
    if (state.run) {
      state.run = false;
      stream.match(SYMBOLS);
      return 'operator';
    }
    if (stream.match('/*')) return comment(stream, state, 1);
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
    cut: tags.controlKeyword,
    word: tags.operatorKeyword,
  },
};

function token(stream: StringStream, state: State): string | null {
  if (number(stream, state)) return 'number';
  const quote = stream.eat((c) => c in CLOSING);
  if (quote) return quoted(stream, state, quote as string, false);
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
  const c = next(stream);
  if (c === '!') return 'cut';
  if (c && '([{'.includes(c)) state.depth += 1;
  else if (c && ')]}'.includes(c)) state.depth = Math.max(0, state.depth - 1);
  return c && '()[]{}'.includes(c) ? 'bracket' : 'punctuation';
}

/** A text of clauses. */
export const clauses = StreamLanguage.define(parser);

/** A goal: it defines no names. */
export const goal = StreamLanguage.define({ ...parser, startState: () => start(true) });
