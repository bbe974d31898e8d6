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
const prelude = readFileSync(join(here, 'prelude.pl'), 'utf8');
// Each case is loaded alone: one that cannot be read may swallow those behind it.
const cases = new Map(
  source
    .slice(source.indexOf('test_1 :-'), source.indexOf('\nrun_tests('))
    .split(/^(?=test_\w+ :-)/m)
    .map((text) => [text.match(/^\w+/)[0], text]),
);
const names = [...cases.keys()];
const files = Object.fromEntries(names.map((name) => [`${name}.pl`, prelude + cases.get(name)]));

const folder = mkdtempSync(join(tmpdir(), 'conformity-'));
const native = new Map();
for (const name of names) {
  const file = join(folder, `${name}.pl`);
  writeFileSync(file, files[`${name}.pl`]);
  const { stdout } = spawnSync('swipl', [join(here, 'native.pl'), '--', file, name], { encoding: 'utf8' });
  native.set(
    name,
    stdout
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      .slice(name.length + 1),
  );
}
rmSync(folder, { recursive: true });

const server = await Server.start({ files });
const ours = new Map();
const refused = new Set();
for (const name of names) {
  const filename = `${name}.pl`;
  const { text } = await server.call('files', { operation: 'import', filename });
  if (/outside the sandbox/.test(text)) refused.add(name);
  const query = `catch((${name} -> R = passed ; R = failed), error(R, _), true)`;
  const { data } = await server.call('query_start', { query, take: 1 });
  ours.set(name, String(data.answers?.[0]?.R ?? data.error?.kind));
  await server.call('files', { operation: 'unimport', filename });
}
await server.close();

/** The body of a case, in one line. */
function body(name) {
  const [clause] = cases
    .get(name)
    .slice(name.length + 3)
    .split(/\.\n(?=\n|$)/);
  return clause.replaceAll(/\s+/g, ' ').trim();
}

function asked(name) {
  const line = body(name);
  return `\`\` ${line.length > 110 ? `${line.slice(0, 109)}…` : line} \`\``.replaceAll('|', '\\|');
}

const unread = (outcome) => outcome.startsWith('existence_error(procedure,test_');
const said = (outcome) => (unread(outcome) ? 'not read' : outcome).replaceAll('|', '\\|');
const saidOfOurs = (name) => (refused.has(name) ? 'refused' : said(ours.get(name)));
function why(name) {
  const outcome = ours.get(name);
  if (outcome === 'passed') return 'of a later version';
  if (refused.has(name) || outcome.startsWith('permission_error(call,sandboxed,')) return 'a directive';
  return outcome === native.get(name) ? 'SWI-Prolog' : 'Hornbook';
}
const passed = (outcomes) => names.filter((name) => outcomes.get(name) === 'passed').length;
const deviating = names.filter((name) => ours.get(name) !== 'passed' || native.get(name) !== 'passed');
const table = [
  `Of ${names.length} cases Hornbook passes ${passed(ours)}, \`swipl\` ${passed(native)}.`,
  '',
  '| case | asked | `swipl` | Hornbook | why |',
  '|---|---|---|---|---|',
  ...deviating.map(
    (name) => `| ${name.slice(5)} | ${asked(name)} | ${said(native.get(name))} | ${saidOfOurs(name)} | ${why(name)} |`,
  ),
].join('\n');
console.log(table.split('\n')[0]);
const [before, rest] = readFileSync(page, 'utf8').split('<!-- cases -->\n');
writeFileSync(page, `${before}<!-- cases -->\n${table}\n<!-- end -->${rest.split('<!-- end -->')[1]}`);
