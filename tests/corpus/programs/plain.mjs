// What a program by others does in SWI-Prolog for WebAssembly without Hornbook, whose version is that of Hornbook:
// `node tests/corpus/programs/plain.mjs FOLDER NAME...` asks each query that differs, and keeps the outcome in FOLDER/NAME.json.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { verdict } from './verdict.mjs';

const [folder, ...names] = process.argv.slice(2);

async function ask(file, query) {
  const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');
  const { prolog, FS } = await swipl({ arguments: ['-q', '--stack-limit=256m'], on_output: () => {} });
  FS.mkdirTree('/program');
  for (const { name } of readdirSync(dirname(file), { withFileTypes: true }).filter((entry) => entry.isFile()))
    FS.writeFile(`/program/${name}`, readFileSync(join(dirname(file), name)));
  FS.writeFile('/plain.pl', readFileSync(join(import.meta.dirname, 'plain.pl')));
  prolog.call("load_files('/plain.pl')");
  prolog
    .query('working_directory(_, "/program/"), catch(load_files(user:File), _, true)', {
      File: `/program/${file.split('/').at(-1)}`,
    })
    .once();
  const found = prolog.query('plain:asked(Text, Json)', { Text: new prolog.String(query) }).once();
  process.stdout.write(`@@${found.Json}\n`);
  process.exit(0);
}

if (names.length === 1 && names[0].startsWith('?-')) await ask(folder, names[0].slice(2));

for (const name of names) {
  const programs = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  for (const program of programs.filter(({ native, loaded }) => native && loaded)) {
    const file = join(folder, name, program.file);
    const text = readFileSync(file, 'utf8');
    for (const outcome of program.outcomes) {
      if (outcome.plain || verdict(outcome, program, text) !== 'differ') continue;
      const { stdout } = spawnSync(process.execPath, [import.meta.filename, file, `?-${outcome.query}`], {
        encoding: 'utf8',
        timeout: 30_000,
        maxBuffer: 1 << 26,
      });
      const line = stdout?.split('\n').find((each) => each.startsWith('@@{'));
      if (line) outcome.plain = JSON.parse(line.slice(2));
    }
  }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(programs));
}
