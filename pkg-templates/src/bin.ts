#!/usr/bin/env node
/** The command `hornbook`. Each command loads its own modules: an agent waits for the server, which needs few. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseCommand, type Command } from './cli/args.js';
import type { Hornbook } from './full/hornbook.js';
import type { Logs } from './node/logs.js';
import { bookToRead } from './node/book-file.js';
import { openHornbook, type OwnStore } from './node/open.js';
import { Asker, screen, type Screen } from './cli/terminal.js';
import { UsageError } from './cli/usage.js';
import { oneLine, visible } from './cli/visible.js';
import type { Bucket } from './serve/run.js';

const err = (text: string) => void process.stderr.write(`${visible(text)}\n`);
const out = (text: string) => void process.stdout.write(`${text}\n`);

// Hornbook itself failed: print one line, and exit with a code that `ask` does not use.
process.on('uncaughtException', (error) => {
  err(`hornbook: ${error.message}`);
  process.exit(70);
});

try {
  process.exitCode = await execute(parseCommand(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  err(`hornbook: ${oneLine(error.message)}. See hornbook --help.`);
  process.exitCode = 2;
}

/** The store of a book that a database holds. With a bucket, reading starts from a snapshot if there is one. */
async function storeIn(logs: Logs, book: string, bucket: Bucket | undefined): Promise<OwnStore> {
  const store = () => logs.store(book);
  if (!bucket) return store();
  const [{ loadLibraries, snapshotsIn }, { logTo }] = await Promise.all([
    import('./serve/run.js'),
    import('./serve/log.js'),
  ]);
  return snapshotsIn(bucket, await loadLibraries(), logTo(err)).store(book, store);
}

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

async function execute(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help': {
      const { help } = await import('./cli/help.js');
      process.stdout.write(help(command.command));
      return 0;
    }
    case 'version': {
      const manifest = await readFile(new URL('./package.json', import.meta.url), 'utf8');
      out((JSON.parse(manifest) as { version: string }).version);
      return 0;
    }
    case 'serve': {
      const { serve } = await import('./serve/run.js');
      return serve(command.serving, err);
    }
    case 'stdio':
      return serveConnection(command);
    case 'ask':
      return askGoal(command);
    case 'describe': {
      const { describeProgram } = await import('./cli/run.js');
      return describeProgram(command.file, screen());
    }
    case 'run': {
      const { runProgram } = await import('./cli/run.js');
      return withAsker((terminal, ask) => runProgram(command.program, terminal, ask));
    }
    case 'init': {
      const { init } = await import('./cli/init.js');
      const place = { home: homedir(), project: process.cwd(), platform: process.platform, env: process.env };
      return withAsker((terminal, ask) => init(command.init, place, terminal, process.stdin.isTTY ? ask : undefined));
    }
    case 'lsp': {
      const { serveLanguage } = await import('./cli/lsp.js');
      await serveLanguage(err);
      return 0;
    }
    case 'memory': {
      const { transferMemory } = await import('./cli/memory.js');
      return transferMemory(command.transfer, screen());
    }
    case 'flow': {
      const { runFlow } = await import('./cli/flow.js');
      return runFlow(command.flow, screen());
    }
    case 'eval': {
      const { evaluate } = await import('./cli/eval.js');
      return evaluate(command.evaluation, screen());
    }
    case 'operation': {
      const { operate } = await import('./cli/operations.js');
      return operate(command.operation, screen());
    }
    case 'bundle': {
      const { bundle } = await import('./cli/bundle.js');
      return bundle(command.bundling, screen());
    }
    case 'review': {
      const { review } = await import('./cli/review.js');
      return withAsker((terminal, ask) => review(command.review, terminal, process.stdin.isTTY ? ask : undefined));
    }
    case 'diff': {
      const { compare } = await import('./cli/review.js');
      return compare(command.comparison, screen());
    }
    case 'types': {
      const { writeTypes } = await import('./cli/types.js');
      return writeTypes(command.types, screen());
    }
    case 'check': {
      const { check } = await import('./cli/check.js');
      return check(command.check, command, screen());
    }
  }
}

/** Serve MCP on standard input and output. */
async function serveConnection(command: CommandOf<'stdio'>): Promise<number> {
  const { serveStdio } = await import('./cli/stdio.js');
  const { Waking } = await import('./node/waking.js');
  const { options, book, log, snapshots, workspace, otherBooks, embed, data, draft } = command;
  const logs = log === undefined ? undefined : await (await import('./node/logs.js')).connectLogs(log);
  const { hornbook, close } = await openHornbook(options, err, logs ? await storeIn(logs, book!, snapshots) : book, {
    workspace,
    otherBooks,
    embed,
    data,
    toolsOnly: draft === undefined,
  });
  if (hornbook.notice) err(`Warning: ${hornbook.notice}`);
  void warnOfLibraries(hornbook);
  const served = draft === undefined ? hornbook : await hornbook.draft(draft);
  const woken = (run: string, said: string) => err(`Run ${run} went on by itself: ${said}`);
  const waking = draft === undefined ? Waking.of(hornbook, options.tools, woken) : undefined;
  const written = await serveStdio(served);
  waking?.close();
  if (draft !== undefined) {
    await served.keepAsked();
    served.close();
  }
  await close();
  await logs?.close();
  // Do not keep the process alive for output that nobody reads.
  if (!written) process.exit(0);
  return 0;
}

/** Answer a goal. */
async function askGoal(command: CommandOf<'ask'>): Promise<number> {
  const [{ ask, askAll, askOn }, { Client }] = await Promise.all([import('./cli/ask.js'), import('./client.js')]);
  const files = command.files.map((file) => resolve(file));
  const roots = [...(command.options.roots ?? []), ...files.map(dirname)];
  const book = command.book === undefined ? undefined : await bookToRead(command.book);
  const { hornbook, close } = await openHornbook({ ...command.options, roots }, err, book, {
    data: command.data,
    toolsOnly: true,
  });
  void warnOfLibraries(hornbook);
  const { stdin, stdout, stderr } = process;
  const asker = new Asker(stdin.isTTY ? screen() : { out, err });
  // When one terminal shows both streams, the output written later must not repeat the prompt.
  const prompts: string[] = [];
  const person = (prompt: string) => {
    if (stdout.isTTY && stderr.isTTY) prompts.push(prompt);
    return asker.ask(prompt);
  };
  try {
    const client = new Client(hornbook, 'hornbook ask', person).asHost();
    if (command.exported) return await askAll(hornbook, files, command.goal, command.exported, { out, err, prompts });
    if (command.watch) return await askOn(hornbook, files, command.goal, { out, err, prompts });
    return await ask(client, hornbook, files, command.goal, command.answers, { out, err, prompts });
  } finally {
    asker.close();
    await close();
  }
}

/** Do what may ask the person at the terminal. */
async function withAsker(work: (terminal: Screen, ask: Asker['ask']) => Promise<number>): Promise<number> {
  const terminal = screen();
  const asker = new Asker(terminal);
  try {
    return await work(terminal, asker.ask);
  } finally {
    asker.close();
  }
}

async function warnOfLibraries(hornbook: Hornbook): Promise<void> {
  for (const name of await hornbook.refusedLibraries())
    err(`Warning: library(${name}) is not one that may be loaded, or is not known`);
}
