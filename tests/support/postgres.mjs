// A Postgres server for the tests: Debian's, on its own port, in a folder that is removed with it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.mjs';

const VERSIONS = '/usr/lib/postgresql';

/** The folder of its commands; `undefined` if it is not installed. */
export const POSTGRES = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((path) => existsSync(join(path, 'initdb')))
  : undefined;

/** It refuses to run as root: use nobody instead. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export class Postgres {
  /** @param settings lines for its configuration file */
  static async start(settings = []) {
    const postgres = new Postgres();
    postgres.folder = mkdtempSync(join(tmpdir(), 'hornbook-postgres-'));
    if (USER.uid) chownSync(postgres.folder, USER.uid, USER.gid);
    postgres.data = join(postgres.folder, 'data');
    postgres.port = await freePort();
    postgres.url = postgres.urlAt(postgres.port);
    const made = postgres.#run(
      'initdb',
      '-D',
      postgres.data,
      '-U',
      'hornbook',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
    );
    if (made.status !== 0) throw new Error(made.stderr);
    const lines = [`port = ${postgres.port}`, "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''"];
    appendFileSync(join(postgres.data, 'postgresql.conf'), `${[...lines, ...settings].join('\n')}\n`);
    await postgres.begin();
    return postgres;
  }

  /** Its address through another port that leads to it. */
  urlAt(port) {
    return `postgres://hornbook@127.0.0.1:${port}/postgres`;
  }

  /** Start it. Resolves when it accepts connections. */
  async begin() {
    this.child = spawn(join(POSTGRES, 'postgres'), ['-D', this.data], { ...USER, cwd: this.folder, stdio: 'ignore' });
    this.ended = once(this.child, 'exit');
    for (let tried = 0; this.sql('select 1').status !== 0; tried++) {
      if (tried > 300 || this.child.exitCode !== null) throw new Error('Postgres does not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  sql(text) {
    return this.#run('psql', '-X', '-A', '-t', '-d', this.url, '-c', text);
  }

  /** Terminate all connections. */
  cut() {
    return this.sql('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
  }

  /** Like a crash: running work is abandoned, and the log is replayed on restart. */
  async crash() {
    this.child.kill('SIGQUIT');
    await this.ended;
  }

  async stop() {
    await this.crash();
    rmSync(this.folder, { recursive: true });
  }

  #run(command, ...args) {
    return spawnSync(join(POSTGRES, command), args, { ...USER, cwd: this.folder, encoding: 'utf8' });
  }
}
