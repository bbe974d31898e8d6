/** The language server, over any connection. */
import {
  type CodeAction,
  type CodeLens,
  type Diagnostic,
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  type CancellationToken,
  type Connection,
  type InitializeResult,
  type ServerCapabilities,
  type TextDocumentPositionParams,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from './analysis.js';
import { completions } from './complete.js';
import { diagnosticsOf, kindOf } from './diagnostics.js';
import type { Ground } from './ground.js';
import { hoverAt } from './hover.js';
import { Index } from './index.js';
import {
  definitionsAt,
  documentSymbols,
  foldingRanges,
  highlightsAt,
  referencesAt,
  workspaceSymbols,
} from './navigate.js';
import { atomText } from './names.js';
import { Asker, writtenQueries, type Ask, type More, type Prove } from './queries.js';
import { renameable, renamed } from './rename.js';
import { LEGEND, tokensOf } from './tokens.js';

/** How long to wait after the last keystroke before checking a document, in milliseconds. */
const PAUSE_MS = 250;

/** What an editor may say about itself beyond the protocol. */
interface Settings {
  /** Whether it has the commands that the code lenses use. */
  lenses?: boolean;
}

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: [':'] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  renameProvider: { prepareProvider: true },
  semanticTokensProvider: { legend: LEGEND, full: true },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
};

/** Serve the editor at the other end until it closes the connection. */
export function serveEditor(connection: Connection, ground: Ground): void {
  const documents = new TextDocuments(TextDocument);
  const index = new Index(ground);
  const asker = new Asker(ground, index);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let folders: string[] = [];
  let watches = false;
  /** Resolves when the files of the workspace have been read. */
  let reading: Promise<void> = Promise.resolve();

  connection.onInitialize(({ workspaceFolders, rootUri, capabilities, initializationOptions }): InitializeResult => {
    folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    const { lenses = false } = (initializationOptions ?? {}) as Settings;
    return {
      serverInfo: { name: 'hornbook' },
      capabilities: { ...CAPABILITIES, ...(lenses && { codeLensProvider: {} }) },
    };
  });

  connection.onInitialized(async () => {
    const watchers = [{ globPattern: '**/*.{pl,prolog,plt}' }];
    if (watches) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    reading = ground.files.list(folders).then(refresh);
    await reading;
  });

  connection.onDidChangeWatchedFiles(({ changes }) => refresh(changes.map(({ uri }) => uri)));

  async function refresh(uris: string[]): Promise<void> {
    await index.refresh(uris);
    // Predicates that were undefined may be defined now.
    for (const document of documents.all()) checkSoon(document);
  }

  function checkSoon(document: TextDocument): void {
    clearTimeout(timers.get(document.uri));
    timers.set(
      document.uri,
      setTimeout(() => void check(document), PAUSE_MS),
    );
  }

  async function check({ uri }: TextDocument): Promise<void> {
    const document = documents.get(uri);
    if (!document) return;
    const { version } = document;
    const diagnostics = await diagnosticsOf(document, index, ground);
    if (documents.get(uri)?.version === version) await connection.sendDiagnostics({ uri, version, diagnostics });
  }

  documents.onDidChangeContent(({ document }) => checkSoon(document));
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
    void index.close(uri);
  });

  /** The document of a request, if it is Prolog or a DML program. */
  async function read(uri: string): Promise<Analysis | undefined> {
    const document = documents.get(uri);
    const kind = document && kindOf(document, document.getText());
    return document && (kind === 'prolog' || kind === 'dml') ? index.analysed(document) : undefined;
  }

  /** The answer to a request about a document, or `none` if there is no such document. */
  function about<P extends { textDocument: { uri: string } }, T>(
    none: T,
    answer: (a: Analysis, p: P) => T | Promise<T>,
  ) {
    return async (params: P): Promise<T> => {
      const analysis = await read(params.textDocument.uri);
      return analysis ? answer(analysis, params) : none;
    };
  }
  /** The same for requests whose answer depends on other files: they wait until the workspace has been read. */
  function across<P extends { textDocument: { uri: string } }, T>(
    none: T,
    answer: (a: Analysis, p: P) => T | Promise<T>,
  ) {
    const asked = about(none, answer);
    return async (params: P): Promise<T> => {
      await reading;
      return asked(params);
    };
  }
  const offset = ({ document }: Analysis, { position }: TextDocumentPositionParams) => document.offsetAt(position);

  connection.onCompletion(({ textDocument, position }) => {
    const document = documents.get(textDocument.uri);
    const kind = document && kindOf(document, document.getText());
    return kind === 'prolog' || kind === 'dml' ? completions(document!, position, index, ground) : null;
  });
  connection.onHover(about(null, (analysis, params) => hoverAt(analysis, offset(analysis, params), index)));
  connection.onDefinition(across([], (analysis, params) => definitionsAt(analysis, offset(analysis, params), index)));
  connection.onReferences(
    across([], (analysis, params) =>
      referencesAt(analysis, offset(analysis, params), params.context.includeDeclaration, index),
    ),
  );
  connection.onDocumentHighlight(
    about([], (analysis, params) => highlightsAt(analysis, offset(analysis, params), index)),
  );
  connection.onDocumentSymbol(about([], documentSymbols));
  connection.onWorkspaceSymbol(async ({ query }) => {
    await reading;
    return workspaceSymbols(query, index);
  });
  connection.onFoldingRanges(about([], foldingRanges));
  connection.onPrepareRename(about(null, (analysis, params) => renameable(analysis, offset(analysis, params), index)));
  connection.onRenameRequest(
    across(null, async (analysis, params) => ({
      changes: await renamed(analysis, offset(analysis, params), params.newName, index),
    })),
  );
  connection.languages.semanticTokens.on(about({ data: [] }, (analysis) => tokensOf(analysis, index)));
  connection.onCodeAction(({ textDocument: { uri }, context }) =>
    context.diagnostics.flatMap((diagnostic) => {
      const name = documents.get(uri)?.getText(diagnostic.range) ?? '';
      return quickFix(uri, diagnostic, name) ?? [];
    }),
  );
  connection.onCodeLens(about([], lensesOf));

  connection.onRequest('hornbook/ask', (params: Ask, token: CancellationToken) => asker.ask(params, signalOf(token)));
  connection.onRequest('hornbook/more', (params: More, token: CancellationToken) =>
    asker.more(params, signalOf(token)),
  );
  connection.onRequest('hornbook/prove', (params: Prove, token: CancellationToken) =>
    asker.prove(params, signalOf(token)).catch((error: Error) => {
      throw error instanceof ResponseError ? error : new ResponseError(-32000, error.message);
    }),
  );

  documents.listen(connection);
  connection.listen();
}

/** What asks, proves and pins the queries that are written in a text. */
function lensesOf(analysis: Analysis): CodeLens[] {
  return writtenQueries(analysis).flatMap(({ goal, range }) => {
    const asked = { uri: analysis.uri, goal, line: range.start.line };
    return [
      { range, command: { title: '$(play) Ask', command: 'hornbook.ask', arguments: [asked] } },
      { range, command: { title: 'Why?', command: 'hornbook.why', arguments: [asked] } },
      { range, command: { title: 'Pin', command: 'hornbook.pin', arguments: [asked] } },
    ];
  });
}

function quickFix(uri: string, diagnostic: Diagnostic, name: string): CodeAction | undefined {
  const fix = fixOf(diagnostic, name);
  return (
    fix && {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: true,
      edit: { changes: { [uri]: [{ range: diagnostic.range, newText: fix.text }] } },
    }
  );
}

/** What would mend a problem at `name`. */
function fixOf({ code, data }: Diagnostic, name: string): { title: string; text: string } | undefined {
  if (code === 'singleton') return { title: `Write _${name}: an intentional singleton`, text: `_${name}` };
  const { meant } = (data ?? {}) as { meant?: string };
  return code === 'undefined' && meant !== undefined && meant !== name
    ? { title: `Write ${meant}`, text: atomText(meant) }
    : undefined;
}

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
