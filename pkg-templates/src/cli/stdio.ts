/** MCP on standard input and output: one JSON text a line, nothing else on standard output. */
import type { Hornbook } from '../full/hornbook.js';

/** Requests that still run when the input ends have this long, in milliseconds. */
const LAST_REPLIES = 60_000;
/** A client that has asked for the end has this long to read the rest, in milliseconds. */
const LAST_READ = 1_000;
/** With more bytes than so many that the client has not read nothing more is read from it, and no call begins. */
const UNREAD_BYTES = 1 << 20;

/**
 * Serve until the input ends and the last reply is written, or a signal comes, or the output is closed. Whether all was
 * written: what a client has not read keeps the process.
 */
export async function serveStdio(hornbook: Hornbook): Promise<boolean> {
  const { stdin, stdout } = process;
  let open = true;
  const output = new LineWriter(stdout, () => {
    if (open) connection.resume();
    goOn();
  });
  const connection = hornbook.connect((message) => {
    // What waits may be less now.
    setImmediate(goOn);
    return output.write(message);
  });
  const lines = new LineReader(connection.lineBytes, {
    line: (line) => connection.receive(line),
    tooLong: () => connection.refuseLine(),
  });
  const goOn = () => {
    if (open && stdin.isPaused() && !output.congested && !connection.full) stdin.resume();
  };

  const ended = await new Promise<'input' | 'now'>((resolve) => {
    stdin.on('data', (chunk: Buffer) => {
      lines.take(chunk);
      if (output.congested || connection.full) stdin.pause();
    });
    stdin.on('end', () => resolve('input'));
    stdin.on('error', () => resolve('input'));
    stdout.on('error', () => resolve('now'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('now'));
  });
  let time = LAST_READ;
  if (ended === 'input') {
    lines.end();
    time = LAST_REPLIES;
    await within(time, hornbook.idle());
  }
  open = false;
  stdin.destroy();
  connection.close();
  return within(time, output.end());
}

/** Whether something comes to its end in so many milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** Cuts chunks into lines; empty ones are dropped, and ones of more than `most` bytes are not kept. */
class LineReader {
  #parts: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly most: number,
    private readonly to: { line(line: string): void; tooLong(): void },
  ) {}

  take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The input ends here: what there is of a line is one. */
  end(): void {
    const line = Buffer.concat(this.#parts).toString().trim();
    this.#parts = [];
    this.#length = 0;
    if (line) this.to.line(line);
  }

  #keep(part: Buffer): void {
    const before = this.#length;
    this.#length += part.length;
    if (this.#length <= this.most) this.#parts.push(part);
    else if (before <= this.most) {
      this.#parts = [];
      this.to.tooLong();
    }
  }
}

/** Writes the lines of one turn of the event loop together. */
class LineWriter {
  #lines: string[] = [];
  /** Characters of the lines. */
  #length = 0;
  /** Whether there is too much that was not read. */
  congested = false;

  /** @param read told when what was too much has been read */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly read: () => void,
  ) {
    stream.on('drain', () => this.#relax());
  }

  /** Whether more may come. */
  write(line: string): boolean {
    if (this.#lines.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(line);
    this.#length += line.length;
    this.congested ||= this.#length + this.stream.writableLength > UNREAD_BYTES;
    return !this.congested;
  }

  /** Resolves when everything is written. */
  end(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.stream.write('', () => resolve()));
  }

  #flush(): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    // Written as a whole at once, there is nothing to wait for.
    if (lines.length === 0 || this.stream.write(`${lines.join('\n')}\n`)) this.#relax();
  }

  #relax(): void {
    if (!this.congested) return;
    this.congested = false;
    this.read();
  }
}
