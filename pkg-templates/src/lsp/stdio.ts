/**
 * The language server on standard input and output. Bundled with what it needs, so that the package has no dependency.
 */
import { createConnection } from 'vscode-languageserver/node';
import type { Ground } from './ground.js';
import { serveEditor } from './server.js';

export function serveStdio(ground: Ground): void {
  serveEditor(createConnection(process.stdin, process.stdout), ground);
}
