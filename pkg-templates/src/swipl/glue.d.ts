/** The part of the swipl-wasm module that an engine uses. Pointers, term and frame handles are numbers. */
export interface SwiplModule {
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: string | Uint8Array): void;
    readFile(path: string): Uint8Array;
  };
  /** Starts SWI-Prolog, and creates `prolog`. */
  onRuntimeInitialized: () => void;
  prolog: {
    call(goal: string): boolean;
    predicate(indicator: string): number;
    flush_output(): void;
  };
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _PL_open_foreign_frame(): number;
  _PL_discard_foreign_frame(frame: number): void;
  _PL_new_term_refs(count: number): number;
  _PL_put_term_from_chars(term: number, flags: number, length: number, text: number): number;
  _PL_raise_exception(term: number): number;
  _PL_put_chars(term: number, flags: number, length: number, text: number): number;
  _PL_call_predicate(module: number, flags: number, predicate: number, term: number): number;
  _PL_get_nchars(term: number, length: number, text: number, flags: number): number;
  _WASM_mark_string_buffers(): number;
  _PL_release_string_buffers_from_mark(mark: number): void;
}

export interface SwiplOptions {
  arguments: string[];
  preRun: ((module: SwiplModule) => void)[];
  on_output(text: string, stream: 'stdout' | 'stderr'): void;
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: { exports: WebAssembly.Exports }) => void): void;
  getPreloadedPackage(name: string, size: number): ArrayBuffer;
}

export default function SWIPL(options: SwiplOptions): Promise<SwiplModule>;
