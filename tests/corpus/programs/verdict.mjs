// Whether two outcomes of a query are alike.

/** Parts of Prolog's text: quoted, a character code, a word, spaces, any other character. */
const PARTS = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|0'.|\w+|\s+|./gsu;

const fits = (before, after) => /\w$/.test(before ?? '') && /^\w/.test(after ?? '');

/** The same text for terms that differ only in names of variables, numbers of streams and the like, and layout. */
function term(text) {
  const names = new Map();
  const parts = text.replaceAll(/<(stream|clause|engine|trie|mutex)>\(\w+\)/g, '<$1>').match(PARTS) ?? [];
  return parts
    .map((part, at) => {
      if (/^\s/.test(part)) return fits(parts[at - 1], parts[at + 1]) ? ' ' : '';
      if (/^['"]/.test(part)) return part.replaceAll(/\b_\w+/g, '_');
      if (!/^[_A-Z]\w*$/.test(part)) return part;
      if (!names.has(part)) names.set(part, `_${names.size}`);
      return names.get(part);
    })
    .join('');
}

/** An answer, without brackets around a whole value, and without the variables that are left unbound: `swipl` is not asked for them. */
const answer = (text) =>
  term(
    text
      .replaceAll(/(^|, )[_A-Z]\w* = [_A-Z]\w*(?=, |$)/g, '')
      .replaceAll(/ = \((.*?)\)(?=, [A-Z]\w* = |, …|$)/gs, ' = $1')
      .replace(/^, /, '') || 'true',
  );

/** The form of an error, by what the two versions name differently. */
const formal = (text) =>
  term(text)
    .replaceAll('type_error([],', 'type_error(character,')
    .replaceAll('existence_error(stream,', 'domain_error(stream,')
    .replaceAll(/(procedure|matching_rule|assertion_error\(fail),(\w+|'[^']*'):/g, '$1,')
    .replaceAll(/\(([^\w(),]+)\)\//g, '$1/');

/** What was written, but for layout, names of variables, and times. */
const written = (text) =>
  text
    .replaceAll(/\b_[A-Za-z0-9]*\b|_\d+/g, '_')
    .replaceAll(/<(stream|clause|engine|trie|mutex)>\(\w+\)/g, '<$1>')
    .replaceAll(/\d+(\.\d+)? ?(msec|sec|ms|inferences|Lips|CPU)/g, 'N')
    .replaceAll(/\s+/g, '');

/** What a book does not reach, by what is said where a program needs it. */
const BEYOND = [
  /cannot be opened|neither in the book nor found|allowed roots|source_sink|does not exist|directory|No file/i,
  /\b(open|see|tell|told|append|consult|load_files|\w*file\w*|chdir|set_stream|set_input|set_output|prompt)\/\d/,
  /thread|mutex|message_queue|operating system|process|socket|network|http|shell|getenv|setenv|signal|tty|argv|halt\b/,
  /foreign|pce|ffi|library\((os|files|unix|uuid|crypto|sha|md5|ssl|sgml|rdf\w*|semweb|pengines|odbc|archive|zlib|editline|scasp\S*)\)/,
  /'?\$\w+'?\/\d/,
];
const beyond = (said) => BEYOND.some((pattern) => pattern.test(said));

/** Programs whose answers are others each time. */
const CHANGING = /\brandom|get_time|statistics|cputime|get_cpu|shuffle|permuted|\btime\(|garbage/;

const MISSING = /^existence_error\(procedure/;

const tests = (query) => query.startsWith('run_tests');

/** Whether SWI-Prolog of Hornbook's version, without Hornbook, has the same outcome as Hornbook: plain.mjs asked it. */
function ofVersion({ query, got, plain }) {
  if (!plain || /unit_test/.test(plain.error ?? '')) return false;
  if (tests(query)) return got.answers.length === 0 && !got.error && plain.answers.length === 0;
  const lines = ({ answers }) => answers.map((given) => answer(given.replace(/(, )?…$/, ''))).join('\n');
  if (lines(plain) !== lines(got) || Boolean(plain.error) !== Boolean(got.error)) return false;
  if (plain.error) return Boolean(got.formal) && formal(plain.error) === formal(got.formal);
  return written(plain.output) === written(got.output);
}

/** How an outcome of Hornbook fares beside that of `swipl`: a column of the table of docs/programs.md. */
export function verdict(outcome, program, text) {
  const found = beside(outcome, program, text);
  return found === 'differ' && ofVersion(outcome) ? 'version' : found;
}

function beside({ query, wanted, got, late }, { native, loaded }, text) {
  if (late || /time_limit|resource_error/.test(wanted.error ?? '') || /timeout|resource/.test(got.kind ?? ''))
    return 'late';
  if (/working_directory/.test(text) && written(wanted.output) !== written(got.output)) return 'beyond';
  if (native.told.some((said) => /Syntax error|does not exist|No permission to (load|define)/.test(said)))
    return 'foreign';
  // Goals that wait for variables outside the answer are shown by Hornbook alone.
  const waits = wanted.answers.some((each) => each.endsWith('…'));
  const lines = (answers) => {
    const each = answers.map((given) => answer(waits ? given : given.replace(/(, )?…$/, '')));
    return (/:-\s*table|chr_constraint/.test(text) ? each.sort() : each).join('\n');
  };
  const agree = Boolean(wanted.error) === Boolean(got.error) && lines(wanted.answers) === lines(got.answers);
  if (/PL-Unit.*FAILED/.test(wanted.output)) return 'foreign';
  if (tests(query)) {
    if (wanted.answers.length === 0 || /FAILED|failed/.test(wanted.output)) return 'foreign';
    if (got.answers.length > 0 && !got.error) return 'alike';
  } else if (agree && wanted.error && got.formal && formal(wanted.error) !== formal(got.formal)) {
    if (!beyond(`${got.error} ${JSON.stringify(loaded)}`))
      return CHANGING.test(`${query} ${text}`) ? 'changing' : 'differ';
  } else if (agree && (wanted.output.includes('PL-Unit') || written(wanted.output) === written(got.output)))
    return wanted.answers.length > 0 || wanted.error || wanted.output ? 'alike' : 'fail';
  if (MISSING.test(wanted.error ?? '') && !got.formal) return 'foreign';
  if (beyond(`${got.error ?? ''} ${JSON.stringify(loaded)} ${wanted.error ?? ''}`)) return 'beyond';
  return CHANGING.test(`${query} ${text}`) ? 'changing' : 'differ';
}
