/** The language server in a worker of a browser. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { Client } from '../../../pkg/client.js';
import { checksOn } from '../../../pkg/lsp/checks.js';
import { serveEditor } from '../../../pkg/lsp/server.js';
import { creator, type Contents } from './engines.js';

/** The first message of the extension. */
export interface Begin {
  contents: Contents;
  /** Under which name the browser keeps the agents' book. */
  book: string;
}

self.addEventListener('message', ({ data }: MessageEvent<Begin>) => void begin(data), { once: true });

async function begin({ contents, book }: Begin): Promise<void> {
  const create = creator(contents);
  const page = await create({});
  let asking: ReturnType<typeof create> | undefined;
  let tools: Promise<Client> | undefined;
  const worker = self as unknown as Worker;
  const connection = createConnection(new BrowserMessageReader(worker), new BrowserMessageWriter(worker));
  connection.onRequest('hornbook/tool', async ({ name, input }: { name: string; input: Record<string, unknown> }) => {
    tools ??= create({ book })
      .catch(() => create({}))
      .then(({ hornbook }) => new Client(hornbook, 'hornbook agent'));
    return (await (await tools).callTool(name, input)).text;
  });
  serveEditor(connection, {
    reader: page.hornbook,
    async asker() {
      asking ??= create({});
      return (await asking).hornbook;
    },
    ...checksOn(page.host),
    files: {
      list: () => connection.sendRequest('hornbook/files'),
      read: async (uri) => (await connection.sendRequest<string | null>('hornbook/read', { uri })) ?? undefined,
    },
  });
  self.postMessage('ready');
}
