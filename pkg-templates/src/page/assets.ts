/** The files that Hornbook loads in a page. */
import type { Hornbook, readTable } from '../full/hornbook.js';
import type { Part } from '../part.js';
import { SIZES } from '../swipl/sizes.js';

/** The crate, ready for use. */
export interface Crate {
  /** Its class of workspaces. */
  Hornbook: typeof Hornbook;
  /** The core does not have it. */
  readTable?: typeof readTable;
}

/** Where the parts come from: `web.ts` fetches them, `inline.ts` contains them. */
export interface Assets {
  /** The crate, or a smaller part of it that loads faster. */
  crate(part: Part): Promise<Crate>;
  /** SWI-Prolog. */
  swipl(): Promise<WebAssembly.Module>;
  /** The memory of an engine that has loaded Hornbook's Prolog, gzipped. */
  state(): Promise<ArrayBuffer>;
  /** A worker that runs `worker-web.js`. */
  worker(): Worker;
}

/** The module that wasm-bindgen generates. */
interface Glue extends Crate {
  default(code: { module_or_path: Promise<WebAssembly.Module> }): Promise<unknown>;
}

const instances = new Map<Glue, Promise<unknown>>();

/** Each part of the crate is instantiated once per page: a second instance would replace the first. */
export async function instantiate(crate: Glue, code: Promise<WebAssembly.Module>): Promise<Crate> {
  let instance = instances.get(crate);
  if (!instance) {
    instance = crate.default({ module_or_path: code });
    instances.set(crate, instance);
    instance.catch(() => instances.delete(crate));
  }
  await Promise.all([instance, code]);
  return crate;
}

/** Called with the bytes loaded so far and the total, both uncompressed. At the end they are equal. */
export type Progress = (loaded: number, total: number) => void;

/** The addresses of the parts. */
export type Addresses = Record<keyof typeof SIZES, URL>;

/** Fetches the parts from a server. */
export class FetchedAssets implements Assets {
  /** Bytes loaded, by file. Those of SWI-Prolog are always needed. */
  #loaded: Partial<Record<keyof typeof SIZES, number>> = {
    'swipl/swipl.wasm': 0,
    'swipl/hornbook.state': 0,
  };

  constructor(
    private readonly addresses: Addresses,
    readonly worker: () => Worker,
    private readonly progress: Progress,
  ) {}

  swipl = () => this.#compile('swipl/swipl.wasm');
  state = () => this.#bytes('swipl/hornbook.state');

  crate(part: Part): Promise<Crate> {
    const code = this.#compile(`${part}/hornbook_bg.wasm`);
    // Two literal imports, since bundlers look for them.
    return part === 'core'
      ? import('../core/hornbook.js').then((crate) => instantiate(crate, code))
      : import('../full/hornbook.js').then((crate) => instantiate(crate, code));
  }

  async #compile(name: keyof typeof SIZES): Promise<WebAssembly.Module> {
    return WebAssembly.compile(await this.#bytes(name));
  }

  async #bytes(name: keyof typeof SIZES): Promise<ArrayBuffer> {
    this.#loaded[name] = 0;
    const bytes = new Uint8Array(SIZES[name]);
    let at = 0;
    for await (const chunk of await this.#stream(name)) {
      if (at + chunk.length > bytes.length) throw this.#otherFile(name);
      bytes.set(chunk, at);
      at += chunk.length;
      this.#tell(name, at);
    }
    if (at < bytes.length) throw this.#otherFile(name);
    return bytes.buffer;
  }

  async #stream(name: keyof typeof SIZES): Promise<ReadableStream<Uint8Array>> {
    const address = this.addresses[name];
    let response: Response;
    try {
      response = await fetch(address);
    } catch (error) {
      throw new Error(`${address} could not be loaded: ${(error as Error).message}`);
    }
    if (!response.ok) throw new Error(`${address} could not be loaded: the server answered ${response.status}`);
    return response.body!;
  }

  #tell(name: keyof typeof SIZES, loaded: number): void {
    this.#loaded[name] = loaded;
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
    const names = Object.keys(this.#loaded) as (keyof typeof SIZES)[];
    this.progress(sum(Object.values(this.#loaded)), sum(names.map((name) => SIZES[name])));
  }

  #otherFile(name: string): Error {
    return new Error(
      `${this.addresses[name as keyof Addresses]} is not the file of this version of Hornbook; clear the cache and reload`,
    );
  }
}
