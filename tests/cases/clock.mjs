// Loaded into a server before its own code (`--import`): its clock is ahead by the milliseconds in the file that
// TEST_CLOCK names.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const file = process.env.TEST_CLOCK;
  const now = Date.now;
  Date.now = () => now() + Number(readFileSync(file, 'utf8'));
}
