// What run.mjs found, counted: `node tests/corpus/programs/report.mjs FOLDER NAME...` writes the table of docs/programs.md and
// prints each answer that differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'programs.md');
const [folder, ...names] = process.argv.slice(2);

/** The same text for what differs only in names of variables, layout, brackets, and terms of errors of the two versions. */
const plain = (text) =>
  text
    .replaceAll(/\b_[A-Za-z0-9]*|\b[A-Z][A-Za-z0-9_]*/g, '_')
    .replaceAll('type_error([],', 'type_error(character,')
    .replaceAll('existence_error(stream,', 'domain_error(stream,')
    .replaceAll(/(procedure|matching_rule),\w+:/g, '$1,')
    .replaceAll(/<(stream|clause|engine|trie|mutex)>\(\w+\)/g, '<$1>')
    .replaceAll(/\d+(\.\d+)? ?(msec|sec|ms|inferences|Lips|CPU)/g, 'N')
    .replaceAll(/[\s"{}()]+/g, '')
    .replaceAll(/,…|…,?/g, '')
    .replaceAll(/_=_(,|$)/g, '')
    .replace(/,$/, '')
    .replace(/^$/, 'true');

const lines = (answers) => answers.map(plain).join('\n');

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

/** What `swipl` compiles programs to, and is no predicate of theirs. */
const INTERNAL = /^'?__aux_|___\d+_|^attr_(unify|portray)_hook|^exception\(/;

const MISSING = /^existence_error\(procedure/;

function verdict({ query, wanted, got, late }, { native, loaded }, text) {
  if (late || /time_limit|resource_error/.test(wanted.error ?? '') || /timeout|resource/.test(got.kind ?? ''))
    return 'late';
  if (/working_directory/.test(text) && plain(wanted.output) !== plain(got.output)) return 'beyond';
  if (native.told.some((said) => /Syntax error|does not exist|No permission to (load|define)/.test(said)))
    return 'foreign';
  const agree = Boolean(wanted.error) === Boolean(got.error) && lines(wanted.answers) === lines(got.answers);
  if (query.startsWith('run_tests')) {
    if (wanted.answers.length === 0 || /FAILED|failed/.test(wanted.output)) return 'foreign';
    if (got.answers.length > 0 && !got.error) return 'alike';
  } else if (agree && wanted.error && got.formal && plain(wanted.error) !== plain(got.formal)) {
    if (!beyond(`${got.error} ${JSON.stringify(loaded)}`))
      return CHANGING.test(`${query} ${text}`) ? 'changing' : 'differ';
  } else if (agree && (wanted.output.includes('PL-Unit') || plain(wanted.output) === plain(got.output))) return 'alike';
  if (MISSING.test(wanted.error ?? '') && !got.formal) return 'foreign';
  if (
    /:- table|chr_constraint/.test(text) &&
    [...wanted.answers].map(plain).sort().join() === [...got.answers].map(plain).sort().join()
  )
    return 'alike';
  if (beyond(`${got.error ?? ''} ${JSON.stringify(loaded)} ${wanted.error ?? ''}`)) return 'beyond';
  return CHANGING.test(`${query} ${text}`) ? 'changing' : 'differ';
}

const rows = [];
const all = { name: '**all**', files: 0, queries: 0, late: 0, foreign: 0, beyond: 0, changing: 0, differ: 0, alike: 0 };
for (const name of names) {
  const row = { name, files: 0, queries: 0, late: 0, foreign: 0, beyond: 0, changing: 0, differ: 0, alike: 0 };
  for (const program of JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))) {
    if (!program.native || !program.loaded) {
      if (program.broken) console.log(`${name}/${program.file}: ${program.broken}`);
      continue;
    }
    const text = readFileSync(join(folder, name, program.file), 'utf8');
    row.files += 1;
    for (const each of program.outcomes) {
      if (INTERNAL.test(each.query)) continue;
      const found = verdict(each, program, text);
      row.queries += 1;
      row[found] += 1;
      if (found !== 'differ') continue;
      const { query, wanted, got } = each;
      console.log(
        `${name}/${program.file} ?- ${query.slice(0, 160)}\n  swipl    ${JSON.stringify(wanted).slice(0, 400)}\n  Hornbook ${JSON.stringify(got).slice(0, 500)}\n  loading  ${JSON.stringify(program.loaded.errors ?? []).slice(0, 300)}`,
      );
    }
  }
  for (const key of Object.keys(row)) if (key !== 'name') all[key] += row[key];
  rows.push(row);
}

const figures = [...rows, all].map(({ alike, differ, ...row }) => {
  const share = alike + differ === 0 ? '' : `${((100 * alike) / (alike + differ)).toFixed(1)} %`;
  return `| ${[...Object.values(row), alike + differ, alike, share].join(' | ')} |`;
});
const table = [
  '| programs | files | queries | out of time | not for `swipl` | files, threads … | change | compared | alike | share |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ...figures,
].join('\n');
console.log(table);
const [before, rest] = readFileSync(page, 'utf8').split('<!-- figures -->\n');
writeFileSync(page, `${before}<!-- figures -->\n${table}\n<!-- end -->${rest.split('<!-- end -->')[1]}`);
