// One of several processes that want the same lock: it tries when it is given a path, and reports whether it got it.
import { LockedError, lock } from '../../pkg/node/lock.js';

let release;
process.on('message', async (path) => {
  await release?.();
  release = undefined;
  if (path === 'release') return process.send('released');
  try {
    release = await lock(path);
    process.send('held');
  } catch (error) {
    process.send(error instanceof LockedError ? error.message : `failed: ${error.stack}`);
  }
});
process.send('ready');
