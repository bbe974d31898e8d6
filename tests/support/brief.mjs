// Loaded before the programs of tests that start many processes: WebAssembly is compiled once, and not again for speed,
// which costs a process that lives for a second more than it gains.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--liftoff-only');
