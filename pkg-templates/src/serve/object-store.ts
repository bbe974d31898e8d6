/** A folder of a bucket in an S3-compatible object store. */
import type { AwsClient } from 'aws4fetch';

/** Its address: `s3://BUCKET/PREFIX?endpoint=URL&region=REGION`. */
export interface BucketAddress {
  bucket: string;
  /** Empty, or without leading and trailing slashes. */
  prefix: string;
  endpoint: string;
  region: string;
}

export interface StoredObject {
  /** Relative to the folder that was listed. */
  name: string;
  bytes: number;
  /** When it was written, in ISO 8601. */
  written: string;
}

/** How long it may take to answer when somebody waits, in milliseconds. */
const ANSWER_MS = 2_000;
/** The slowest transfer to wait for, in bytes per millisecond. */
const SLOWEST = 5_000;
/** How long a write may take, in milliseconds. */
const WRITE_MS = 300_000;
/** How long to leave it alone after it did not answer, in milliseconds. */
const REST_MS = 30_000;

/** `undefined` if it is not such an address. */
export function readBucketUrl(url: string): BucketAddress | undefined {
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!found) return undefined;
  const [, bucket, path = '', query] = found;
  const parameters = new URLSearchParams(query);
  if ([...parameters.keys()].some((name) => name !== 'endpoint' && name !== 'region')) return undefined;
  const region = parameters.get('region') ?? 'us-east-1';
  const endpoint = parameters.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const prefix = path.replace(/^\/+|\/+$/g, '');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint) || !/^[\w./-]*$/.test(prefix)) return undefined;
  return { bucket: bucket!, prefix, endpoint: endpoint.replace(/\/+$/, ''), region };
}

export class ObjectStore {
  readonly #url: string;
  readonly #prefix: string;
  #restsUntil = 0;

  /** @param client signs requests */
  constructor(
    private readonly client: AwsClient,
    { bucket, prefix, endpoint }: BucketAddress,
  ) {
    this.#url = `${endpoint}/${bucket}`;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
  }

  /** All objects in a folder. */
  async list(folder: string, signal: AbortSignal): Promise<StoredObject[]> {
    const start = `${this.#prefix}${folder}/`;
    const found: StoredObject[] = [];
    for (let next: string | undefined; ; ) {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: start,
        ...(next && { 'continuation-token': next }),
      });
      const text = await this.#ask(`?${query}`, { signal }, ANSWER_MS, (response) => response.text());
      for (const [contents] of text.matchAll(/<Contents>.*?<\/Contents>/gs)) {
        const name = within(contents, 'Key').slice(start.length);
        found.push({ name, bytes: Number(within(contents, 'Size')), written: within(contents, 'LastModified') });
      }
      if (within(text, 'IsTruncated') !== 'true') return found;
      next = within(text, 'NextContinuationToken');
    }
  }

  get(path: string, bytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const read = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    return this.#ask(this.#path(path), { signal }, ANSWER_MS + Math.ceil(bytes / SLOWEST), read);
  }

  async put(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const body = bytes as Uint8Array<ArrayBuffer>;
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex');
    const headers = { 'X-Amz-Content-Sha256': digest, 'Content-Type': 'application/gzip' };
    const init = { method: 'PUT', body, headers, signal };
    await this.#ask(this.#path(path), init, WRITE_MS, (response) => response.text());
  }

  async remove(path: string, signal: AbortSignal): Promise<void> {
    await this.#ask(this.#path(path), { method: 'DELETE', signal }, ANSWER_MS, (response) => response.text());
  }

  #path = (path: string) => `/${this.#prefix}${path}`;

  async #ask<T>(
    path: string,
    init: RequestInit & { signal: AbortSignal },
    ms: number,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    if (performance.now() < this.#restsUntil) throw new Error('it did not answer just now');
    const time = AbortSignal.timeout(ms);
    try {
      const request = await this.client.sign(this.#url + path, {
        ...init,
        signal: AbortSignal.any([init.signal, time]),
      });
      const response = await fetch(request);
      if (response.ok) return await read(response);
      const reason = within(await response.text(), 'Message') || response.statusText;
      if (response.status >= 500) throw new Error(reason);
      throw new Refused(`${response.status} ${reason}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      init.signal.throwIfAborted();
      this.#restsUntil = performance.now() + REST_MS;
      const { message, cause } = error as Error;
      throw new Error(time.aborted ? 'it does not answer in time' : ((cause as Error | undefined)?.message ?? message));
    }
  }
}

/** The store has answered with an error. */
class Refused extends Error {}

/**
 * The text of the first element with this name, or an empty string. The values that are looked up contain no entities.
 */
function within(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}
