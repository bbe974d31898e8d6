/** A directory of this machine as the folder of a run. */
import { resolve } from 'node:path';
import type { Folder } from '../dml/folders.js';
import { listReal, readReal, resolvePath, writeReal } from './files.js';

export class NodeFolder implements Folder {
  readonly root: string;
  readonly resolvePath = resolvePath;
  readonly readFile = readReal;
  readonly writeFile = writeReal;
  readonly listDirectory = listReal;

  constructor(path: string) {
    this.root = resolve(path);
  }
}
