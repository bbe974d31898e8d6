// From the start of the process to the first answer, and the import of 100,000 clauses.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { READ_AND_ASSERT, facts, plain } from './plain.mjs';
import { timed } from './queries.mjs';
import { server } from './server.mjs';

const PLAIN_START = fileURLToPath(new URL('./plain-start.mjs', import.meta.url));

export async function starts(rounds) {
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const plainTime = await timed(
      () => new Promise((resolve) => spawn(process.execPath, [PLAIN_START]).on('exit', resolve)),
    );
    let ours;
    const ourTime = await timed(async () => {
      ours = await server();
      await ours.call('query_start', { query: 'X #> 3, X #< 5', take: 1 });
    });
    await ours.close();
    if (round >= 0) values.push(ourTime / plainTime);
  }
  return [
    {
      what: 'start to first answer, to Node and a plain boot with clpfd and sandbox',
      values,
      goal: 0.9,
      unit: 'ratio',
    },
  ];
}

export async function imports(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-'));
  const text = facts(100_000);
  const filename = join(folder, 'facts.pl');
  writeFileSync(filename, text);
  const { prolog, once, string } = await plain();
  await prolog.load_string(READ_AND_ASSERT, 'plain.pl');
  const input = { Text: string(text) };
  const ours = await server('--root', folder);
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const plainTime = await timed(() => once('read_and_assert(Text)', input));
    once('abolish(kb:edge/3)');
    const ourTime = await timed(() => ours.call('files', { operation: 'import', filename }));
    await ours.call('workspace', { operation: 'reset' });
    if (round >= 0) values.push(ourTime / plainTime);
  }
  await ours.close();
  rmSync(folder, { recursive: true });
  return [
    { what: 'import of 100,000 clauses, to a plain read_term and assertz loop', values, goal: 1.8, unit: 'ratio' },
  ];
}
