// The cases of Scryer Prolog's tests-pl/iso-conformity-tests.pl in Hornbook and in the native swipl:
// `node tests/corpus/conformity/run.mjs FILE` writes the table of docs/conformity.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from '../../node/harness.mjs';

const here = import.meta.dirname;
const page = join(here, '..', '..', '..', 'docs', 'conformity.md');
const source = readFileSync(process.argv[2], 'utf8');
const cases = source.slice(source.indexOf('test_1 :-'));
const names = [...new Set([...cases.matchAll(/^(test_\w+) :-/gm)].map(([, name]) => name))];
const text = readFileSync(join(here, 'prelude.pl'), 'utf8') + cases;

const folder = mkdtempSync(join(tmpdir(), 'conformity-'));
writeFileSync(join(folder, 'cases.pl'), text);
const { stdout } = spawnSync('swipl', [join(here, 'native.pl'), '--', join(folder, 'cases.pl'), ...names], {
  encoding: 'utf8',
});
rmSync(folder, { recursive: true });
const native = new Map(
  stdout
    .split('\n')
    .filter((line) => line.startsWith('test_'))
    .map((line) => line.split(/ (.*)/s)),
);

const server = await Server.start({ files: { 'cases.pl': text } });
const { data: loaded } = await server.call('files', { operation: 'import', filename: 'cases.pl' });
const ours = new Map();
for (const name of names) {
  const query = `catch((${name} -> R = passed ; R = failed), error(R, _), true)`;
  const { data } = await server.call('query_start', { query, take: 1 });
  ours.set(name, String(data.answers?.[0]?.R ?? data.error?.kind));
}
await server.close();

/** The body of a case, in one line. */
function body(name) {
  const clause = `\n${cases}`.split(`\n${name} :-`)[1].split(/\.\n(?=\n|test_|$)/)[0];
  return clause.replaceAll(/\s+/g, ' ').trim();
}

function asked(name) {
  const line = body(name);
  return `\`\` ${line.length > 110 ? `${line.slice(0, 109)}…` : line} \`\``.replaceAll('|', '\\|');
}

const unread = (outcome) => outcome.startsWith('existence_error(procedure,test_');
const said = (outcome) => (unread(outcome) ? 'not read' : outcome).replaceAll('|', '\\|');
function why(name) {
  if (ours.get(name) === 'passed') return 'of a later version';
  if (native.get(name) !== 'passed') return 'SWI-Prolog';
  return unread(ours.get(name)) && /op\(|set_prolog_flag\(/.test(body(name)) ? 'a directive' : 'Hornbook';
}
const passed = (outcomes) => names.filter((name) => outcomes.get(name) === 'passed').length;
const deviating = names.filter((name) => ours.get(name) !== 'passed' || native.get(name) !== 'passed');
const table = [
  `Of ${names.length} cases Hornbook passes ${passed(ours)}, \`swipl\` ${passed(native)}. ${loaded.failed} clauses of the text cannot be added here.`,
  '',
  '| case | asked | `swipl` | Hornbook | why |',
  '|---|---|---|---|---|',
  ...deviating.map(
    (name) =>
      `| ${name.slice(5)} | ${asked(name)} | ${said(native.get(name))} | ${said(ours.get(name))} | ${why(name)} |`,
  ),
].join('\n');
console.log(table.split('\n')[0]);
const [before, rest] = readFileSync(page, 'utf8').split('<!-- cases -->\n');
writeFileSync(page, `${before}<!-- cases -->\n${table}\n<!-- end -->${rest.split('<!-- end -->')[1]}`);
