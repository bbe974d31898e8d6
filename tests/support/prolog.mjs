// Hornbook's own Prolog for a test that runs swipl-wasm itself.
import { dirname } from 'node:path/posix';
import { prologSources } from '../../scripts/build.mjs';

/** Writes the files of prolog/ to /hornbook/prolog in `FS`, the file system of a swipl-wasm. */
export function writeProlog(FS) {
  for (const [path, text] of Object.entries(prologSources())) {
    const file = `/hornbook/prolog/${path}`;
    FS.mkdirTree(dirname(file));
    FS.writeFile(file, text);
  }
}
