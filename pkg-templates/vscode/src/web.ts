/**
 * The extension in a browser: the language server is a worker, and the agents' book is kept by the browser or on a
 * `hornbook serve` server.
 */
import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import { activateWith } from './extension.js';
import { isServed } from '../../../pkg/served-store.js';
import type { Contents } from './engines.js';
import { FILES } from './parts.js';
import type { Begin } from './server-worker.js';

/** The most files to read, and the largest size of each, in bytes. */
const MOST_FILES = 2000;
const LARGEST = 1 << 20;

interface Tool {
  name: string;
}

export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri } = context;
  const bytes = (...path: string[]) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, ...path));
  // Editors that serve extensions from another origin do not let workers load from there, so everything goes through
  // the editor.
  const startWorker = async (): Promise<MessageTransports> => {
    const script = new Blob([(await bytes('dist', 'server-worker.js')).slice()], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(script));
    const contents = await Promise.all(FILES.map(async (name) => [name, (await bytes('server', name)).slice().buffer]));
    await begun(worker, { contents: Object.fromEntries(contents) as Contents, book: agentsBook() });
    // The editor's Worker class may differ from the class of its workers, so do not rely on the client to recognize
    // one.
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  let client: LanguageClient | undefined;
  activateWith(context, (options) => {
    client = new LanguageClient('hornbook', 'Hornbook', startWorker, options);
    client.onRequest('hornbook/files', async () =>
      (await vscode.workspace.findFiles('**/*.{pl,prolog,plt}', '**/node_modules/**', MOST_FILES)).map(String),
    );
    client.onRequest('hornbook/read', ({ uri }: { uri: string }) => read(vscode.Uri.parse(uri)));
    return client;
  });
  context.subscriptions.push(
    vscode.commands.registerCommand('hornbook.review', () =>
      vscode.window.showInformationMessage('A book of the workspace is reviewed in an editor on a desktop.'),
    ),
  );
  if (!vscode.workspace.getConfiguration('hornbook.agents').get('enabled', true)) return;
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      // The worker holds the book.
      if (event.affectsConfiguration('hornbook.agents.book')) void vscode.commands.executeCommand('hornbook.restart');
    }),
  );
  const { contributes } = context.extension.packageJSON as { contributes: { languageModelTools: Tool[] } };
  for (const { name } of contributes.languageModelTools) {
    const tool: vscode.LanguageModelTool<Record<string, unknown>> = {
      async invoke({ input }, token) {
        const params = { name: name.replace(/^hornbook_/, ''), input };
        const text = await client!.sendRequest<string>('hornbook/tool', params, token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    };
    context.subscriptions.push(vscode.lm.registerTool(name, tool));
  }
}

/** The address of a book on a server, or the name under which the browser keeps one for this workspace. */
function agentsBook(): string {
  const book = vscode.workspace.getConfiguration('hornbook.agents').get('book', '').trim();
  return isServed(book) ? book : `vscode ${vscode.workspace.workspaceFolders?.[0]?.uri ?? ''}`;
}

/** Resolves when the worker has loaded what it needs. */
function begun(worker: Worker, begin: Begin): Promise<void> {
  return new Promise((resolve, reject) => {
    const ready = ({ data }: MessageEvent<unknown>) => {
      if (data !== 'ready') return;
      worker.removeEventListener('message', ready);
      resolve();
    };
    worker.addEventListener('message', ready);
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
    worker.postMessage(begin);
  });
}

async function read(uri: vscode.Uri): Promise<string | null> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > LARGEST ? null : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}
