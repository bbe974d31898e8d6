// Resident memory of the idle server, compared with Node and a plain instance; and with 100,000 facts in both.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { facts } from './plain.mjs';
import { server } from './server.mjs';

const PLAIN_FACTS = fileURLToPath(new URL('./plain-facts.mjs', import.meta.url));
const SETTLE_MS = 8000; // the standby engine starts two seconds after the first, and leaves garbage

export async function memory(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-'));
  const filename = join(folder, 'facts.pl');
  writeFileSync(filename, facts(100_000));
  const idle = [];
  const full = [];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    const plain = spawn(process.execPath, [PLAIN_FACTS, filename], { stdio: ['pipe', 'pipe', 'inherit'] });
    const said = () => new Promise((resolve) => plain.stdout.once('data', resolve));
    await said();
    const ours = await server('--root', folder);
    await ours.call('query_start', { query: 'true', take: 1 });
    await setTimeout(SETTLE_MS);
    idle.push(resident(ours.pid) - resident(plain.pid));
    plain.stdin.write('load\n');
    await said();
    await ours.call('files', { operation: 'import', filename });
    await setTimeout(SETTLE_MS);
    full.push(resident(ours.pid) / resident(plain.pid));
    await ours.close();
    plain.stdin.end();
  }
  rmSync(folder, { recursive: true });
  return [
    { what: 'idle memory above Node with one plain instance', values: idle, goal: 40, unit: 'MB' },
    { what: 'memory with 100,000 facts, to plain', values: full, goal: 1.5, unit: 'ratio' },
  ];
}

const resident = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
