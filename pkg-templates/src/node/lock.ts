/**
 * A lock between processes: a socket that its process listens on. The system closes it when the process dies, however
 * it dies, even before the parent has reaped it.
 *
 * To take the lock of `PATH`, a process first creates a claim, a socket beside it with a unique name
 * (`PATH.lock-PID-RANDOM`), and then looks at all other claims. A claim that nobody listens on belongs to a dead
 * process and is removed. If no live claim is left, the process holds the lock. Of two that claim at the same time,
 * either both see each other or only the later one sees the earlier, so that both never hold it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readdir, realpath, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The limit for socket paths on all systems, in bytes. */
const PATH_BYTES = 100;
/** Longer file names, in bytes, are not used in the names of claims. */
const STEM_BYTES = 40;
/** How long the owner of a claim may take to state what it is, in milliseconds. */
const ANSWER_MS = 5_000;
/** The longest random delay before retrying after yielding to another claim, in milliseconds. */
const AGAIN_MS = 50;
/** Stands for the reply of a process that says nothing in time. */
const LATE = 'late';
/** Errors of file systems without sockets. */
const NO_SOCKETS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'];

/** Somebody else holds the lock; the message is a sentence fragment that says who. */
export class LockedError extends Error {
  /**
   * @param served where the holder serves what it has locked, if it does
   * @param silent whether it did not answer, and so may serve it somewhere
   */
  constructor(
    message: string,
    readonly served?: string,
    readonly silent = false,
  ) {
    super(message);
  }
}

/**
 * Take the lock of a file, by its real path. The file need not exist.
 *
 * @param served the path of a socket, told to anybody who finds the lock held
 * @returns a function that releases the lock
 * @throws LockedError when a live process has it
 */
export async function lock(path: string, served = ''): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return lockPipe(path, served);
  const beside = { directory: dirname(path), stem: short(basename(path)), served };
  try {
    return await lockIn(beside);
  } catch (error) {
    if (!NO_SOCKETS.includes((error as NodeJS.ErrnoException).code!)) throw error;
    return lockIn({ directory: await realpath(tmpdir()), stem: `hornbook-${digest(path)}`, served });
  }
}

/** Whether a live process has the lock of a file, by its real path, or is about to take it. */
export async function isLocked(path: string): Promise<boolean> {
  if (process.platform === 'win32')
    return ask(pipeOf(path)).then(
      () => true,
      () => false,
    );
  const places = [
    { directory: dirname(path), stem: short(basename(path)) },
    { directory: await realpath(tmpdir()), stem: `hornbook-${digest(path)}` },
  ];
  const claims = await Promise.all(places.map(({ directory, stem }) => liveClaims(directory, stem)));
  return claims.flat().length > 0;
}

/** Where the claims of a lock are, and the prefix of their names. */
interface Place {
  directory: string;
  stem: string;
  /** Told to anybody who asks. */
  served: string;
}

async function lockIn(place: Place): Promise<() => Promise<void>> {
  for (;;) {
    const claim = await Claim.put(place);
    try {
      if (await claim.wins()) return () => claim.withdraw();
    } catch (error) {
      await claim.withdraw();
      throw error;
    }
    await claim.withdraw();
    await pause(Math.random() * AGAIN_MS);
  }
}

class Claim {
  #held = false;
  /** Connections that are asking now. */
  readonly #asking = new Set<Socket>();

  private constructor(
    private readonly place: Place,
    private readonly name: string,
    private readonly server: Server,
  ) {
    server.on('connection', (socket) => {
      this.#asking.add(socket);
      socket.on('error', () => {}).on('close', () => this.#asking.delete(socket));
      socket.unref();
      socket.end(this.#held ? `${held(place.served)}\n` : 'claimed\n');
    });
  }

  /** It gets its final name only once it listens: a claim that nobody listens on counts as dead. */
  static async put(place: Place): Promise<Claim> {
    const name = `${place.stem}.lock-${process.pid}-${randomBytes(6).toString('hex')}`;
    const server = createServer();
    await reaching(place.directory, `${name}.new`, (path) => listen(server, path));
    const claim = new Claim(place, name, server);
    try {
      const path = join(place.directory, name);
      // Anybody who can see the directory may ask; they only learn that the lock is held, and where it is served.
      await chmod(`${path}.new`, 0o666);
      await rename(`${path}.new`, path);
      return claim;
    } catch (error) {
      await claim.withdraw();
      throw error;
    }
  }

  /** Whether this claim holds the lock now. If not, another claim is in the way: try again. */
  async wins(): Promise<boolean> {
    for (;;) {
      const others = await this.#others();
      const holder = others.find(({ state }) => state === 'held');
      if (holder) {
        const message = whoHolds(holder.name, join(this.place.directory, holder.name));
        throw new LockedError(message, holder.served, holder.silent);
      }
      if (others.length === 0) {
        this.#held = true;
        return true;
      }
      // The first claim by name stays, so that one of them wins.
      if (others.some(({ name }) => name < this.name)) return false;
      await pause(Math.random() * AGAIN_MS);
    }
  }

  async withdraw(): Promise<void> {
    await rm(join(this.place.directory, this.name), { force: true });
    // Do not wait for connections that are asking. They do not keep the process alive, so that waiting could end it
    // here.
    for (const socket of this.#asking) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  /** The live claims of others. Dead ones are removed. */
  #others(): Promise<({ name: string } & Found)[]> {
    const { directory, stem } = this.place;
    return liveClaims(directory, stem, this.name);
  }
}

/** The live claims of a lock, but for one. Dead ones are removed. */
async function liveClaims(directory: string, stem: string, but?: string): Promise<({ name: string } & Found)[]> {
  const all = await readdir(directory);
  const unnamed = all.filter((name) => name.endsWith('.new') && isClaim(name.slice(0, -'.new'.length), stem));
  await Promise.all(unnamed.map((name) => removeUnnamed(directory, name)));
  const names = all.filter((name) => name !== but && isClaim(name, stem));
  const found = await Promise.all(names.map(async (name) => ({ name, ...(await stateOf(directory, name)) })));
  return found.filter(({ state }) => state !== 'dead');
}

function isClaim(name: string, stem: string): boolean {
  const [begin, end] = [`${stem}.lock-`, name.slice(stem.length + 6)];
  return name.startsWith(begin) && /^\d+-[0-9a-f]{12}$/.test(end);
}

/** Remove a claim whose process died before it gave the claim its final name. A young one may be about to listen. */
async function removeUnnamed(directory: string, name: string): Promise<void> {
  const found = await lstat(join(directory, name)).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > ANSWER_MS) await stateOf(directory, name).catch(() => {});
}

/** What is known of a claim, and where its process serves what it holds. */
interface Found {
  state: 'held' | 'claimed' | 'dead';
  served?: string;
  /** It did not answer in time. */
  silent?: boolean;
}

/** Ask the process of a claim for its state; remove the claim if the process is dead. */
async function stateOf(directory: string, name: string): Promise<Found> {
  const path = join(directory, name);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSocket()) return { state: 'dead' };
  try {
    const reply = await reaching(directory, name, ask);
    // A claim that has just gone says nothing; it is looked at again.
    if (reply === '' || reply === 'claimed\n') return { state: 'claimed' };
    return { state: 'held', served: servedIn(reply), silent: reply === LATE };
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ECONNREFUSED':
        // A claim that another user left may not be removable; it is dead all the same.
        await rm(path, { force: true }).catch(() => {});
        return { state: 'dead' };
      case 'ENOENT':
        return { state: 'dead' };
      case 'ECONNRESET':
        return { state: 'claimed' };
      case 'EACCES':
      case 'EPERM':
        return { state: 'held' };
      case 'EAGAIN':
        return { state: 'held', silent: true };
      default:
        throw error;
    }
  }
}

/** Read what a process says on a socket. One that says nothing in time is stopped or busy. */
function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(path);
    const done = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('utf8').setTimeout(ANSWER_MS, () => done(LATE));
    socket.on('data', (text) => (reply += text));
    socket.on('end', () => done(reply));
    socket.on('error', reject);
  });
}

/** Use a socket in a directory, through a shorter path if its own is too long. */
async function reaching<T>(directory: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= PATH_BYTES) return use(path);
  const way = await mkdtemp('/tmp/hornbook-');
  const link = join(way, 'd');
  await symlink(directory, link);
  try {
    return await use(join(link, name));
  } finally {
    await unlink(link);
    await rmdir(way);
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    // With `node:cluster`, the worker must own the socket itself. `unref`, so that it does not keep the process alive.
    server.listen({ path, exclusive: true }, resolve).unref();
  });
}

/** The pipe of a book. On Windows, paths that differ only in case name the same file. */
export const pipeOf = (path: string): string => `\\\\.\\pipe\\hornbook-${digest(path.toLowerCase())}`;

/** A named pipe has one first instance, which the system closes when its process ends. */
async function lockPipe(path: string, served: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.on('error', () => {}).end(`${held(served)}\n`));
  const pipe = pipeOf(path);
  try {
    await listen(server, pipe);
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code!)) throw error;
    const reply = await ask(pipe).catch(() => '');
    throw new LockedError(
      'another process has it open; end that process first, or give this one another file',
      servedIn(reply),
      reply === LATE,
    );
  }
  return () => new Promise((closed) => server.close(() => closed()));
}

function whoHolds(name: string, path: string): string {
  const [, id] = /-(\d+)-[0-9a-f]+$/.exec(name)!;
  return `process ${id} has it open; end that process first, or give this one another file (${path} is its lock)`;
}

const held = (served: string): string => (served ? `held ${served}` : 'held');
const servedIn = (reply: string): string | undefined => /^held (.+)\n$/.exec(reply)?.[1];
const short = (name: string): string => (Buffer.byteLength(name) <= STEM_BYTES ? name : digest(name));
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
