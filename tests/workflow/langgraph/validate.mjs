// node tests/workflow/langgraph/validate.mjs: runs validation.mjs in vitest and exits with its result.
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const file = fileURLToPath(new URL('validation.mjs', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = await startVitest('test', [file], {
  config: false,
  root,
  globals: true,
  include: [file],
  exclude: [],
  pool: 'threads',
  watch: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  server: { deps: { external: [/\/pkg\//] } },
});
await vitest.close();
process.exitCode = vitest.state.getCountOfFailedTests() > 0 ? 1 : process.exitCode;
