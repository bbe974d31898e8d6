/** The command line of `hornbook serve`, and the logs and snapshots that the server on standard input takes too. */
import type { Options } from '../full/hornbook.js';
import { isLogs } from '../node/logs.js';
import { BOOK_NAME } from '../serve/books.js';
import { CLIENT_LIMITS } from '../serve/clients.js';
import { readBucketUrl } from '../serve/object-store.js';
import type { Bucket, Serving } from '../serve/run.js';
import type { Values } from './parse.js';
import { UsageError } from './usage.js';
import { addresses, numbers, positive } from './values.js';

/** The command line of `hornbook serve`. */
export function serving(options: Options, rest: string[], values: Values, environment: NodeJS.ProcessEnv): Serving {
  if (rest.length > 0 || !values.books === !values.log)
    throw new UsageError('hornbook serve takes the folder of the books, or their database: hornbook serve --books DIR');
  if (values.log !== undefined) logOf(values.log);
  const { host = '127.0.0.1', 'token-file': tokenFile, issuer, 'public-url': publicUrl } = values;
  const token = environment.HORNBOOK_TOKEN || undefined;
  for (const [option, text] of [
    ['--issuer', issuer],
    ['--public-url', publicUrl],
  ] as const)
    if (text !== undefined && !(/^https?:/.test(text) && URL.canParse(text)))
      throw new UsageError(`${option} takes a URL, as https://books.example, not '${text}'`);
  if (issuer !== undefined && publicUrl === undefined)
    throw new UsageError('--issuer needs --public-url, for which its tokens must be');
  if (issuer !== undefined && (tokenFile !== undefined || token !== undefined))
    throw new UsageError(`--issuer and the server's own tokens cannot be combined`);
  if (!['127.0.0.1', '::1', 'localhost'].includes(host) && !issuer && !tokenFile && !token)
    throw new UsageError(`--host ${host} lets other machines in: it needs --token-file, HORNBOOK_TOKEN or --issuer`);
  const origins = (values.origin ?? []).map((origin) => {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new UsageError(`--origin takes an origin, as https://agent.example, not '${origin}'`);
    return origin;
  });
  const seconds = (option: string, value: string | undefined, otherwise: number) =>
    1000 * (value === undefined ? otherwise : positive(option, value));
  const port = values.port ?? '8127';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port takes a number up to 65535, not '${port}'`);
  return {
    folder: values.books,
    log: values.log,
    snapshots: values.snapshots === undefined ? undefined : bucket(values.snapshots, values.log, environment),
    // No files of this machine are read unless they are named.
    options: { ...options, roots: options.roots ?? [] },
    data: addresses(values.data, environment),
    host,
    port: Number(port),
    tokenFile,
    token,
    issuer,
    publicUrl,
    origins,
    client: { ...CLIENT_LIMITS, ...numbers('--client', Object.keys(CLIENT_LIMITS), values.client) },
    books: {
      open: values['open-books'] === undefined ? 32 : positive('--open-books', values['open-books']),
      idleMs: seconds('--idle', values.idle, 300),
    },
    graceMs: seconds('--grace', values.grace, 30),
  };
}

/** Check that this is the address of a log server and, if a book is given, that its name is valid there. */
export function logOf(url: string, book = 'book'): void {
  if (!isLogs(url))
    throw new UsageError(
      '--log takes the address of a database, as postgres://db.example/hornbook, or of NATS, as nats://nats.example/?monitor=http://nats.example:8222',
    );
  if (!BOOK_NAME.test(book))
    throw new UsageError('with --log, --book is a name: lower-case letters, digits, - and _, at most 64');
}

export function bucket(url: string, log: string | undefined, environment: NodeJS.ProcessEnv): Bucket {
  const address = readBucketUrl(url);
  if (!address)
    throw new UsageError(
      `--snapshots takes the address of a bucket, as s3://books/snapshots?endpoint=https://s3.example&region=eu-1, not '${url}'`,
    );
  if (log === undefined) throw new UsageError('--snapshots requires --log; books in files need none');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError('--snapshots needs a key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  return { address, accessKeyId, secretAccessKey, sessionToken: environment.AWS_SESSION_TOKEN || undefined };
}
