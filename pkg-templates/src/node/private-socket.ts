/** Where a process listens for others of the same user: a socket in a folder that nobody else can look into. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The limit for the folder, given that socket paths are limited on all systems and a socket's name has 17 bytes. */
const FOLDER_BYTES = 80;

/** A path on which nobody listens yet. */
export async function privateSocket(): Promise<string> {
  const name = randomBytes(6).toString('hex');
  if (process.platform === 'win32') return `\\\\.\\pipe\\hornbook-${name}`;
  const folder = await privateFolder();
  await sweep(folder);
  return join(folder, `${name}.sock`);
}

/** Whether only this user can have created a socket there. */
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
  // Somebody else has taken the name.
  return mkdtemp('/tmp/hornbook-');
}

async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return !!found?.isDirectory() && found.uid === process.getuid!() && (found.mode & 0o077) === 0;
}

/** Remove the sockets of processes that were killed. */
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
