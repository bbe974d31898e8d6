/** Opening a book: its options, and what both hosts do alike. */
import type { Embed, Options } from '../full/hornbook.js';
import { functionArgument, objectArgument, optional, textArgument } from './arguments.js';
import type { FunctionSource, HttpSource, ToolSource } from '../node/data/asked.js';
import type { Book } from './book.js';
import { HornbookError } from './error.js';
import type { HostPredicate } from './predicates.js';

/** How a book is opened; all are optional. */
export interface BookOptions extends Options {
  /**
   * Directories whose files may be imported, and read by goals (docs/documents.md). Default: in Node the current
   * directory, in a page none. For goals of people you do not trust, `[]`.
   */
  roots?: string[];
  /**
   * Where the book is kept: a file in Node, a name in IndexedDB in a page, or in either the address of its log on a
   * server, `http://HOST:PORT/log/NAME`. Without it the book lives in memory.
   */
  path?: string;
  /** The token that the server asks for. Default: none; in Node `HORNBOOK_TOKEN` of the environment. */
  token?: string;
  /** Predicates that queries may call and these functions answer, by indicator: `{ 'price/2': (item) => … }`. Default: none. */
  predicates?: Record<string, HostPredicate>;
  /**
   * In Node: the data that goals may ask, by the names that programs use (docs/data.md): addresses, as `{ shop:
   * 'orders.parquet', erp: 'postgres://app:${ERP_PASSWORD}@HOST/DATABASE' }`, and relations of the host, which are tools of an
   * MCP server, functions, or addresses that answer with JSON. Default: none.
   */
  data?: Record<string, string | ToolSource | FunctionSource | HttpSource>;
  /**
   * Receives what Prolog writes outside queries, and notices about an operation that are not part of its result. Default:
   * they are dropped.
   */
  log?: (text: string) => void;
  /**
   * Vectors for texts, which let the memory of agents find what is said in other words, as `wordVectors` of
   * `hornbook/node` and `hornbook/web` makes them (docs/memory.md). Default: it compares words only.
   */
  embed?: Embed;
  /** In a page: the address that serves this package's files. Default: next to its modules. */
  assets?: string | URL;
}

/** Options of `openHornbook` alone. */
const BELOW = ['workspace', 'otherBooks', 'toolsOnly', 'lowers'];

/** The options that hosts read themselves, checked; the crate checks the others. */
function checked(given: unknown): BookOptions {
  if (given === undefined) return {};
  const options = objectArgument(given, 'What openBook takes', "{ path: 'agent.book' }");
  if ('book' in options)
    throw new HornbookError('invalid_argument', 'There is no option `book`: where a book is kept is its `path`.');
  const below = BELOW.find((name) => name in options);
  if (below)
    throw new HornbookError(
      'invalid_argument',
      `There is no option \`${below}\` of openBook: openHornbook of hornbook/node has it, for serving MCP.`,
    );
  if (optional(options.path, '`path`', textArgument) === '')
    throw new HornbookError('invalid_argument', '`path` is empty; leave it out for a book in memory.');
  optional(options.token, '`token`', textArgument);
  optional(options.log, '`log`', functionArgument);
  const predicates = (value: unknown, what: string) => objectArgument(value, what, "{ 'price/2': (item) => … }");
  for (const [name, answer] of Object.entries(optional(options.predicates, '`predicates`', predicates) ?? {}))
    functionArgument(answer, `\`predicates\`: ${name}`);
  optional(options.embed, '`embed`', functionArgument);
  optional(options.data, '`data`', (value, what) => objectArgument(value, what, "{ shop: 'orders.parquet' }"));
  return options as BookOptions;
}

/** Open a book with these options, once they are checked; what is thrown becomes a {@link HornbookError}. */
export async function opening(given: unknown, open: (options: BookOptions) => Promise<Book>): Promise<Book> {
  try {
    return await open(checked(given));
  } catch (error) {
    throw HornbookError.from(error, error instanceof TypeError ? 'invalid_argument' : 'failed');
  }
}

/**
 * Wait until the engine has the host predicates.
 *
 * @throws HornbookError of the kind `invalid_argument` if one of them has the name of a SWI-Prolog predicate
 */
export async function whenReady(book: Book, predicates: Record<string, HostPredicate>): Promise<Book> {
  try {
    await book.once('true');
    return book;
  } catch (error) {
    await book.close();
    const { message } = error as HornbookError;
    const taken = Object.keys(predicates).find((name) =>
      [':', '.'].some((end) => message.includes(`procedure ${name}${end}`)),
    );
    if (taken === undefined) throw error;
    const why = `predicates: ${taken} is built in. Choose another name.`;
    throw new HornbookError('invalid_argument', why, undefined, undefined, { cause: error });
  }
}
