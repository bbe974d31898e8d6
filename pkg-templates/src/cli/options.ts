/** The options of `hornbook`, each stated once: for reading a command line and for `--help`. One long table. */
import { LIMITS } from '../generated/limits.js';
import { CLIENT_LIMITS } from '../serve/clients.js';

/** An option: how `parseArgs` of Node reads it, the commands that take it, and what it does. */
interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  short?: string;
  /** What stands for its value in `--help`. */
  value?: string;
  commands: readonly string[];
  help: string;
}

export const OPTIONS = {
  book: {
    type: 'string',
    value: 'PATH',
    commands: ['', 'ask', 'run', 'flow', 'init', 'memory'],
    help: 'keep the book in this file (default: in memory only), or use one of hornbook serve, with its token in HORNBOOK_TOKEN: http://HOST:PORT/log/NAME. flow: keep the run in it; run: the program may query and change it by book:Goal',
  },
  log: {
    type: 'string',
    value: 'URL',
    commands: ['', 'serve'],
    help: 'share books between servers on any machine: postgres://HOST/DATABASE, with the npm package pg, or nats://HOST/?monitor=URL, with @nats-io/transport-node and @nats-io/jetstream; passwords are read from PGPASSWORD and NATS_PASSWORD. --book is then a name',
  },
  snapshots: {
    type: 'string',
    value: 'URL',
    commands: ['', 'serve'],
    help: 'with --log, keep snapshots of long books in an object store, and fetch less of the log to open them: s3://BUCKET/PREFIX?endpoint=URL&region=REGION; its key is read from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN',
  },
  data: {
    type: 'string',
    multiple: true,
    value: 'NAME=ADDRESS',
    commands: ['', 'serve', 'ask', 'run', 'flow', 'review', 'diff', 'deploy'],
    help: 'data that goals may ask where it is, by `:- data(PREDICATE/N, NAME).`: a Parquet, CSV or JSON Lines file, a folder or pattern of them, a database of DuckDB (with the npm package @duckdb/node-api), one of SQLite, or postgres://USER@HOST/DATABASE (with pg); ${VARIABLE} in it is read from the environment; repeatable',
  },
  root: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    commands: ['', 'serve', 'ask', 'init'],
    help: 'files under DIR may be imported, and read by goals; repeatable (default: the current directory; for ask, the folders of its files; for serve, none)',
  },
  'kb-libraries': {
    type: 'string',
    short: 'l',
    value: 'A,B',
    commands: ['', 'serve', 'ask', 'check', 'types', 'deploy', 'review', 'diff'],
    help: 'also load these libraries (or set KB_LIBRARIES)',
  },
  timeout: {
    type: 'string',
    value: 'MS',
    commands: ['', 'serve', 'ask', 'run', 'eval', 'flow'],
    help: "time limit of a query, a run, or a node's code, in milliseconds",
  },
  engines: {
    type: 'string',
    value: 'N',
    commands: ['', 'serve', 'ask'],
    help: 'how many queries of a book may take long at a time, each in an engine of its own; from 2 on, one more engine is left to what is short (default: the number of processors, from 2 to 4)',
  },
  limit: {
    type: 'string',
    multiple: true,
    value: 'NAME=N',
    commands: ['', 'serve', 'ask', 'run', 'eval'],
    help: `set a limit; repeatable; NAME is one of ${LIMITS.join(', ')}`,
  },
  unknown: {
    type: 'string',
    value: 'error|fail',
    commands: ['', 'serve', 'ask'],
    help: 'result of calling an undefined predicate (default: error)',
  },
  workspace: {
    type: 'string',
    value: 'DIR',
    commands: ['', 'run', 'eval'],
    help: 'run, and the tool dml_run: let programs read and write files in DIR (default: no files)',
  },
  'dml-book': {
    type: 'string',
    value: 'read|write',
    commands: ['', 'serve'],
    help: 'let programs of the tool dml_run query the book by book:Goal, or also change it (default: neither)',
  },
  embed: {
    type: 'string',
    multiple: true,
    value: 'FILE|URL',
    commands: [''],
    help: 'also search the memory by meaning: with the word vectors in FILE, the wheel of the Python package wordllama, or with vectors from URL/embeddings, an OpenAI-compatible endpoint, whose key is read from HORNBOOK_EMBED_KEY; those are kept in PATH.vectors, next to --book PATH',
  },
  'embed-model': { type: 'string', value: 'NAME', commands: [''], help: 'model for --embed URL' },
  'other-books': {
    type: 'string',
    value: 'DIR',
    commands: [''],
    help: "let the memory's action crossref also search the books of DIR (NAME.book), read only",
  },
  'half-life': {
    type: 'string',
    multiple: true,
    value: 'TYPE=DAYS',
    commands: ['', 'serve'],
    help: 'days after which an experience of this type loses half its relevance, such as gotcha=120; repeatable',
  },
  tools: {
    type: 'string',
    value: 'A,B',
    commands: ['', 'serve', 'ask', 'init'],
    help: 'sets of tools to serve: prolog, dml, workflow, memory or memory-read (default: prolog)',
  },
  review: {
    type: 'boolean',
    commands: [''],
    help: 'what the client changes in --book is a draft: others see it once a person accepts it by hornbook review',
  },
  draft: {
    type: 'string',
    value: 'NAME',
    commands: [''],
    help: 'the name of the draft of --review, which several clients may share (default: agent)',
  },
  accept: { type: 'boolean', commands: ['review'], help: 'make the draft part of the book, as one revision' },
  reject: { type: 'boolean', commands: ['review'], help: 'drop the draft' },
  only: {
    type: 'string',
    multiple: true,
    value: 'N',
    commands: ['review'],
    help: 'decide only about the operation with this number; repeatable',
  },
  all: { type: 'boolean', commands: ['review'], help: 'show everything that is proposed, however long it is' },
  reason: { type: 'string', value: 'TEXT', commands: ['review'], help: 'why; the agent reads it with its next call' },
  by: { type: 'string', value: 'NAME', commands: ['review'], help: 'who decides (default: your user name)' },
  goals: {
    type: 'string',
    value: 'FILE',
    commands: ['review', 'diff'],
    help: 'show how the answers of these goals change, one goal per line, or of those in recorded messages of MCP, one per line',
  },
  goal: {
    type: 'string',
    multiple: true,
    value: 'GOAL',
    commands: ['review', 'diff'],
    help: 'the same for this goal; repeatable',
  },
  json: {
    type: 'boolean',
    commands: ['review', 'diff', 'check'],
    help: 'print JSON; check: an array of {file, line, column, severity, message}, lines from 1 and columns from 0',
  },
  n: {
    type: 'string',
    short: 'n',
    value: 'N',
    commands: ['ask'],
    help: 'maximum number of answers to print (default: 10)',
  },
  format: {
    type: 'string',
    value: 'FORMAT',
    commands: ['ask'],
    help: 'write all answers, or those of -n, as csv, json, jsonl, table or prolog',
  },
  out: {
    type: 'string',
    value: 'FILE',
    commands: ['ask', 'types', 'bundle'],
    help: 'ask: write the answers to this file; its ending tells the format. types, bundle: write the types or the bundle to this file',
  },
  release: {
    type: 'string',
    value: 'VERSION',
    commands: ['bundle'],
    help: 'the version of the bundle, such as 1.2.0',
  },
  param: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    commands: ['run', 'eval'],
    help: 'a parameter of the program; repeatable; VALUE is JSON or plain text',
  },
  model: {
    type: 'string',
    multiple: true,
    value: 'PROVIDER/MODEL',
    commands: ['run', 'eval', 'flow'],
    help: 'the language model, such as openai/gpt-5; needs the npm packages ai and @ai-sdk/PROVIDER, which read their keys from the environment; repeat it to name fallbacks. flow: the model of DML programs. NAME=PROVIDER/MODEL sets the model of with_model(NAME, Goal)',
  },
  temperature: {
    type: 'string',
    value: 'N',
    commands: ['run', 'eval'],
    help: 'temperature of the models, unless the program sets it',
  },
  'base-url': {
    type: 'string',
    value: 'URL',
    commands: ['run', 'eval', 'flow'],
    help: 'address of the provider, if not the usual one',
  },
  script: {
    type: 'string',
    value: 'FILE',
    commands: ['run', 'eval', 'flow'],
    help: 'script the model by a JSON file: an array of {"text": TEXT, "calls": [{"tool": NAME, "args": OBJECT}]}',
  },
  'tool-file': {
    type: 'string',
    value: 'FILE',
    commands: ['run', 'check', 'eval', 'flow'],
    help: 'a JavaScript module that exports tools for exec/2, each {description, parameters, execute}; flow: they are actions, too, as uses: NAME',
  },
  mcp: {
    type: 'string',
    value: 'FILE',
    commands: ['run', 'check', 'eval', 'flow'],
    help: 'tools of other MCP servers, configured as in MCP hosts: {"mcpServers": {NAME: {"command", "args", "env"} or {"url", "headers"}}}. flow: uses: NAME.TOOL; programs: exec(NAME_TOOL(...), R)',
  },
  repeat: {
    type: 'string',
    value: 'N',
    commands: ['eval'],
    help: 'run each case N times, for pass rates (default: 1)',
  },
  jobs: { type: 'string', value: 'N', commands: ['eval'], help: 'concurrent runs (default: 4)' },
  price: {
    type: 'string',
    multiple: true,
    value: '[MODEL=]IN,OUT',
    commands: ['run', 'eval'],
    help: 'dollars per million input and output tokens, of MODEL or of all other models; repeatable',
  },
  'max-cost': {
    type: 'string',
    value: 'DOLLARS',
    commands: ['run', 'eval'],
    help: 'maximum cost of a run, by --price: a call that could exceed it is an error in the program, and the next one ends the run',
  },
  cache: { type: 'string', value: 'DIR', commands: ['run', 'eval'], help: 'cache the replies of models in DIR' },
  'call-timeout': {
    type: 'string',
    value: 'MS',
    commands: ['run', 'eval'],
    help: 'time limit of one call of a model or a tool',
  },
  retries: {
    type: 'string',
    value: 'N',
    commands: ['run', 'eval'],
    help: 'how often a turn of a model is tried again after a failure that may pass (default: 3)',
  },
  outages: {
    type: 'string',
    value: 'MODE',
    commands: ['run', 'eval'],
    help: 'what it does that a model or a tool gives no answer. unknown: no alternative that relies on its "no" is taken; throw: an error at once; fail: the goal is false (default: what the program says, or unknown)',
  },
  record: {
    type: 'string',
    value: 'PATH',
    commands: ['run', 'eval'],
    help: 'record the run to this file, line by line; eval: record failed runs to this directory',
  },
  replay: {
    type: 'string',
    value: 'FILE',
    commands: ['run'],
    help: 'replay this recording, and continue where it ends',
  },
  books: {
    type: 'string',
    value: 'DIR',
    commands: ['serve'],
    help: 'folder of the books; /mcp/NAME serves DIR/NAME.book',
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    commands: ['serve'],
    help: 'address to listen on (default: 127.0.0.1; any other needs tokens)',
  },
  port: {
    type: 'string',
    value: 'N',
    commands: ['serve'],
    help: 'port to listen on; 0 chooses a free one (default: 8127)',
  },
  'token-file': {
    type: 'string',
    value: 'FILE',
    commands: ['serve'],
    help: 'require one of these tokens, one per line (or set HORNBOOK_TOKEN); read, propose or write before a token limits what it may do',
  },
  issuer: {
    type: 'string',
    value: 'URL',
    commands: ['serve'],
    help: 'require a token of this OAuth issuer for --public-url; its scopes decide what is allowed',
  },
  'public-url': {
    type: 'string',
    value: 'URL',
    commands: ['serve'],
    help: 'URL that clients use, for example that of a proxy',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    commands: ['serve'],
    help: 'allow pages of this origin, such as https://agent.example; repeatable',
  },
  client: {
    type: 'string',
    multiple: true,
    value: 'NAME=N',
    commands: ['serve'],
    help: `set a limit per client; repeatable; NAME is one of ${Object.keys(CLIENT_LIMITS).join(', ')}`,
  },
  'open-books': {
    type: 'string',
    value: 'N',
    commands: ['serve'],
    help: 'maximum number of open books, each with its engines (default: 32)',
  },
  idle: {
    type: 'string',
    value: 'SECONDS',
    commands: ['serve'],
    help: 'close a book that has not been used for this long (default: 300)',
  },
  grace: {
    type: 'string',
    value: 'SECONDS',
    commands: ['serve'],
    help: 'time to finish running requests when stopped (default: 30)',
  },
  state: {
    type: 'string',
    multiple: true,
    value: 'KEY=VALUE',
    commands: ['flow'],
    help: 'a value of the initial state or, with --resume, a change to the state; repeatable; VALUE is JSON or plain text',
  },
  resume: {
    type: 'string',
    value: 'RUN',
    commands: ['flow'],
    help: 'resume a run in the book; without FILE, with the text it was started with',
  },
  from: {
    type: 'string',
    value: 'CHECKPOINT',
    commands: ['flow'],
    help: 'flow --resume: start a new run from this checkpoint of RUN',
  },
  interrupt: {
    type: 'string',
    value: 'ID',
    commands: ['flow'],
    help: 'flow --resume: which of the interrupts of RUN --state answers; a question is answered by --state answer=VALUE',
  },
  signal: {
    type: 'string',
    value: 'NAME[=VALUE]',
    commands: ['flow'],
    help: 'flow --resume: only send a signal to RUN, for the node that waits for it',
  },
  runs: { type: 'boolean', commands: ['flow'], help: 'list the runs in the book; with --resume RUN, its checkpoints' },
  status: {
    type: 'string',
    value: 'STATUS',
    commands: ['flow'],
    help: 'flow --runs: only those that are waiting, interrupted, failed, running, ended or cancelled',
  },
  cancel: {
    type: 'string',
    value: 'RUN',
    commands: ['flow'],
    help: 'give up a run in the book, so that it does not go on',
  },
  'forget-days': {
    type: 'string',
    value: 'DAYS',
    commands: ['flow'],
    help: 'forget the runs in the book that have ended or were cancelled, and that began more than so many days ago',
  },
  watch: {
    type: 'boolean',
    commands: ['ask', 'flow'],
    help: 'flow: run again whenever the file changes. ask: print what comes and goes as the book of --book changes, until Ctrl-C',
  },
  follow: {
    type: 'boolean',
    commands: ['flow'],
    help: 'begin a run for each answer of the goal that FILE names (on: {goal: G}) as the book of --book changes, or at its times (on: {cron: C}), and go on with runs whose time or signal has come, until Ctrl-C',
  },
  mermaid: { type: 'boolean', commands: ['flow'], help: 'print the graph as a Mermaid diagram, without running it' },
  yes: { type: 'boolean', commands: ['init'], help: 'change files without asking' },
  print: { type: 'boolean', commands: ['init'], help: 'print the configuration, without changing files' },
  force: {
    type: 'boolean',
    commands: ['backup', 'restore', 'bundle'],
    help: 'replace a file that is there; restore: and keep it as BOOK.before-restore-TIME; bundle: also one that is no bundle',
  },
  keep: {
    type: 'string',
    value: 'N',
    commands: ['compact'],
    help: 'how many of the last operations can still be undone, not counting those of drafts (default: 1000)',
  },
  stdio: { type: 'boolean', commands: ['lsp'], help: 'accepted because editors pass it; has no effect' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** The names of all options, in the order of `--help`. */
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** Whether the command takes the option. */
export const takes = (command: string, option: OptionName): boolean =>
  (OPTIONS[option].commands as readonly string[]).includes(command);
