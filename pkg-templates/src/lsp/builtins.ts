/** Documentation of the SWI-Prolog predicates that the sandbox allows. */
import { collections } from './manual/collections.js';
import { common } from './manual/common.js';
import { constraints } from './manual/constraints.js';
import { control } from './manual/control.js';
import { memory } from './manual/memory.js';
import { terms } from './manual/terms.js';
import { text } from './manual/text.js';

export interface Builtin {
  /** The modes of its arguments, and its determinism. */
  mode: string;
  text: string;
}

/** One predicate per line: its mode, a bar, and a sentence. A grammar rule has `//` after its arguments. */
const PARTS = [common, control, terms, text, collections, constraints, memory];

const BY_INDICATOR = new Map<string, Builtin>(
  PARTS.flatMap((part) => part.trim().split('\n')).map((line) => {
    // The bar itself is a predicate, too.
    const bar = line.indexOf('|', 1);
    const [mode, sentence] = [line.slice(0, bar), line.slice(bar + 1)];
    const [, name, args, grammar, ending] = /^([^(]+)\((.*)\)(\/\/)?( is \w+)$/.exec(mode)!;
    const arity = (args === '' ? 0 : args!.split(', ').length) + (grammar ? 2 : 0);
    const shown = args === '' ? `${name}${grammar ?? ''}${ending}` : mode;
    return [`${name}/${arity}`, { mode: shown, text: sentence }];
  }),
);

/** All of them, by indicator. */
export const builtins = (): [string, Builtin][] => [...BY_INDICATOR];

/** The documentation of a predicate, by indicator. */
export const builtinOf = (indicator: string): Builtin | undefined => BY_INDICATOR.get(indicator);
