/**
 * Which pages hold a stream of a server. Over HTTP/1.1 a browser has six connections to a server, for all its tabs together,
 * and what would take a seventh waits for ever.
 */

/** So many hold one; what is left is for other requests. */
const STREAMS = 4;

/** Whether this page may hold a stream of the server from now on, until `over`. */
export async function streamSlot(origin: string, over: AbortSignal): Promise<boolean> {
  // Pages that came over plain http from another machine have no locks, and cannot know how many hold one.
  if (navigator.locks === undefined) return false;
  for (let slot = 0; slot < STREAMS; slot++) if (await held(`hornbook: stream ${slot} of ${origin}`, over)) return true;
  return false;
}

/** Whether the lock was free. It is held until `over`, or until the page is gone. */
const held = (name: string, over: AbortSignal): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock && !over.aborted && new Promise((end) => over.addEventListener('abort', end));
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
