// Programs by others in Hornbook and in the native swipl: `node tests/corpus/programs/run.mjs FOLDER NAME...`, where FOLDER
// has a folder NAME of Prolog files for each source. Writes what was found into FOLDER/NAME.json.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Server, solution } from '../../node/harness.mjs';

const here = import.meta.dirname;
const [folder, ...names] = process.argv.slice(2);

/** What swipl says of a program, or nothing where it ends before it says anything. */
function native(file, cwd) {
  return new Promise((resolve) => {
    const run = spawn('timeout', ['-k', '2', '40', 'swipl', join(here, 'native.pl'), '--', file], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    run.stdout.setEncoding('utf8').on('data', (part) => {
      if (out.length < 4_000_000) out += part;
      else run.kill();
    });
    run.on('close', () => {
      const said = [];
      for (const line of out.split('\n')) {
        if (!line.startsWith('@@{') && !line.startsWith('@@ {')) continue;
        try {
          said.push(JSON.parse(line.slice(2)));
        } catch {}
      }
      const [loaded, ...outcomes] = said;
      resolve({ loaded, outcomes });
    });
  });
}

async function limited(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no reply')), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function ask(server, query) {
  const { data } = await limited(server.call('query_start', { query, take: 3, timeout_ms: 4000 }), 20_000);
  const { answers = [], variables, error, hint, output = '' } = data;
  return {
    answers: answers.map(
      ({ residual = [], ...values }) =>
        [solution(values, variables), ...(residual.length > 0 ? ['…'] : [])]
          .filter((part) => part !== 'true')
          .join(', ') || 'true',
    ),
    error: error && `${error.kind}: ${error.message} ${error.next ?? ''}`,
    kind: error?.kind,
    hint,
    output: answers.map(({ output = '' }) => output).join('') + output,
  };
}

async function formal(server, query) {
  const { data } = await limited(
    server.call('query_start', {
      query: `catch((${query}\n), E_, true), nonvar(E_), (E_ = error(F_, _) -> true ; F_ = E_)`,
      take: 1,
      timeout_ms: 4000,
    }),
    20_000,
  );
  const value = data.answers?.[0]?.F_;
  return typeof value === 'string' ? value : value?.text;
}

/** Names of files by others may be words that no message of Hornbook has. */
class Quiet extends Server {
  hear(message) {
    this.answer(message.id, message);
  }
}

for (const name of names) {
  const root = join(folder, name);
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(pl|pro|prolog|plt|P)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
  const start = () => Quiet.start({ args: ['--root', root] });
  let server = await start();
  const programs = [];
  for (const file of files) {
    const program = { file, outcomes: [] };
    programs.push(program);
    if (programs.length % 10 === 0) writeFileSync(join(folder, `${name}.json`), JSON.stringify(programs));
    const text = readFileSync(join(root, file), 'utf8');
    if (text.length > 300_000) continue;
    const theirs = await native(join(root, file), root);
    program.native = theirs.loaded;
    try {
      await limited(server.reset(), 20_000);
      const { data } = await limited(server.call('files', { operation: 'import', filename: file }), 60_000);
      program.loaded = data;
      for (const { query, ...wanted } of theirs.outcomes) {
        if (/time_limit/.test(wanted.error ?? '')) {
          program.outcomes.push({ query, wanted, late: true });
          continue;
        }
        const got = await ask(server, query);
        if (got.error && wanted.error) got.formal = await formal(server, query);
        program.outcomes.push({ query, wanted, got });
      }
    } catch (error) {
      program.broken = error.message;
      await limited(server.close(), 3000).catch(() => server.child.kill('SIGKILL'));
      server = await start();
    }
  }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(programs));
  const outcomes = programs.flatMap(({ outcomes }) => outcomes);
  console.log(name, files.length, outcomes.length);
  await server.close();
}
