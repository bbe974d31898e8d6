/** Vectors for texts from an OpenAI-compatible endpoint, and the file that caches them. */
import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import type { Embed } from '../full/hornbook.js';

/** Where vectors come from. */
export interface Embedding {
  /** The base address of the API: texts are posted to `URL/embeddings`. */
  url: string;
  /** The name of the model, which the endpoint is asked for. */
  model: string;
  /** Sent as a bearer token, if given. */
  key?: string | undefined;
  /** The file that caches vectors, so that none is computed twice. It may be deleted at any time. */
  file?: string | undefined;
}

/** The time limit of a request, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** A function that gets vectors from an endpoint. */
export function embedder({ url, model, key, file }: Embedding): Embed {
  const address = `${url.replace(/\/+$/, '')}/embeddings`;
  const name = (text: string) => createHash('sha256').update(`${model}\0${text}`).digest('base64url');
  let kept: Promise<Map<string, Float32Array>> | undefined;
  return async (texts) => {
    kept ??= file === undefined ? Promise.resolve(new Map()) : read(file);
    const known = await kept;
    const names = texts.map(name);
    const made = new Map<string, Float32Array>();
    const missing = texts.flatMap((text, at) => (known.has(names[at]!) ? [] : [{ text, name: names[at]! }]));
    if (missing.length > 0) {
      const vectors = await ask(
        address,
        model,
        key,
        missing.map(({ text }) => text),
      );
      for (const [at, vector] of vectors.entries()) made.set(missing[at]!.name, vector);
      // What is no number may be one the next time.
      const sound = [...made].filter(([, vector]) => isVector(vector));
      for (const [name, vector] of sound) known.set(name, vector);
      // If the file cannot be written, the only cost is computing them again.
      // What stands at the end of the file may be cut off.
      if (file !== undefined) await appendFile(file, `\n${sound.map(line).join('')}`).catch(() => {});
    }
    return names.map((one) => (known.get(one) ?? made.get(one))!);
  };
}

async function ask(address: string, model: string, key: string | undefined, input: string[]): Promise<Float32Array[]> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model, input }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new Error(`${address} cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message})`);
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status} ${response.statusText}`.trim());
  const { data } = (await response.json().catch(() => ({}))) as { data?: { index: number; embedding: unknown }[] };
  const vectors: Float32Array[] = [];
  for (const { index, embedding } of data ?? [])
    vectors[index] = Float32Array.from(isNumbers(embedding) ? embedding : []);
  if (vectors.length !== input.length || vectors.includes(undefined as never))
    throw new Error(`${address} did not return a vector for each text`);
  return vectors;
}

/** An array takes null for 0 and true for 1. */
const isNumbers = (given: unknown): given is number[] =>
  Array.isArray(given) && given.every((value) => typeof value === 'number');

/** Whether something is a vector: it has numbers, and only finite ones. */
const isVector = (given: Float32Array): boolean => given.length > 0 && given.every(Number.isFinite);

/** A line is a name and the bytes of a vector. Lines that are cut off or damaged are ignored. */
async function read(file: string): Promise<Map<string, Float32Array>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const vectors = new Map<string, Float32Array>();
  for (const [, name, bytes] of text.matchAll(/^([\w-]{43}) ([A-Za-z0-9+/]+={0,2})$/gm)) {
    const { buffer, byteOffset, byteLength } = Buffer.from(bytes!, 'base64');
    if (byteLength % 4 !== 0) continue;
    const vector = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
    if (isVector(vector)) vectors.set(name!, vector);
  }
  return vectors;
}

function line([name, { buffer, byteOffset, byteLength }]: [string, Float32Array]): string {
  return `${name} ${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}\n`;
}
