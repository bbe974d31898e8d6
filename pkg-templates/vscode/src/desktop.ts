/** The extension on a desktop: the language server is the command `hornbook lsp`, run by the editor's own Node. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { isServed } from '../../../pkg/served-store.js';
import { activateWith } from './extension.js';
import { ReviewView } from './review.js';

/** Makes the editor's executable act as Node. */
const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' };

export function activate(context: vscode.ExtensionContext): void {
  const bin = context.asAbsolutePath(join('server', 'bin.js'));
  activateWith(context, (options) => {
    const run = {
      command: process.execPath,
      args: [bin, 'lsp'],
      options: { env: { ...process.env, ...AS_NODE } },
    };
    return new LanguageClient('hornbook', 'Hornbook', run, options);
  });
  context.subscriptions.push(new ReviewView(context));
  offerServer(context, bin);
}

/** Offer the MCP server, one per workspace folder, with the book of that folder. */
function offerServer(context: vscode.ExtensionContext, bin: string): void {
  const changed = new vscode.EventEmitter<void>();
  const { version } = context.extension.packageJSON as { version: string };
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('hornbook.agents')) changed.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider('hornbook.server', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
        const several = folders.length > 1;
        return folders.flatMap(({ uri, name }) => {
          const settings = vscode.workspace.getConfiguration('hornbook.agents', uri);
          if (!settings.get('enabled', true)) return [];
          const book = settings.get('book', '').trim();
          const tools = settings.get<string[]>('tools', ['prolog']);
          const args = [bin, '--root', uri.fsPath, '--tools', tools.join(',')];
          if (book) args.push('--book', isServed(book) ? book : join(uri.fsPath, book));
          const label = several ? `Hornbook: ${name}` : 'Hornbook';
          const server = new vscode.McpStdioServerDefinition(label, process.execPath, args, AS_NODE, version);
          server.cwd = uri;
          return [server];
        });
      },
      async resolveMcpServerDefinition(server) {
        // The server is about to be started.
        const { args } = server as vscode.McpStdioServerDefinition;
        const book = args.includes('--book') ? args[args.indexOf('--book') + 1]! : undefined;
        if (book !== undefined && !isServed(book)) await mkdir(dirname(book), { recursive: true });
        return server;
      },
    }),
  );
}
