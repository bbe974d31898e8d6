// An object store for the tests, on its own port, in memory: the S3 of PyPI's moto, installed into the tool cache if it
// is missing. It accepts any key.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { CACHE } from '../../scripts/steps.mjs';
import { freePort } from './port.mjs';

const VERSION = '5.2.1';
const HOME = join(CACHE, `moto-${VERSION}`);
const NEEDED = [`moto==${VERSION}`, 'flask', 'flask-cors'];
const ENV = { ...process.env, PYTHONPATH: HOME };

/** Whether it is there or could be installed. */
function installed() {
  const isThere = () =>
    spawnSync('python3', ['-c', 'import moto.server, moto.s3.responses'], { env: ENV }).status === 0;
  if (isThere()) return true;
  const install = ['-m', 'pip', 'install', '--quiet', '--target', HOME, ...NEEDED];
  return spawnSync('python3', install, { stdio: 'ignore' }).status === 0 && isThere();
}
export const S3 = installed();

const BUCKET = 'books';
const KEY = { accessKeyId: 'tests', secretAccessKey: 'tests' };

export class ObjectServer {
  /** The environment for a server that uses it. */
  env = { AWS_ACCESS_KEY_ID: KEY.accessKeyId, AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey };
  #client = new AwsClient({ ...KEY, service: 's3', region: 'eu-west-1', retries: 0 });

  static async start() {
    const server = new ObjectServer();
    server.port = await freePort();
    server.endpoint = `http://127.0.0.1:${server.port}`;
    /** The value for `--snapshots`. */
    server.url = `s3://${BUCKET}/all/of-them?endpoint=${server.endpoint}&region=eu-west-1`;
    const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', `${server.port}`];
    server.child = spawn('python3', args, { stdio: 'ignore', env: ENV });
    server.ended = once(server.child, 'exit');
    for (let tried = 0; !(await fetch(`${server.endpoint}/moto-api/`).catch(() => undefined))?.ok; tried++) {
      if (tried > 600 || server.child.exitCode !== null) throw new Error('the object store does not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const where =
      '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>';
    await server.#ask('', { method: 'PUT', body: where });
    return server;
  }

  async #ask(path, init) {
    const response = await this.#client.fetch(`${this.endpoint}/${BUCKET}${path}`, init);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response;
  }

  /** The snapshots of a book, the longest last. */
  async names(book) {
    const text = await (await this.#ask(`?list-type=2&prefix=${encodeURIComponent(`all/of-them/${book}/`)}`)).text();
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key.split('/').at(-1)).sort();
  }

  async get(book, name) {
    return Buffer.from(await (await this.#ask(`/all/of-them/${book}/${name}`)).arrayBuffer());
  }

  put(book, name, body) {
    return this.#ask(`/all/of-them/${book}/${name}`, { method: 'PUT', body });
  }

  remove(book, name) {
    return this.#ask(`/all/of-them/${book}/${name}`, { method: 'DELETE' });
  }

  stop() {
    this.child.kill('SIGKILL');
    return this.ended;
  }
}
