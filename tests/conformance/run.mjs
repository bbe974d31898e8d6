// The conformance suite of MCP against `hornbook serve`, for the newest revision of each era. The suite calls tools,
// resources and prompts by names of its own: the server has them from a fixture on the protocol core in the place of
// books, all else is as it is. Nothing is expected to fail: a required scenario that fails makes this fail. What the
// suite does not require (extensions, scenarios that are not released) runs too, and is not counted.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OPEN_ACCESS } from '../../pkg/serve/access.js';
import { CLIENT_LIMITS } from '../../pkg/serve/clients.js';
import { loadLibraries } from '../../pkg/serve/run.js';
import { Server } from '../../pkg/serve/server.js';
import { Plain, ROOT, isMain, main, run, say } from '../../scripts/steps.mjs';

const REVISIONS = ['2026-07-28', '2025-11-25'];

/** The suite needs a newer Node than the rest of the project: that of the npm package `node`. */
const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');
const SUITE = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

export async function conformance() {
  await run('cargo', ['build', '--quiet', '--package', 'hornbook-mcp', '--example', 'conformance_server'], {
    heartbeat: 'building the fixture',
  });
  const fixture = new Fixture();
  const settings = {
    ...{ host: '127.0.0.1', port: 0, origins: [], hosts: [], access: OPEN_ACCESS, client: CLIENT_LIMITS },
    ...{ books: { open: 1, idleMs: 300_000 }, graceMs: 1_000 },
  };
  const sources = { has: async () => true, open: async () => fixture };
  const server = new Server(settings, sources, await loadLibraries(), () => {});
  const results = mkdtempSync(join(tmpdir(), 'hornbook-conformance-'));
  try {
    const url = `${await server.listen()}/mcp/fixture`;
    for (const revision of REVISIONS) {
      const report = await run(NODE, [SUITE, 'server', '--url', url, '--requirements', revision, '-o', results], {
        heartbeat: `conformance ${revision}`,
        explain: `hornbook serve does not conform to ${revision}`,
      });
      const passed = report.split('\n').filter((line) => line.startsWith('✓ ')).length;
      if (passed === 0) throw new Plain(`the conformance suite ran no scenario for ${revision}`);
      say(`conformance ${revision}: ${passed} scenarios passed, and every required one`);
    }
  } finally {
    await server.stop();
    await fixture.close();
    rmSync(results, { recursive: true, force: true });
  }
}

/** The protocol core with what the suite expects, in a process of its own, as a source of books. */
class Fixture {
  activeMs = 0;
  #child = spawn(join(ROOT, 'target', 'debug', 'examples', 'conformance_server'), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  #sends = new Map();
  #last = 0;

  constructor() {
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const { client, message } = JSON.parse(line);
      this.#sends.get(client)?.(message);
    });
  }

  connect(send) {
    const client = ++this.#last;
    this.#sends.set(client, send);
    return {
      receive: (message) => this.#tell({ client, message }),
      resume() {},
      close: () => {
        this.#sends.delete(client);
        this.#tell({ client });
      },
    };
  }

  taskRuns() {
    return false;
  }

  async close() {
    this.#child.kill();
  }

  #tell(line) {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }
}

if (isMain(import.meta.url)) await main(conformance);
