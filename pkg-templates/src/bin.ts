#!/usr/bin/env node
/** The command `hornbook`. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseCommand, type Command } from './cli/args.js';
import { HELP } from './cli/help.js';
import { ask } from './cli/ask.js';
import { evaluate } from './cli/eval.js';
import { runFlow } from './cli/flow.js';
import { init } from './cli/init.js';
import { serveLanguage } from './cli/lsp.js';
import { transferMemory } from './cli/memory.js';
import { Client } from './client.js';
import { openHornbook, type Hornbook, type OwnStore } from './node.js';
import { connectLogs, type Logs } from './node/logs.js';
import { Asker, checkPrograms, describeProgram, runProgram, type Screen } from './cli/run.js';
import { serveStdio } from './cli/stdio.js';
import { UsageError } from './cli/usage.js';
import { logTo } from './serve/log.js';
import type { Bucket } from './serve/run.js';

const err = (text: string) => void process.stderr.write(`${text}\n`);
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
  err(`hornbook: ${error.message}. See hornbook --help.`);
  process.exitCode = 2;
}

/** The store of a book that a database holds. With a bucket, reading starts from a snapshot if there is one. */
async function storeIn(logs: Logs, book: string, bucket: Bucket | undefined): Promise<OwnStore> {
  const store = () => logs.store(book);
  if (!bucket) return store();
  const { loadLibraries, snapshotsIn } = await import('./serve/run.js');
  return snapshotsIn(bucket, await loadLibraries(), logTo(err)).store(book, store);
}

async function execute(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP);
      return 0;
    case 'version': {
      const manifest = await readFile(new URL('./package.json', import.meta.url), 'utf8');
      out((JSON.parse(manifest) as { version: string }).version);
      return 0;
    }
    case 'serve': {
      const { serve } = await import('./serve/run.js');
      return serve(command.serving, err);
    }
    case 'stdio': {
      const { options, book, log, snapshots, workspace, otherBooks, embed } = command;
      const logs = log === undefined ? undefined : await connectLogs(log);
      const { hornbook, close } = await openHornbook(
        options,
        err,
        logs ? await storeIn(logs, book!, snapshots) : book,
        {
          workspace,
          otherBooks,
          embed,
        },
      );
      if (hornbook.notice) err(`Warning: ${hornbook.notice}`);
      void warnOfLibraries(hornbook);
      const written = await serveStdio(hornbook);
      await close();
      await logs?.close();
      // Do not keep the process alive for output that nobody reads.
      if (!written) process.exit(0);
      return 0;
    }
    case 'ask': {
      const files = command.files.map((file) => resolve(file));
      const roots = [...(command.options.roots ?? []), ...files.map(dirname)];
      const { hornbook, close } = await openHornbook({ ...command.options, roots }, err, command.book);
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
        const client = new Client(hornbook, 'hornbook ask', person);
        return await ask(client, files, command.goal, command.answers, { out, err, prompts });
      } finally {
        asker.close();
        await close();
      }
    }
    case 'describe':
      return describeProgram(command.file, screen());
    case 'run': {
      const terminal = screen();
      const asker = new Asker(terminal);
      try {
        return await runProgram(command.program, terminal, asker.ask);
      } finally {
        asker.close();
      }
    }
    case 'init': {
      const terminal = screen();
      const asker = new Asker(terminal);
      const place = { home: homedir(), project: process.cwd(), platform: process.platform, env: process.env };
      try {
        return await init(command.init, place, terminal, process.stdin.isTTY ? asker.ask : undefined);
      } finally {
        asker.close();
      }
    }
    case 'lsp':
      await serveLanguage(err);
      return 0;
    case 'memory':
      return transferMemory(command.transfer, screen());
    case 'flow':
      return runFlow(command.flow, screen());
    case 'eval':
      return evaluate(command.evaluation, screen());
    case 'check':
      return checkPrograms(command.files, command, screen());
  }
}

/** Standard output and error; on a terminal, also a progress line. */
function screen(): Screen {
  const { stdout, stderr } = process;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  const show = (text: string) => {
    clear();
    if (text) stderr.write(text.slice(0, stderr.columns - 1));
    shown = text !== '';
  };
  return {
    out(text) {
      clear();
      stdout.write(text);
    },
    err(text) {
      clear();
      stderr.write(text);
    },
    status: stderr.isTTY ? show : undefined,
  };
}

async function warnOfLibraries(hornbook: Hornbook): Promise<void> {
  for (const name of await hornbook.refusedLibraries())
    err(`Warning: library(${name}) is not one that may be loaded, or is not known`);
}
