/** A directory of this machine as the folder of a run. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Folder } from './folders.js';
import { NodeFiles, orFault } from './node.js';

export class NodeFolder extends NodeFiles implements Folder {
  readonly root: string;

  constructor(path: string) {
    super();
    this.root = resolve(path);
  }

  async writeFile(path: string, text: string): Promise<void> {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
    const file = await orFault(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666));
    try {
      await orFault(file.writeFile(text));
    } finally {
      await file.close();
    }
  }
}
