/** MCP on standard input and output: one JSON text a line, nothing else on standard output. */
import type { Hornbook } from './core/hornbook.js';

/** Requests that still run when the input ends have this long, in milliseconds. */
const LAST_REPLIES = 60_000;

/** Serve until the input ends and the last reply is written, or a signal comes, or the output is closed. */
export async function serveStdio(hornbook: Hornbook): Promise<void> {
  const output = new LineWriter(process.stdout);
  const connection = hornbook.connect((message) => output.write(message));
  const lines = new LineReader((line) => connection.receive(line));

  const ended = new Promise<'input' | 'now'>((resolve) => {
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => lines.take(chunk));
    process.stdin.on('end', () => resolve('input'));
    process.stdin.on('error', () => resolve('input'));
    process.stdout.on('error', () => resolve('now'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('now'));
  });
  if ((await ended) === 'input') {
    lines.end();
    let timer: NodeJS.Timeout;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST_REPLIES)));
    await Promise.race([hornbook.idle(), late]).finally(() => clearTimeout(timer));
  }
  process.stdin.destroy();
  connection.close();
  await output.end();
}

/** Cuts chunks into lines; empty ones are dropped. */
class LineReader {
  #parts: string[] = [];

  constructor(private readonly line: (line: string) => void) {}

  take(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      this.#parts.push(chunk.slice(start, end));
      this.end();
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.slice(start));
  }

  /** The input ends here: what there is of a line is one. */
  end(): void {
    const line = this.#parts.join('').trim();
    this.#parts = [];
    if (line) this.line(line);
  }
}

/** Writes the lines of one turn of the event loop together. */
class LineWriter {
  #lines: string[] = [];

  constructor(private readonly stream: NodeJS.WriteStream) {}

  write(line: string): void {
    if (this.#lines.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(line);
  }

  /** Resolves when everything is written. */
  end(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.stream.write('', () => resolve()));
  }

  #flush(): void {
    if (this.#lines.length > 0) this.stream.write(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
  }
}
