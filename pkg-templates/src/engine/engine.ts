/**
 * An engine: one instance of swipl-wasm that answers requests, one string in, one string out (docs/engine-protocol.md).
 * Nothing here depends on Node or the web.
 */
import { correctArithmetic } from './arithmetic.js';
import { EngineDeath } from './death.js';
import { readMemory, writtenMemory, type Places } from './memory.js';
import SWIPL, { type SwiplModule } from '../swipl/glue.js';

/** What engines are made from. One image serves any number of engines. */
export interface EngineImage {
  /** `swipl/swipl.wasm`, compiled. */
  wasm: WebAssembly.Module;
  program: Program;
}

/**
 * Hornbook's Prolog: either the memory of an engine that has loaded it; or its source files by path, with `hornbook.pl`
 * as the main one, and SWI-Prolog's own library, the file `swipl-web.data` of swipl-wasm.
 */
export type Program = { memory: Uint8Array } | { sources: Record<string, string>; library: ArrayBuffer };

/**
 * The maximum size of Prolog's stacks. Deep recursion hits it first, so it ends in a resource error and not in the
 * engine's death.
 */
const STACK_LIMIT = '--stack-limit=128m';
/**
 * The C stack, in bytes. The 1 MiB that swipl-wasm comes with overflows into other data when a term is nested some
 * thousand levels deep. With this size the JavaScript stack runs out first, which is detected.
 */
const C_STACK = 64 << 20;

/** The minifier's names in swipl.wasm 8.0.5; scripts/build.mjs checks the file's hash. */
const WASM = {
  memory: 'aa',
  table: 'Bb',
  resizeHeap: 't',
  setZone: 'Z',
  stackRestore: 're',
  runScript: 'q',
  asmConstInt: 'f',
  asmConstPtr: 'p',
} as const;
/** The code block of the glue behind `:=`, which can reach every object of the realm. */
const JS_CALL = 418928;

/** Just under the 2 GiB limit of swipl-wasm's memory, in bytes. */
const FULL_MEMORY = 1.75 * 2 ** 30;

const DIRECTORY = '/hornbook';
const STATE = `${DIRECTORY}/hornbook.state`;

const SERVE = 'hornbook:serve/2';

const PL_STRING = 6;
const REP_UTF8 = 0x100000;
const CVT_STRING = 2;
const PL_Q_CATCH_EXCEPTION = 8;

type Exports = Record<string, (...args: number[]) => number> & {
  [WASM.memory]: WebAssembly.Memory;
  [WASM.table]: WebAssembly.Table;
};

/**
 * Start swipl-wasm and load the program.
 *
 * @param log receives what Prolog writes outside queries: warnings and messages
 * @throws EngineDeath when it does not come up
 */
export async function bootEngine({ wasm, program }: EngineImage, log: (text: string) => void): Promise<Engine> {
  if ('memory' in program) return start(wasm, log, { memory: program.memory });
  const files = Object.entries(program.sources).map(([path, text]): [string, string] => [`${DIRECTORY}/${path}`, text]);
  const engine = await start(wasm, log, { library: program.library, files, options: ['-f', 'none'] });
  engine.load(`${DIRECTORY}/hornbook.pl`);
  return engine;
}

/** What an instance starts from: files and SWI-Prolog's options, or the complete memory of another instance. */
type Begin =
  | { library: ArrayBuffer; files: [path: string, contents: string | Uint8Array][]; options: string[] }
  | { memory: Uint8Array };

async function start(wasm: WebAssembly.Module, log: (text: string) => void, begin: Begin): Promise<Engine> {
  let exports: Exports | undefined;
  let functions: Record<string, (...args: number[]) => unknown> = {};
  let zone: number[] = [];
  // A single large allocation can fail long before the memory has grown to its limit.
  let refused = false;
  const full = () => refused || (exports !== undefined && exports[WASM.memory].buffer.byteLength > FULL_MEMORY);
  const { library, files, options } = 'memory' in begin ? { library: undefined, files: [], options: [] } : begin;
  try {
    let started: SwiplModule | undefined;
    let restored = 'memory' in begin ? readMemory(begin.memory) : undefined;
    const module = await SWIPL({
      arguments: ['-q', '--no-signals', '--no-packs', STACK_LIMIT, ...options],
      // A restored memory already has the library loaded, so it is never read.
      getPreloadedPackage: (_, size) => library ?? new ArrayBuffer(size),
      instantiateWasm(imports, done) {
        functions = imports.a as typeof functions;
        const setZone = (...places: number[]) => {
          zone = places;
          functions[WASM.setZone]!(...places);
        };
        const resizeHeap = (bytes: number) => {
          const resized = functions[WASM.resizeHeap]!(bytes);
          refused ||= !resized;
          return resized;
        };
        const noted = { [WASM.setZone]: setZone, [WASM.resizeHeap]: resizeHeap };
        const instance = new WebAssembly.Instance(wasm, { a: { ...guarded(imports.a!), ...noted } });
        exports = instance.exports as unknown as Exports;
        correctArithmetic(exports[WASM.memory], exports[WASM.table], () => started!);
        done(instance);
      },
      preRun: [
        (module) => {
          started = module;
          for (const [path, data] of files) {
            module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
            module.FS.writeFile(path, data);
          }
          // Restore the memory instead of starting SWI-Prolog.
          if (restored) {
            const { bytes, places, writeTo } = restored;
            module.onRuntimeInitialized = () => {
              const used = exports![WASM.memory].buffer.byteLength;
              functions[WASM.resizeHeap]!(bytes);
              writeTo(new Uint8Array(exports![WASM.memory].buffer), used);
              functions[WASM.setZone]!(...places.zone);
              // Drop the reference to the saved memory.
              module.onRuntimeInitialized = () => {};
            };
          }
        },
      ],
      on_output: log,
    });
    const stack = restored?.places.stack ?? (module._malloc(C_STACK) + C_STACK) & ~15;
    exports![WASM.stackRestore]!(stack);
    const places = restored?.places ?? { stack, zone };
    restored = undefined;
    const again = (state: Uint8Array) => {
      if (!library) throw new EngineDeath('failed', 'only an engine that was made from sources can be saved');
      return start(wasm, log, { library, files: [[STATE, state]], options: ['-x', STATE] });
    };
    return new Engine(module, exports![WASM.memory], full, places, again);
  } catch (error) {
    throw deathOf(error, full());
  }
}

/** A running engine. Do not use it again after an {@link EngineDeath}. */
export class Engine {
  #predicate: number | undefined;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #asked = 0;

  /**
   * @param places has no predicate when the program is loaded later
   * @param again starts another engine from a saved state of SWI-Prolog
   */
  constructor(
    private readonly module: SwiplModule,
    private readonly memory: WebAssembly.Memory,
    private readonly full: () => boolean,
    readonly places: Omit<Places, 'predicate'> & Partial<Places>,
    private readonly again: (state: Uint8Array) => Promise<Engine>,
  ) {
    this.#predicate = places.predicate;
  }

  /** Load a Prolog file. */
  load(path: string): void {
    if (!this.module.prolog.call(`load_files('${path}', [])`)) {
      throw new EngineDeath('failed', `${path} could not be loaded`);
    }
  }

  /**
   * Answer one request. The reply begins with the number of the request, from 1, and the CRC-32 of Prolog's output,
   * each in eight hexadecimal digits, so that the receiver can check that the text is intact and answers its request.
   *
   * @throws EngineDeath on any failure: after a JavaScript exception the instance cannot be trusted
   */
  request(text: string): string {
    const { module } = this;
    this.#asked += 1;
    try {
      const frame = module._PL_open_foreign_frame();
      const terms = module._PL_new_term_refs(2);
      this.#put(terms, text);
      this.#predicate ??= module.prolog.predicate(SERVE);
      if (!module._PL_call_predicate(0, PL_Q_CATCH_EXCEPTION, this.#predicate, terms)) {
        throw new EngineDeath('failed', 'hornbook:serve/2 gave no reply');
      }
      const reply = this.#get(terms + 1);
      module._PL_discard_foreign_frame(frame);
      return reply;
    } catch (error) {
      throw deathOf(error, this.full());
    }
  }

  /** Bytes of the instance's memory, which grows and never shrinks. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /**
   * The memory of an engine with everything that is loaded here, for {@link Program}. It goes through a saved state of
   * SWI-Prolog, which drops whatever loading left behind.
   */
  async save(): Promise<Uint8Array> {
    const saved = this.module.prolog.call(
      `load_files(library(qsave), [imports([])]), qsave:qsave_program('${STATE}', [stand_alone(false), init_file(none)])`,
    );
    if (!saved) {
      throw new EngineDeath('failed', 'the state could not be saved');
    }
    const { module, memory, places } = await this.again(this.module.FS.readFile(STATE));
    return writtenMemory(new Uint8Array(memory.buffer), { ...places, predicate: module.prolog.predicate(SERVE) });
  }

  #put(term: number, text: string): void {
    const { module } = this;
    const bytes = this.#encoder.encode(text);
    const pointer = module._malloc(bytes.length + 1);
    if (pointer === 0) throw new EngineDeath('memory', OUT_OF_MEMORY);
    new Uint8Array(this.memory.buffer, pointer).set(bytes);
    module._PL_put_chars(term, PL_STRING | REP_UTF8, bytes.length, pointer);
    module._free(pointer);
  }

  #get(term: number): string {
    const { module } = this;
    const out = module._malloc(8);
    const mark = module._WASM_mark_string_buffers();
    if (!module._PL_get_nchars(term, out, out + 4, CVT_STRING | REP_UTF8)) {
      throw new EngineDeath('failed', 'hornbook:serve/2 gave no string');
    }
    const [length, pointer] = new Uint32Array(this.memory.buffer, out, 2) as unknown as [number, number];
    const bytes = new Uint8Array(this.memory.buffer, pointer, length);
    const text = hexadecimal(this.#asked) + hexadecimal(crc32(bytes)) + this.#decoder.decode(bytes);
    module._PL_release_string_buffers_from_mark(mark);
    module._free(out);
    return text;
  }
}

const hexadecimal = (number: number) => (number >>> 0).toString(16).padStart(8, '0');

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = CRC_TABLE[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The functions that swipl.wasm imports, without those that run scripts or reach JavaScript objects. */
function guarded(functions: WebAssembly.ModuleImports): WebAssembly.ModuleImports {
  const block = (name: string) => {
    const run = functions[name] as (code: number, signature: number, values: number) => number;
    return (code: number, signature: number, values: number) => (code === JS_CALL ? 0 : run(code, signature, values));
  };
  return {
    ...functions,
    [WASM.runScript]: () => {},
    [WASM.asmConstInt]: block(WASM.asmConstInt),
    [WASM.asmConstPtr]: block(WASM.asmConstPtr),
  };
}

const OUT_OF_MEMORY = 'out of memory';

/** The death that an exception from swipl-wasm means; `full` tells whether it ran out of memory. */
function deathOf(error: unknown, full: boolean): EngineDeath {
  if (error instanceof EngineDeath) return error;
  const { name, message } = error as Error;
  // SpiderMonkey throws an InternalError when the stack is full; other RangeErrors are failed buffer allocations.
  if (/call stack|too much recursion/i.test(message))
    return new EngineDeath('depth', 'stack overflow: something is nested too deeply');
  if (full || error instanceof RangeError) return new EngineDeath('memory', OUT_OF_MEMORY);
  if (name === 'ExitStatus') return new EngineDeath('halt', 'Prolog was halted');
  return new EngineDeath('failed', `Prolog crashed: ${message ?? String(error)}`);
}
