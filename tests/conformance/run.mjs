// The conformance suite of MCP against the protocol core, for the newest revision of each era. Nothing is expected
// to fail: a required scenario that fails makes this fail. What the suite does not require (extensions, scenarios
// that are not released) runs too, and is not counted.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Plain, ROOT, isMain, main, run, say } from '../../scripts/steps.mjs';

const REVISIONS = ['2026-07-28', '2025-11-25'];

/** The suite needs a newer Node than the rest of the project: that of the npm package `node`. */
const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');
const SUITE = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

export async function conformance() {
  await run('cargo', ['build', '--quiet', '--package', 'hornbook-mcp', '--example', 'conformance_server'], {
    heartbeat: 'building the fixture',
  });
  const server = spawn(join(ROOT, 'target', 'debug', 'examples', 'conformance_server'), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const results = mkdtempSync(join(tmpdir(), 'hornbook-conformance-'));
  try {
    const url = await firstLine(server);
    for (const revision of REVISIONS) {
      const report = await run(NODE, [SUITE, 'server', '--url', url, '--requirements', revision, '-o', results], {
        heartbeat: `conformance ${revision}`,
        explain: `the protocol core does not conform to ${revision}`,
      });
      const passed = report.split('\n').filter((line) => line.startsWith('✓ ')).length;
      if (passed === 0) throw new Plain(`the conformance suite ran no scenario for ${revision}`);
      say(`conformance ${revision}: ${passed} scenarios passed, and every required one`);
    }
  } finally {
    server.kill();
    rmSync(results, { recursive: true, force: true });
  }
}

/** The first line that the server prints, its URL. */
async function firstLine(server) {
  for await (const line of createInterface({ input: server.stdout })) return line;
  throw new Plain('the conformance fixture ended before it listened');
}

if (isMain(import.meta.url)) await main(conformance);
