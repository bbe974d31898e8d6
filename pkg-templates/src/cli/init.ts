/** `hornbook init`: adds Hornbook to the configuration of the MCP hosts on this machine. */
import { copyFile, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isServed } from '../served-store.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';

/** The options of `hornbook init`. */
export interface Init {
  /** Names of hosts; if empty, those found on this machine. */
  hosts: string[];
  roots: string[];
  book: string | undefined;
  tools: string | undefined;
  /** Do not ask for confirmation. */
  yes: boolean;
  /** Print the lines, and change nothing. */
  print: boolean;
}

/** The environment the command runs in. */
export interface Place {
  home: string;
  /** The current directory: the project, for hosts that keep their configuration in it. */
  project: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
}

interface Host {
  name: string;
  title: string;
  /** Its configuration file. */
  file(place: Place): string;
  /** A path that exists if the host is used here. */
  trace(place: Place): string;
  /** The key under which it lists servers. */
  key: 'mcpServers' | 'servers';
  /** Whether the host starts the server in the project it is configured in; if not, a root must be named. */
  ofProject: boolean;
}

/** The folder for per-user settings. */
function settings({ home, platform, env }: Place, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names);
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), ...names);
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), ...names);
}

const HOSTS: Host[] = [
  {
    name: 'claude',
    title: 'Claude Desktop',
    file: (place) => settings(place, 'Claude', 'claude_desktop_config.json'),
    trace: (place) => settings(place, 'Claude'),
    key: 'mcpServers',
    ofProject: false,
  },
  {
    name: 'claude-code',
    title: 'Claude Code, in this project',
    file: ({ project }) => join(project, '.mcp.json'),
    trace: ({ home }) => join(home, '.claude'),
    key: 'mcpServers',
    ofProject: true,
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    trace: ({ home }) => join(home, '.cursor'),
    key: 'mcpServers',
    ofProject: false,
  },
  {
    name: 'vscode',
    title: 'VS Code, in this project',
    file: ({ project }) => join(project, '.vscode', 'mcp.json'),
    trace: ({ project }) => join(project, '.vscode'),
    key: 'servers',
    ofProject: true,
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    trace: ({ home }) => join(home, '.codeium', 'windsurf'),
    key: 'mcpServers',
    ofProject: false,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    trace: ({ home }) => join(home, '.gemini'),
    key: 'mcpServers',
    ofProject: false,
  },
];

export const HOST_NAMES = HOSTS.map(({ name }) => name);

/** Resolves with the exit code: 1 if something could not be changed or nobody was there to confirm. */
export async function init(
  wanted: Init,
  place: Place,
  screen: Screen,
  ask: ((question: string) => Promise<string | undefined>) | undefined,
): Promise<number> {
  const hosts = await chosen(wanted, place);
  if (hosts.length === 0) {
    screen.err(`No MCP host was found. Name one: hornbook init ${HOST_NAMES.join('|')}\n`);
    return 1;
  }
  let failed = false;
  for (const host of hosts) {
    const file = host.file(place);
    const read = await configOf(host, file);
    const { entry, kept } = entryOf(host, wanted, place, 'config' in read ? read.was : undefined);
    if (wanted.print) {
      screen.out(`${host.title}: ${file}\n${JSON.stringify({ [host.key]: { hornbook: entry } }, null, 2)}\n`);
      continue;
    }
    const result = await added(host, file, read, entry, async () => {
      if (wanted.yes) return true;
      if (!ask) return undefined;
      screen.out(`${JSON.stringify({ hornbook: entry }, null, 2)}\n`);
      return /^y(es)?$/i.test((await ask(`Add this to ${file} (${host.title})? [y/N]`))?.trim() ?? '');
    });
    const also = kept.length > 0 && !result.failed ? `; kept as it was: ${kept.join(' ')}` : '';
    (result.failed ? screen.err : screen.out)(`${host.title}: ${result.text}${also}\n`);
    failed ||= result.failed;
  }
  return failed ? 1 : 0;
}

async function chosen({ hosts }: Init, place: Place): Promise<Host[]> {
  if (hosts.length > 0) {
    return hosts.map((name) => {
      const host = HOSTS.find((host) => host.name === name);
      if (!host) throw new UsageError(`There is no host '${name}'; the hosts are: ${HOST_NAMES.join(', ')}`);
      return host;
    });
  }
  const found: Host[] = [];
  for (const host of HOSTS) if (await isThere(host.trace(place))) found.push(host);
  return found;
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * The host's entry that starts the server. What its entry has is kept, other than the options that are given now.
 *
 * @param was its entry
 */
function entryOf(
  { key, ofProject }: Host,
  { roots, book, tools }: Init,
  { project, platform }: Place,
  was: unknown,
): { entry: object; kept: string[] } {
  const here = (path: string) => (ofProject ? inProject(project, path, key) : resolve(project, path));
  const given = [
    ...roots.flatMap((root) => ['--root', here(root)]),
    ...(book === undefined ? [] : ['--book', isServed(book) ? book : here(book)]),
    ...(tools === undefined ? [] : ['--tools', tools]),
  ];
  const kept = keptOf(was, given);
  const own = [...kept, ...given];
  const args = ['-y', 'hornbook', ...(own.includes('--root') ? [] : ['--root', here('.')]), ...own];
  // On Windows npx is a script, which only the shell can run.
  const command = platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
  const others = isObject(was) ? was : {};
  const entry = { ...others, ...(key === 'servers' && { type: 'stdio' }), ...command };
  return { entry, kept };
}

/** The options of an entry that are not among `given`, with their values. */
function keptOf(was: unknown, given: string[]): string[] {
  const args = isObject(was) && Array.isArray(was.args) ? was.args.map(String) : [];
  const replaced = new Set(given.filter((arg) => arg.startsWith('--')));
  const kept: string[] = [];
  let keeps = false;
  for (const arg of args.slice(args.indexOf('hornbook') + 1)) {
    if (arg.startsWith('--')) keeps = !replaced.has(arg.replace(/=.*/s, ''));
    if (keeps) kept.push(arg);
  }
  return kept;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A path for a project's configuration, which others use in folders of their own. */
function inProject(project: string, path: string, key: Host['key']): string {
  const inside = relative(project, resolve(project, path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) return resolve(project, path);
  const slashes = inside.replaceAll(sep, '/');
  if (key === 'servers') return slashes === '' ? '${workspaceFolder}' : `\${workspaceFolder}/${slashes}`;
  return slashes === '' ? '.' : slashes;
}

/** What was done to a file. */
interface Added {
  text: string;
  failed: boolean;
}

/** A configuration file: its text and contents, with the entry that it has; or why there is none. */
type Read =
  | { text: string; config: Record<string, unknown>; servers: Record<string, unknown>; was: unknown }
  | { why: string };

async function configOf({ key }: Host, file: string): Promise<Read> {
  let text = '';
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return { why: `${file} cannot be read: ${message}` };
  }
  const config = text.trim() === '' ? {} : parsed(text);
  const servers = config && (config[key] ?? {});
  if (!config || !isObject(servers)) return { why: `${file} is not plain JSON with "${key}"` };
  return { text, config, servers, was: servers.hornbook };
}

/**
 * Add the entry, and keep a copy of the previous file beside it.
 *
 * @param agreed whether the person agrees; `undefined` if nobody can be asked
 */
async function added(
  { key }: Host,
  file: string,
  read: Read,
  entry: object,
  agreed: () => Promise<boolean | undefined>,
): Promise<Added> {
  if ('why' in read) {
    const lines = JSON.stringify({ hornbook: entry });
    return { text: `${read.why}; add to its "${key}" yourself: ${lines}`, failed: true };
  }
  const { text, config, servers, was } = read;
  if (JSON.stringify(was) === JSON.stringify(entry)) return { text: `${file} has it already`, failed: false };
  const yes = await agreed();
  if (yes === undefined) return { text: `not added to ${file}: nobody can be asked; give --yes`, failed: true };
  if (!yes) return { text: `${file} is as it was`, failed: false };
  const next = { ...config, [key]: { ...servers, hornbook: entry } };
  try {
    const copy = text === '' ? undefined : await kept(file);
    await replaced(file, `${JSON.stringify(next, null, indentOf(text))}\n`);
    const before = copy === undefined ? '' : `; what was there is in ${copy}`;
    return { text: `${was === undefined ? 'added to' : 'changed in'} ${file}${before}`, failed: false };
  } catch (error) {
    return { text: `${file} cannot be written: ${(error as Error).message}`, failed: true };
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const indentOf = (text: string) => /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? 2;

/** Copy the file to the first free name beside it. */
async function kept(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}.before-hornbook${number === 1 ? '' : `-${number}`}`;
    if (await isThere(copy)) continue;
    await copyFile(file, copy);
    return copy;
  }
}

/** Replace a file atomically; through a symbolic link, the file it points to. */
async function replaced(name: string, text: string): Promise<void> {
  await mkdir(dirname(name), { recursive: true });
  const file = await realpath(name).catch(() => name);
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, file);
}
