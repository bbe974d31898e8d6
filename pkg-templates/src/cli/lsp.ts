/** `hornbook lsp`: the language server, for editors that start one as a process. */
import { checksOn } from '../lsp/checks.js';
import { nodeFiles } from '../lsp/files.js';
import { NodeHost, openHornbook } from '../node/open.js';

/**
 * Serve the editor on standard input and output; the process ends when it says so, or is gone.
 *
 * @param log takes what Prolog writes outside of queries
 */
export async function serveLanguage(log: (text: string) => void): Promise<void> {
  const { hornbook: reader } = await openHornbook({ roots: [] }, log);
  const host = new NodeHost(log);
  let asking: ReturnType<typeof openHornbook> | undefined;
  // A path in a variable: the types of the bundle are those of its source.
  const bundle = '../lsp/server.bundle.js';
  const { serveStdio } = (await import(bundle)) as typeof import('../lsp/stdio.js');
  serveStdio({
    reader,
    async asker() {
      asking ??= openHornbook({ roots: [] }, log);
      return (await asking).hornbook;
    },
    ...checksOn(host),
    files: nodeFiles,
  });
  // The connection ends the process.
  await new Promise<never>(() => {});
}
