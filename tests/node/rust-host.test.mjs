// The crates in a Rust program with engines of its own: the example of hornbook-workspace, whose engines are processes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

test('a Rust program queries engines that are processes, and replaces one that hangs', async () => {
  await run('cargo', ['build', '--quiet', '--workspace', '--example', 'process'], { cwd: ROOT });
  const { stdout } = await run(join(ROOT, 'target', 'debug', 'examples', 'process'), ['pkg'], { cwd: ROOT });
  assert.equal(
    stdout,
    `?- ancestor(tom, Who).
Who = bob
Who = ann
?- forever.
The query was stopped after 500 ms. The engine is restarted and the workspace is intact.
?- ancestor(tom, Who).
Who = bob
Who = ann
`,
  );
});
