/** Where a process listens for others of its user: a socket in a folder that nobody else may look into. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Paths of sockets have at most so many bytes, on all systems; the name of one has 17. */
const FOLDER_BYTES = 80;

/** A path on which nobody listens yet. */
export async function privateSocket(): Promise<string> {
  const name = randomBytes(6).toString('hex');
  if (process.platform === 'win32') return `\\\\.\\pipe\\hornbook-${name}`;
  const folder = await privateFolder();
  await sweep(folder);
  return join(folder, `${name}.sock`);
}

/** Whether only this user can have put a socket there. */
export async function isPrivate(path: string): Promise<boolean> {
  return process.platform === 'win32' || isOwn(dirname(path));
}

async function privateFolder(): Promise<string> {
  const uid = process.getuid!();
  const places = [process.env.XDG_RUNTIME_DIR, await realpath(tmpdir()), '/tmp'];
  for (const place of places) {
    if (!place || Buffer.byteLength(place) + 1 + `hornbook-${uid}`.length > FOLDER_BYTES) continue;
    const folder = join(place, `hornbook-${uid}`);
    await mkdir(folder, { mode: 0o700 }).catch(() => {});
    if (await isOwn(folder)) return folder;
  }
  // Somebody else has the name there.
  return mkdtemp('/tmp/hornbook-');
}

async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return !!found?.isDirectory() && found.uid === process.getuid!() && (found.mode & 0o077) === 0;
}

/** Remove what processes that were killed have left. */
async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sock'));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (await isDead(path)) await rm(path, { force: true }).catch(() => {});
    }),
  );
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
