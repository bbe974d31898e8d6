/** `hornbook lsp`: the language server, for editors that start it as a process. */
import { checksOn } from '../lsp/checks.js';
import { nodeFiles } from '../lsp/files.js';
import { installed } from '../node/languages.js';
import { NodeHost, openHornbook } from '../node/open.js';

/**
 * Serve the editor on standard input and output. The process ends when the editor says so or goes away.
 *
 * @param log receives what Prolog writes outside queries
 */
export async function serveLanguage(log: (text: string) => void): Promise<void> {
  const { hornbook: reader } = await openHornbook({ roots: [] }, log);
  const host = new NodeHost(log);
  let asking: ReturnType<typeof openHornbook> | undefined;
  // The path is in a variable so that the types come from the bundle's source.
  const bundle = '../lsp/server.bundle.js';
  const { serveStdio } = (await import(bundle)) as typeof import('../lsp/stdio.js');
  serveStdio({
    reader,
    async asker() {
      asking ??= openHornbook({ roots: [] }, log);
      return (await asking).hornbook;
    },
    ...checksOn(host, () => reader, installed()),
    files: nodeFiles,
  });
  // The connection ends the process.
  await new Promise<never>(() => {});
}
