/** Reads a command line by the table of options. */
import { parseArgs } from 'node:util';
import { OPTIONS } from './options.js';
import { UsageError } from './usage.js';

/** The values of the options that were given. */
export type Values = ReturnType<typeof parse>['values'];

export function parse(args: string[]) {
  try {
    const general = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
    return parseArgs({ args, allowPositionals: true, options: { ...OPTIONS, ...general } });
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\.\s/)[0]!.replaceAll('\n', ' '));
  }
}
