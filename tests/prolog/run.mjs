// Runs every tests/prolog/*.plt with plunit on swipl-wasm, each in a fresh engine: `node tests/prolog/run.mjs [NAME.plt ...]`.
// The engine sees /hornbook/prolog/ and /hornbook/tests/prolog/NAME.plt: a test loads what it tests with
// `:- use_module('../../prolog/read/reader').`, and replies.pl beside it. A warning or an error while a file is loaded is a failure of that file.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { writeProlog } from '../support/prolog.mjs';

const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');
const root = fileURLToPath(new URL('../..', import.meta.url));

async function run(name) {
  const lines = [];
  const { prolog, FS } = await swipl({
    arguments: ['-q', '--stack-limit=64m'],
    on_output: (text) => lines.push(...text.split('\n')),
  });
  writeProlog(FS);
  FS.mkdirTree('/hornbook/tests/prolog');
  for (const file of [name, 'replies.pl']) {
    FS.writeFile(`/hornbook/tests/prolog/${file}`, readFileSync(`${root}/tests/prolog/${file}`));
  }

  const once = (goal) => {
    const answer = prolog.query(goal).once();
    if (!answer || answer.error) throw new Error(answer?.message ?? `${goal} failed`);
    return answer;
  };
  let passed = 0;
  let failed = 0;
  try {
    const loaded = once(
      `load_files('/hornbook/tests/prolog/${name}', []), ` +
        'statistics(errors, Errors), statistics(warnings, Warnings), Problems is Errors + Warnings',
    );
    failed += loaded.Problems;
    const counts = once(
      'run_tests(all, [summary(Summary)]), get_dict(passed, Summary, Passed), get_dict(failed, Summary, Failed), ' +
        'get_dict(timeout, Summary, Late), get_dict(blocked, Summary, Blocked)',
    );
    passed = counts.Passed;
    failed += counts.Failed + counts.Late + counts.Blocked;
    if (passed + failed === 0) throw new Error('there is no test in this file');
  } catch (error) {
    failed += 1;
    lines.push(`ERROR: ${error.message}`);
  }
  console.log(`${name}: ${passed} passed, ${failed} failed`);
  if (failed > 0) {
    for (const line of lines) {
      if (line.trim() !== '' && !/^% \[|^[ .]*(passed|\*\*FAILED)/.test(line)) console.log(`    ${line}`);
    }
  }
  return { passed, failed };
}

const all = readdirSync(`${root}/tests/prolog`).filter((name) => name.endsWith('.plt'));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. The files are: ${all.sort().join(', ')}`);
  process.exit(1);
}
const total = { passed: 0, failed: 0 };
for (const name of asked.length > 0 ? asked : all.sort()) {
  const { passed, failed } = await run(name);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
