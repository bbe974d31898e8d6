/** The language server in a browser's worker. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { Client } from '../../../pkg/client.js';
import { checksOn } from '../../../pkg/lsp/checks.js';
import { serveEditor } from '../../../pkg/lsp/server.js';
import { isServed } from '../../../pkg/served-store.js';
import { creator, type Contents } from './engines.js';
import type { PageHornbook } from '../../../pkg/page/page.js';

/** The first message from the extension. */
export interface Begin {
  contents: Contents;
  /** The address of the agents' book on a server, or the name under which the browser keeps it. */
  book: string;
}

self.addEventListener('message', ({ data }: MessageEvent<Begin>) => void begin(data), { once: true });

/** If the browser does not keep the book, it lives in memory. A book on a server has no such fallback. */
async function open(create: ReturnType<typeof creator>, book: string): Promise<PageHornbook> {
  try {
    return await create({ book });
  } catch (error) {
    if (!isServed(book)) return create({});
    const { message } = error as Error;
    throw new Error(
      `${message} The server lets this editor in when it allows its origin: hornbook serve --origin ${self.origin}`,
    );
  }
}

async function begin({ contents, book }: Begin): Promise<void> {
  const create = creator(contents);
  const page = await create({});
  let asking: ReturnType<typeof create> | undefined;
  let tools: Promise<Client> | undefined;
  const worker = self as unknown as Worker;
  const connection = createConnection(new BrowserMessageReader(worker), new BrowserMessageWriter(worker));
  connection.onRequest('hornbook/tool', async ({ name, input }: { name: string; input: Record<string, unknown> }) => {
    tools ??= open(create, book).then(({ hornbook }) => new Client(hornbook, 'hornbook agent'));
    // The server may be back for the next call.
    tools.catch(() => (tools = undefined));
    return (await (await tools).callTool(name, input)).text;
  });
  serveEditor(connection, {
    reader: page.hornbook,
    async asker() {
      asking ??= create({});
      return (await asking).hornbook;
    },
    ...checksOn(page.host, () => page.hornbook),
    files: {
      list: () => connection.sendRequest('hornbook/files'),
      read: async (uri) => (await connection.sendRequest<string | null>('hornbook/read', { uri })) ?? undefined,
    },
  });
  self.postMessage('ready');
}
