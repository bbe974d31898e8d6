/** The extension on any platform; `desktop.ts` and `web.ts` start its language server. */
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { AnswersBeside } from './answers.js';
import { Proofs } from './proofs.js';
import { QueriesView } from './view.js';

const LANGUAGES = ['prolog', 'dml', 'hornbook-workflow', 'yaml'];

/** Starts the language server. */
export type StartClient = (options: LanguageClientOptions) => BaseLanguageClient;

export function activateWith(context: vscode.ExtensionContext, start: StartClient): void {
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationOptions: { lenses: true },
    outputChannelName: 'Hornbook',
  };
  let running: Promise<BaseLanguageClient> | undefined;
  const client = (): Promise<BaseLanguageClient> => {
    running ??= started(start(options));
    running.catch(() => (running = undefined));
    return running;
  };
  const proofs = new Proofs(client);
  context.subscriptions.push(
    proofs,
    new AnswersBeside(client, proofs),
    new QueriesView(context),
    vscode.commands.registerCommand('hornbook.restart', async () => {
      await (await running)?.dispose();
      running = undefined;
      await client();
    }),
    vscode.workspace.onDidOpenTextDocument(leavePerl),
    { dispose: () => void running?.then((client) => client.dispose()) },
  );
  for (const document of vscode.workspace.textDocuments) leavePerl(document);
  client().catch((error: Error) => vscode.window.showErrorMessage(`Hornbook could not start: ${error.message}`));
}

async function started(client: BaseLanguageClient): Promise<BaseLanguageClient> {
  await client.start();
  return client;
}

/** Perl files are called `.pl`, too. */
function leavePerl(document: vscode.TextDocument): void {
  if (document.languageId !== 'prolog') return;
  const begin = document.getText(new vscode.Range(0, 0, 30, 0));
  if (/^#!.*\bperl\b|^[ \t]*use (?:strict|warnings|v?5)\b.*;|^[ \t]*package [\w:]+;/m.test(begin))
    void vscode.languages.setTextDocumentLanguage(document, 'perl');
}
