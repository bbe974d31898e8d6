/** The files that Hornbook loads in a page. */
import { SIZES } from '../swipl/sizes.js';

/** Where the parts come from: `web.ts` fetches them, `inline.ts` has them inside. */
export interface Assets {
  /** The crate. */
  core(): Promise<WebAssembly.Module>;
  /** SWI-Prolog. */
  swipl(): Promise<WebAssembly.Module>;
  /** SWI-Prolog's own library. */
  library(): Promise<ArrayBuffer>;
  /** The engine's state, with Hornbook's Prolog in it. */
  state(): Promise<ArrayBuffer>;
  /** A worker that runs `worker-web.js`. */
  worker(): Worker;
}

/** Told how many bytes of how many there are, after compression is undone. At the end both are the same. */
export type Progress = (loaded: number, total: number) => void;

/** The addresses of the parts. */
export type Addresses = Record<keyof typeof SIZES, URL>;

/** Loads the parts from a server. */
export class FetchedAssets implements Assets {
  #loaded: Record<string, number> = {};

  constructor(
    private readonly addresses: Addresses,
    readonly worker: () => Worker,
    private readonly progress: Progress,
  ) {}

  core = () => this.#compile('core/hornbook_bg.wasm');
  swipl = () => this.#compile('swipl/swipl.wasm');
  library = () => this.#bytes('swipl/swipl.data');
  state = () => this.#bytes('swipl/hornbook.state');

  async #compile(name: keyof typeof SIZES): Promise<WebAssembly.Module> {
    return WebAssembly.compile(await this.#bytes(name));
  }

  async #bytes(name: keyof typeof SIZES): Promise<ArrayBuffer> {
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
    if (!response.ok) throw new Error(`${address} could not be loaded: the server answers ${response.status}`);
    return response.body!;
  }

  #tell(name: string, loaded: number): void {
    this.#loaded[name] = loaded;
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
    this.progress(sum(Object.values(this.#loaded)), sum(Object.values(SIZES)));
  }

  #otherFile(name: string): Error {
    return new Error(
      `${this.addresses[name as keyof Addresses]} is not the file of this version of Hornbook; clear the cache and reload`,
    );
  }
}
