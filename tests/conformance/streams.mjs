// The conformance suite of Durable Streams against `hornbook serve`, whose server has logs of any text in the place of
// books: all else is as it is. What fails has to stand in `streams.expected.json`, by the reason why it is not for the log
// of a book; and what stands there and passes makes this fail, too.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPEN_ACCESS } from '../../pkg/serve/access.js';
import { loadLibraries } from '../../pkg/serve/run.js';
import { Server } from '../../pkg/serve/server.js';
import { Plain, ROOT, isMain, main, run, say } from '../../scripts/steps.mjs';
import { TextLogs } from './text-log.mjs';

const HERE = import.meta.dirname;
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const MANY = 1_000_000;
const CLIENT = { requests: MANY, running: MANY, streams: MANY, bytes: 16 << 20, books: MANY, queries: 0, cpu_ms: MANY };

export async function streams() {
  const settings = {
    ...{ host: '127.0.0.1', port: 0, origins: [], hosts: [], access: OPEN_ACCESS, client: CLIENT },
    ...{ books: { open: MANY, idleMs: 300_000 }, graceMs: 1_000 },
  };
  const server = new Server(settings, new TextLogs(), await loadLibraries(), () => {});
  const results = mkdtempSync(join(tmpdir(), 'hornbook-streams-'));
  try {
    const report = join(results, 'report.json');
    const config = join(HERE, 'streams.config.mjs');
    const args = [VITEST, 'run', '--config', config, '--root', HERE, '--reporter=json', `--outputFile=${report}`];
    const suite = run(process.execPath, args, {
      env: { STREAMS_URL: await server.listen() },
      heartbeat: 'conformance of streams',
      lines: 1,
    });
    // It ends with an error where anything fails: what did is looked at here.
    await suite.catch(() => {});
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    judge(testResults.flatMap((file) => file.assertionResults));
  } finally {
    await server.stop();
    rmSync(results, { recursive: true, force: true });
  }
}

function judge(results) {
  const named = (status) => results.filter((one) => one.status === status).map((one) => one.fullName.trim());
  const expected = JSON.parse(readFileSync(join(HERE, 'streams.expected.json'), 'utf8'));
  const known = new Set(Object.values(expected).flat());
  const [passed, failed] = [named('passed'), named('failed')];
  if (passed.length === 0) throw new Plain('the conformance suite of streams ran no test');
  const unknown = failed.filter((name) => !known.has(name));
  const mended = passed.filter((name) => known.has(name));
  if (unknown.length > 0) throw new Plain(`hornbook serve does not conform to Durable Streams:\n${unknown.join('\n')}`);
  if (mended.length > 0) throw new Plain(`these pass, and stand in streams.expected.json:\n${mended.join('\n')}`);
  say(`conformance of streams: ${passed.length} tests passed, and ${failed.length} are not for the log of a book`);
}

if (isMain(import.meta.url)) await main(streams);
