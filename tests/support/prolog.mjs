// Hornbook's own Prolog, for tests that run swipl-wasm themselves.
import { dirname } from 'node:path/posix';
import { prologSources } from '../../scripts/build.mjs';

/** Write the files of prolog/ to /hornbook/prolog in `FS`, the file system of a swipl-wasm instance. */
export function writeProlog(FS) {
  for (const [path, text] of Object.entries(prologSources())) {
    const file = `/hornbook/prolog/${path}`;
    FS.mkdirTree(dirname(file));
    FS.writeFile(file, text);
  }
}
