/** A lock between processes: a file that names the process that has it. */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** How often, and after how many milliseconds, a lock is read again that its process has not finished writing. */
const UNFINISHED = { times: 20, pause: 50 };

/** The lock is another's; the message is a part of a sentence that says whose. */
export class LockedError extends Error {}

/**
 * Take the lock, also from a process that is dead. The lock of a dead process is taken over under a lock of its own,
 * so that two processes never take it over at the same time.
 *
 * @returns releases the lock
 * @throws LockedError when a process that lives has it
 */
export async function lock(path: string): Promise<() => void> {
  const release = () => rmSync(path, { force: true });
  if (create(path)) return release;
  const before = await holder(path);
  if (before === undefined) return lock(path);
  if (isAlive(before)) {
    throw new LockedError(`process ${before.split(' ')[0]} has it open; end that process first, or give this one another file (${path} is its lock)`);
  }
  const done = await lock(`${path}.takeover`);
  try {
    // Another process may have been faster.
    if ((await holder(path)) !== before) return await lock(path);
    writeFileSync(path, identity());
    return release;
  } finally {
    done();
  }
}

/** Whether the file was not there and now names this process. */
function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeFileSync(file, identity());
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** What the lock says; a process that died while it wrote the lock has left only a part of a line. */
async function holder(path: string): Promise<string | undefined> {
  let text = '';
  for (let time = 0; time < UNFINISHED.times; time += 1) {
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    if (text.endsWith('\n')) break;
    await new Promise((resolve) => setTimeout(resolve, UNFINISHED.pause));
  }
  return text;
}

function identity(): string {
  return `${process.pid} ${startOf(process.pid) ?? ''}\n`;
}

/** Ids of processes are used again: where the system tells when a process was started, it must be that one. */
function isAlive(holder: string): boolean {
  const [, id, start] = /^(\d+) (\d*)\n$/.exec(holder) ?? [];
  if (id === undefined) return false;
  try {
    process.kill(Number(id), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = startOf(Number(id));
  return !start || started === undefined || started === start;
}

/** When a process was started, in ticks of the system's clock; `undefined` where the system does not tell. */
function startOf(id: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name of the command, in parentheses, may hold anything; the start is the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
