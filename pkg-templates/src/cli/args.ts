/** The command line of `hornbook`. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Options } from '../full/hornbook.js';
import { LIMITS, type Limits } from '../generated/limits.js';
import type { Evaluation } from './eval.js';
import type { Flow } from './flow.js';
import type { Init } from './init.js';
import type { Transfer } from './memory.js';
import type { Program } from './run.js';
import { BOOK_NAME } from '../serve/books.js';
import type { Embedding } from '../node/embed.js';
import { isLogs } from '../node/logs.js';
import { isServed } from '../served-store.js';
import { CLIENT_LIMITS } from '../serve/clients.js';
import { readBucketUrl } from '../serve/object-store.js';
import type { Bucket, Serving } from '../serve/run.js';
import { readJson } from '../workflow/json.js';
import { UsageError } from './usage.js';

export const HELP = `Usage:
  hornbook [options]                    serve MCP on standard input and output
  hornbook serve --books DIR [options]  serve the books of a folder over HTTP, each at /mcp/NAME
  hornbook ask [options] FILE... GOAL   import the files, ask the goal, print the answers
  hornbook run [options] FILE           run a DML program; with --help, list its parameters
  hornbook check [options] FILE...      report the errors of DML programs
  hornbook eval [options] FILE CASES    run a DML program on cases, one JSON object per line: {"name", "params", "input", "script",
                                        "expect": {"success", "answer", "output", "error"}}
  hornbook flow [options] FILE          run a workflow and print its final state
  hornbook init [options] [HOST...]     add the server to the configuration of MCP hosts: all that are found, or
                                        claude, claude-code, cursor, vscode, windsurf, gemini
  hornbook lsp                          serve an editor on standard input and output: the language server for Prolog, DML
                                        programs and workflows
  hornbook memory export [FILE]         write the memory of --book as JSON Lines, one record per line
  hornbook memory import FILE           add the records of such a file, of server-memory's, or of Kairn's database

Options:
  --book PATH             keep the book in this file (default: in memory only), or use one of hornbook serve, with its token in
                          HORNBOOK_TOKEN: http://HOST:PORT/log/NAME. flow: keep the run in it; run: the program may query and change it
                          by book:Goal
  --log URL               share books between servers on any machine: postgres://HOST/DATABASE, with the npm package pg, or
                          nats://HOST/?monitor=URL, with @nats-io/transport-node and @nats-io/jetstream; passwords are read
                          from PGPASSWORD and NATS_PASSWORD. --book is then a name
  --snapshots URL         serve: with --log, keep snapshots of long books in an object store, and fetch less of the log to
                          open them: s3://BUCKET/PREFIX?endpoint=URL&region=REGION; its key is read from AWS_ACCESS_KEY_ID,
                          AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
  --root DIR              files under DIR may be imported; repeatable (default: the current directory)
  -l, --kb-libraries A,B  also load these libraries (or set KB_LIBRARIES)
  --timeout MS            time limit of a query, a run, or a node's code, in milliseconds
  --engines N             maximum number of Prolog engines per book; another one starts when a query would have to wait
                          (default: the number of processors, from 2 to 4)
  --limit NAME=N          set a limit; repeatable; NAME is one of
                          ${folded(LIMITS, 90).join('\n                          ')}
  --unknown error|fail    result of calling an undefined predicate (default: error)
  --workspace DIR         run, and the tool dml_run: let programs read and write files in DIR (default: no files)
  --dml-book read|write   let programs of the tool dml_run query the book by book:Goal, or also change it (default: neither)
  --embed URL             also search the memory by meaning, with vectors from URL/embeddings, an OpenAI-compatible endpoint; its key
                          is read from HORNBOOK_EMBED_KEY; vectors are kept in PATH.vectors, next to --book PATH
  --embed-model NAME      model for --embed
  --other-books DIR       let the memory's action crossref also search the books of DIR (NAME.book), read only
  --half-life TYPE=DAYS   days after which an experience of this type loses half its relevance, such as gotcha=120; repeatable
  --tools A,B             sets of tools to serve: prolog, dml, workflow, memory or memory-read (default: prolog)
  -n N                    ask: maximum number of answers to print (default: 10)
  --param NAME=VALUE      run, eval: a parameter of the program; repeatable; VALUE is JSON or plain text
  --model PROVIDER/MODEL  run, eval, flow: the language model, such as openai/gpt-5; needs the npm packages ai and
                          @ai-sdk/PROVIDER, which read their keys from the environment; repeat it to name fallbacks.
                          flow: the model of DML programs. NAME=PROVIDER/MODEL sets the model of with_model(NAME, Goal)
  --temperature N         run, eval: temperature of the models, unless the program sets it
  --base-url URL          run, eval, flow: address of the provider, if not the usual one
  --script FILE           run, eval, flow: script the model by a JSON file: an array of
                          {"text": TEXT, "calls": [{"tool": NAME, "args": OBJECT}]}
  --tool-file FILE        run, eval, check, flow: a JavaScript module that exports tools for exec/2, each
                          {description, parameters, execute}
  --mcp FILE              flow, run, eval, check: tools of other MCP servers, configured as in MCP hosts:
                          {"mcpServers": {NAME: {"command", "args", "env"} or {"url", "headers"}}}. flow: uses: NAME.TOOL;
                          programs: exec(NAME_TOOL(...), R)
  --repeat N              eval: run each case N times, for pass rates (default: 1)
  --jobs N                eval: concurrent runs (default: 4)
  --price [MODEL=]IN,OUT  run, eval: dollars per million input and output tokens, of MODEL or of all other models; repeatable
  --max-cost DOLLARS      run, eval: maximum cost of a run, by --price: a call that could exceed it is an error in the program,
                          and the next one ends the run
  --cache DIR             run, eval: cache the replies of models in DIR
  --record PATH           run: record the run to this file; eval: record failed runs to this directory
  --replay FILE           run: replay this recording, and continue where it ends
  --books DIR             serve: folder of the books; /mcp/NAME serves DIR/NAME.book
  --host ADDRESS          serve: address to listen on (default: 127.0.0.1; any other needs tokens)
  --port N                serve: port to listen on; 0 chooses a free one (default: 8127)
  --token-file FILE       serve: require one of these tokens, one per line (or set HORNBOOK_TOKEN)
  --issuer URL            serve: require a token of this OAuth issuer for --public-url; its scopes decide what is allowed
  --public-url URL        serve: URL that clients use, for example that of a proxy
  --origin ORIGIN         serve: allow pages of this origin, such as https://agent.example; repeatable
  --client NAME=N         serve: set a limit per client; repeatable; NAME is one of
                          ${folded(Object.keys(CLIENT_LIMITS), 90).join('\n                          ')}
  --open-books N          serve: maximum number of open books, each with its engines (default: 32)
  --idle SECONDS          serve: close a book that has not been used for this long (default: 300)
  --grace SECONDS         serve: time to finish running requests when stopped (default: 30)
  --state KEY=VALUE       flow: a value of the initial state or, with --resume, a change to the state; repeatable; VALUE is
                          JSON or plain text
  --resume RUN            flow: resume a run in the book; without FILE, with the text it was started with
  --from CHECKPOINT       flow --resume: start a new run from this checkpoint of RUN
  --runs                  flow: list the runs in the book; with --resume RUN, its checkpoints
  --watch                 flow: run again whenever the file changes
  --mermaid               flow: print the graph as a Mermaid diagram, without running it
  --yes                   init: change files without asking
  --print                 init: print the configuration, without changing files
  --stdio                 lsp: accepted because editors pass it; has no effect
  --help, --version
`;

const TOOLSETS = ['prolog', 'dml', 'memory', 'memory-read', 'workflow'];
const ANSWERS = 10;

/** Which options each command takes; the server has no name. */
const WORKSPACE = ['root', 'kb-libraries', 'timeout', 'engines', 'limit', 'unknown', 'tools'];
const OPTIONS = new Map([
  ['', [...WORKSPACE, 'book', 'log', 'workspace', 'dml-book', 'other-books', 'half-life', 'embed', 'embed-model']],
  [
    'serve',
    [
      ...[...WORKSPACE, 'books', 'host', 'port', 'log', 'snapshots', 'token-file', 'issuer', 'public-url'],
      ...['origin', 'client', 'open-books', 'idle', 'grace', 'half-life', 'dml-book'],
    ],
  ],
  ['ask', [...WORKSPACE, 'n', 'book']],
  [
    'run',
    [
      ...['param', 'model', 'temperature', 'base-url', 'script', 'tool-file', 'mcp', 'timeout', 'limit', 'workspace'],
      ...['record', 'replay', 'price', 'max-cost', 'cache', 'book'],
    ],
  ],
  ['check', ['tool-file', 'mcp']],
  [
    'eval',
    [
      ...['param', 'model', 'temperature', 'base-url', 'script', 'tool-file', 'mcp', 'timeout', 'limit', 'workspace'],
      ...['repeat', 'jobs', 'price', 'max-cost', 'cache', 'record'],
    ],
  ],
  [
    'flow',
    [
      'book',
      'state',
      'resume',
      'from',
      'runs',
      'watch',
      'mermaid',
      'timeout',
      'mcp',
      'model',
      'base-url',
      'script',
      'tool-file',
    ],
  ],
  ['init', ['root', 'book', 'tools', 'yes', 'print']],
  ['memory', ['book']],
  ['lsp', ['stdio']],
]);

/** What the user wants. */
export type Command =
  | { kind: 'help' | 'version' | 'lsp' }
  | { kind: 'serve'; serving: Serving }
  | {
      kind: 'stdio';
      options: Options;
      book: string | undefined;
      log: string | undefined;
      workspace: string | undefined;
      otherBooks: string | undefined;
      embed: Embedding | undefined;
    }
  | { kind: 'ask'; options: Options; files: string[]; goal: string; answers: number; book: string | undefined }
  | { kind: 'describe'; file: string }
  | { kind: 'run'; program: Program & { replay: string | undefined } }
  | { kind: 'eval'; evaluation: Evaluation }
  | { kind: 'check'; files: string[]; toolFile: string | undefined; mcp: string | undefined }
  | { kind: 'flow'; flow: Flow }
  | { kind: 'init'; init: Init }
  | { kind: 'memory'; transfer: Transfer };

/** @param environment takes `KB_LIBRARIES` */
export function parseCommand(args: string[], environment: Record<string, string | undefined>): Command {
  const { values, positionals } = parse(args);
  if (values.help) {
    const [command, file] = positionals;
    return command === 'run' && file !== undefined ? { kind: 'describe', file } : { kind: 'help' };
  }
  if (values.version) return { kind: 'version' };

  const [command = '', ...rest] = positionals;
  const own = OPTIONS.get(command);
  if (!own)
    throw new UsageError(
      `There is no command '${command}'; the commands are: ask, run, check, eval, flow, init, lsp, memory`,
    );
  const foreign = Object.keys(values).find((name) => !own.includes(name));
  if (foreign !== undefined) {
    const option = foreign === 'n' ? '-n' : `--${foreign}`;
    const owners = [...OPTIONS].filter(([, options]) => options.includes(foreign)).map(([name]) => name);
    throw new UsageError(
      `${option} belongs to ${owners.map((name) => (name === '' ? 'the server' : `\`hornbook ${name}\``)).join(' and ')}`,
    );
  }
  const timeoutMs = values.timeout === undefined ? undefined : positive('--timeout', values.timeout);
  const workspace = values.workspace === undefined ? undefined : directory('--workspace', values.workspace);
  if (command === 'check') {
    if (rest.length === 0) throw new UsageError('hornbook check needs a file: hornbook check FILE...');
    return { kind: 'check', files: rest, toolFile: values['tool-file'], mcp: values.mcp };
  }
  if (command === 'lsp') {
    if (rest.length > 0) throw new UsageError('hornbook lsp takes no arguments');
    return { kind: 'lsp' };
  }
  if (command === 'memory') return { kind: 'memory', transfer: transfer(rest, values.book) };
  if (command === 'flow') {
    const [file, ...others] = rest;
    const { book, resume, from, runs = false, watch = false, mermaid = false } = values;
    if (book === undefined && (resume !== undefined || runs))
      throw new UsageError(`${runs ? '--runs' : '--resume'} needs the book that keeps the runs: --book PATH`);
    if (from !== undefined && (resume === undefined || runs))
      throw new UsageError('--from is a checkpoint of a run: --resume RUN --from CHECKPOINT');
    if (others.length > 0 || (file === undefined && resume === undefined && !runs))
      throw new UsageError('hornbook flow takes one file: hornbook flow FILE --state KEY=VALUE');
    if (watch && (file === undefined || resume !== undefined || runs || mermaid))
      throw new UsageError('--watch runs a file again when it changes: hornbook flow FILE --watch');
    const state = settings('--state', values.state, readJson) as Flow['state'];
    const checkpoint = from === undefined ? undefined : positive('--from', from);
    const { model = [], script, mcp, 'tool-file': toolFile } = values;
    oneOf(model, script);
    const models = { models: model, baseUrl: values['base-url'], script };
    const asked = { file, state, timeoutMs, book, resume, from: checkpoint, runs, watch, mermaid };
    return { kind: 'flow', flow: { ...asked, mcp, models, toolFile } };
  }
  if (command === 'run' || command === 'eval') {
    const [file, ...others] = rest;
    const [cases, ...more] = others;
    if (command === 'run' && (file === undefined || others.length > 0))
      throw new UsageError('hornbook run takes one file: hornbook run FILE --param NAME=VALUE');
    if (command === 'eval' && (cases === undefined || more.length > 0))
      throw new UsageError('hornbook eval takes a program and its cases: hornbook eval FILE.dml CASES.jsonl');
    const { model = [], script } = values;
    oneOf(model, script);
    const params = settings('--param', values.param);
    const prices = pricesOf(values.price);
    const maxCost = values['max-cost'] === undefined ? undefined : fromZero('--max-cost', values['max-cost']);
    if (maxCost !== undefined && Object.keys(prices).length === 0)
      throw new UsageError('--max-cost needs the prices of the models: --price IN,OUT, dollars for a million tokens');
    const program: Program = {
      file: file!,
      params,
      paramTexts: Object.fromEntries((values.param ?? []).map((setting) => split(setting))),
      models: model,
      temperature: values.temperature === undefined ? undefined : fromZero('--temperature', values.temperature),
      baseUrl: values['base-url'],
      script,
      toolFile: values['tool-file'],
      mcp: values.mcp,
      timeoutMs,
      limits: limits(values.limit),
      maxCost,
      prices,
      cache: values.cache,
      book: values.book,
      workspace,
      record: values.record,
    };
    if (command === 'run') return { kind: 'run', program: { ...program, replay: values.replay } };
    const repeat = values.repeat === undefined ? 1 : positive('--repeat', values.repeat);
    const jobs = values.jobs === undefined ? 4 : positive('--jobs', values.jobs);
    return {
      kind: 'eval',
      evaluation: { ...program, cases: cases!, repeat, jobs },
    };
  }

  for (const set of names(values.tools)) {
    if (!TOOLSETS.includes(set))
      throw new UsageError(`--tools: there is no set of tools '${set}'; the sets are: ${TOOLSETS.join(', ')}`);
  }
  if (command === 'init') {
    const { root: roots = [], book, tools, yes = false, print = false } = values;
    return { kind: 'init', init: { hosts: rest, roots, book, tools, yes, print } };
  }
  const options: Options = {
    roots: values.root,
    tools: names(values.tools),
    libraries: [...names(environment.KB_LIBRARIES), ...names(values['kb-libraries'])],
    unknown: unknown(values.unknown),
    dmlBook: access(values['dml-book']),
    limits: limits(values.limit),
    timeoutMs,
    engines: values.engines === undefined ? engines() : positive('--engines', values.engines),
    halfLives: halfLives(values['half-life']),
  };
  if (command === '') {
    if (values.book === '') throw new UsageError('--book needs the path of a file');
    if (values.log !== undefined) logOf(values.log, values.book ?? '');
    const otherBooks =
      values['other-books'] === undefined ? undefined : directory('--other-books', values['other-books']);
    const kept = values.log || isServed(values.book ?? '') ? undefined : values.book;
    const embed = embedding(values.embed, values['embed-model'], kept, environment);
    return { kind: 'stdio', options, book: values.book, log: values.log, workspace, otherBooks, embed };
  }
  if (command === 'serve') return { kind: 'serve', serving: serving(options, rest, values, environment) };
  const goal = rest.pop();
  if (goal === undefined) throw new UsageError('hornbook ask needs a goal: hornbook ask FILE... GOAL');
  // The name of a file is a goal, too, but hardly one that somebody asks.
  if (statSync(goal, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${goal} is a file, and the goal comes last: hornbook ask FILE... GOAL`);
  const answers = values.n === undefined ? ANSWERS : positive('-n', values.n);
  // A person reads all of it.
  const read = { ...options, limits: { reply_tokens: 1e9, ...options.limits } };
  return { kind: 'ask', options: read, files: rest, goal, answers, book: values.book };
}

function serving(
  options: Options,
  rest: string[],
  values: ReturnType<typeof parse>['values'],
  environment: NodeJS.ProcessEnv,
): Serving {
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
    throw new UsageError('--issuer and tokens of the server itself exclude each other');
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
    // Nothing of this machine is read unless it is named.
    options: { ...options, roots: options.roots ?? [] },
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

/** Checks that it is the address of logs, and, where a book is named, that it can have the name. */
function logOf(url: string, book = 'book'): void {
  if (!isLogs(url))
    throw new UsageError(
      '--log takes the address of a database, as postgres://db.example/hornbook, or of NATS, as nats://nats.example/?monitor=http://nats.example:8222',
    );
  if (!BOOK_NAME.test(book))
    throw new UsageError('with --log, --book is a name: lower-case letters, digits, - and _, at most 64');
}

function bucket(url: string, log: string | undefined, environment: NodeJS.ProcessEnv): Bucket {
  const address = readBucketUrl(url);
  if (!address)
    throw new UsageError(
      `--snapshots takes the address of a bucket, as s3://books/snapshots?endpoint=https://s3.example&region=eu-1, not '${url}'`,
    );
  if (log === undefined) throw new UsageError('--snapshots are of books that --log has; those of a folder need none');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError('--snapshots needs a key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  return { address, accessKeyId, secretAccessKey, sessionToken: environment.AWS_SESSION_TOKEN || undefined };
}

function transfer([action, file, ...others]: string[], book: string | undefined): Transfer {
  if ((action !== 'export' && action !== 'import') || others.length > 0)
    throw new UsageError(
      'hornbook memory takes export or import, and one file: hornbook memory import FILE --book PATH',
    );
  if (!book) throw new UsageError('hornbook memory needs the book: --book PATH');
  if (action === 'export') return { action, book, file };
  if (file === undefined) throw new UsageError('hornbook memory import needs a file: hornbook memory import FILE');
  return { action, book, file };
}

/** Each takes some 40 MB beside the book. */
const engines = () => Math.min(4, Math.max(2, availableParallelism()));

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        book: { type: 'string' },
        root: { type: 'string', multiple: true },
        'kb-libraries': { type: 'string', short: 'l' },
        timeout: { type: 'string' },
        engines: { type: 'string' },
        limit: { type: 'string', multiple: true },
        unknown: { type: 'string' },
        tools: { type: 'string' },
        workspace: { type: 'string' },
        'dml-book': { type: 'string' },
        'other-books': { type: 'string' },
        embed: { type: 'string' },
        'embed-model': { type: 'string' },
        'half-life': { type: 'string', multiple: true },
        n: { type: 'string', short: 'n' },
        param: { type: 'string', multiple: true },
        model: { type: 'string', multiple: true },
        temperature: { type: 'string' },
        'base-url': { type: 'string' },
        script: { type: 'string' },
        'tool-file': { type: 'string' },
        mcp: { type: 'string' },
        repeat: { type: 'string' },
        jobs: { type: 'string' },
        price: { type: 'string', multiple: true },
        'max-cost': { type: 'string' },
        cache: { type: 'string' },
        record: { type: 'string' },
        replay: { type: 'string' },
        state: { type: 'string', multiple: true },
        resume: { type: 'string' },
        from: { type: 'string' },
        runs: { type: 'boolean' },
        watch: { type: 'boolean' },
        mermaid: { type: 'boolean' },
        yes: { type: 'boolean' },
        print: { type: 'boolean' },
        stdio: { type: 'boolean' },
        books: { type: 'string' },
        log: { type: 'string' },
        snapshots: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        'token-file': { type: 'string' },
        issuer: { type: 'string' },
        'public-url': { type: 'string' },
        origin: { type: 'string', multiple: true },
        client: { type: 'string', multiple: true },
        'open-books': { type: 'string' },
        idle: { type: 'string' },
        grace: { type: 'string' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\.\s/)[0]!.replaceAll('\n', ' '));
  }
}

/** `a,b` as names, without blanks and empty ones. */
function names(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** `NAME=VALUE`, each; a value that is JSON is what it says, any other is text. */
function settings(
  option: string,
  given: string[] = [],
  read: (text: string) => unknown = JSON.parse,
): Record<string, unknown> {
  return Object.fromEntries(
    given.map((setting) => {
      const [name, value] = split(setting);
      if (name === '') throw new UsageError(`${option} takes NAME=VALUE, not '${setting}'`);
      try {
        return [name, read(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

/** The two sides of the first `=`; without one the first is empty. */
function split(setting: string): [string, string] {
  const at = setting.indexOf('=');
  return [setting.slice(0, Math.max(at, 0)), setting.slice(at + 1)];
}

/** The names in lines of at most so many characters, with commas. */
function folded(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + name.length + 3 <= width) lines.push(`${lines.pop()} ${name},`);
    else lines.push(`${name},`);
  }
  return lines.map((line, index) => (index + 1 < lines.length ? line : line.slice(0, -1)));
}

const limits = (settings?: string[]): Limits => numbers('--limit', LIMITS, settings);

/** `NAME=N`, each. */
function numbers(option: string, known: readonly string[], settings: string[] = []): Record<string, number> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [, name, value] = /^(\w+)=([1-9][0-9]{0,14})$/.exec(setting) ?? [];
      if (name === undefined || !known.includes(name)) {
        throw new UsageError(`${option} takes NAME=N, a limit and a positive whole number, not '${setting}'`);
      }
      return [name, Number(value)];
    }),
  );
}

const EXPERIENCES = ['solution', 'pattern', 'decision', 'workaround', 'gotcha'];

/** `TYPE=DAYS`, each. */
function halfLives(settings: string[] = []): Options['halfLives'] {
  return Object.fromEntries(
    settings.map((setting) => {
      const [type = '', days = '', ...more] = setting.split('=');
      if (!EXPERIENCES.includes(type) || !(Number(days) > 0) || more.length > 0)
        throw new UsageError(
          `--half-life takes TYPE=DAYS, one of ${EXPERIENCES.join(', ')} and a number, not '${setting}'`,
        );
      return [type, Number(days)];
    }),
  );
}

/** `IN,OUT` or `MODEL=IN,OUT`, dollars, each. */
function pricesOf(given: string[] = []): Program['prices'] {
  return Object.fromEntries(
    given.map((setting) => {
      const at = setting.lastIndexOf('=');
      const [input, output, ...more] = setting
        .slice(at + 1)
        .split(',')
        .map((text) => (text.trim() === '' ? NaN : Number(text)));
      if (!(input! >= 0) || !(output! >= 0) || more.length > 0)
        throw new UsageError(
          `--price takes IN,OUT or MODEL=IN,OUT, dollars for a million tokens, as 1.25,10, not '${setting}'`,
        );
      return [at > 0 ? setting.slice(0, at) : '*', { input: input!, output: output! }];
    }),
  );
}

/** It must be there: a program would be told only that its files are missing. */
/** Where the vectors of the memory come from; both options or none. */
function oneOf(model: string[], script: string | undefined): void {
  if (model.length > 0 && script !== undefined)
    throw new UsageError('--model and --script are two models; give one of them');
}

function embedding(
  url: string | undefined,
  model: string | undefined,
  book: string | undefined,
  environment: Record<string, string | undefined>,
): Embedding | undefined {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined) throw new UsageError('--embed-model needs --embed URL');
  if (model === undefined) throw new UsageError('--embed needs --embed-model NAME');
  if (!/^https?:\/\/[^/]/.test(url)) throw new UsageError(`--embed: ${url} is no address`);
  return { url, model, key: environment.HORNBOOK_EMBED_KEY, file: book === undefined ? undefined : `${book}.vectors` };
}

function directory(option: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option}: there is no directory ${path}`);
  return path;
}

function fromZero(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new UsageError(`${option} takes a number from 0 on, not '${text}'`);
  return value;
}

function positive(option: string, value: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(value)) throw new UsageError(`${option} takes a positive whole number, not '${value}'`);
  return Number(value);
}

function unknown(value: string | undefined): Options['unknown'] {
  if (value === undefined || value === 'error' || value === 'fail') return value;
  throw new UsageError(`--unknown takes 'error' or 'fail', not '${value}'`);
}

function access(value: string | undefined): Options['dmlBook'] {
  if (value === undefined || value === 'read' || value === 'write') return value;
  throw new UsageError(`--dml-book takes 'read' or 'write', not '${value}'`);
}
