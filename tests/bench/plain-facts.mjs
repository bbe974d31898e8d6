// Started by the benchmark next to the server: a plain instance that loads the named file when told to.
import { readFileSync } from 'node:fs';
import { READ_AND_ASSERT, plain } from './plain.mjs';

const { prolog, once, string } = await plain();
once('use_module(library(clpfd)), use_module(library(sandbox))');
await prolog.load_string(READ_AND_ASSERT, 'plain.pl');
console.log('ready');
process.stdin.once('data', () => {
  once('read_and_assert(Text)', { Text: string(readFileSync(process.argv[2], 'utf8')) });
  console.log('loaded');
});
