/** MCP over standard input and output: one JSON text per line, and nothing else on standard output. */
import type { Hornbook } from '../full/hornbook.js';

/**
 * When the input has ended, requests may go on while they are answered: after this many milliseconds without a reply
 * those that still run are cancelled.
 */
const LAST_REPLY = 3_000;
/** How long the client may take to read the replies after the input has ended, in milliseconds. */
const LAST_REPLIES = 60_000;
/** How long the client may take to read the rest after a signal, in milliseconds. */
const LAST_READ = 1_000;
/** While more bytes than this are unread by the client, no input is read and no call starts. */
const UNREAD_BYTES = 1 << 20;

/**
 * Serve until the input ends and the last reply is written, a signal comes, or the output is closed. Resolves with
 * whether everything was written: output that the client has not read would keep the process alive.
 */
export async function serveStdio(hornbook: Hornbook): Promise<boolean> {
  const { stdin, stdout } = process;
  let open = true;
  let inputEnded = false;
  const output = new LineWriter(stdout, () => {
    if (open) connection.resume();
    goOn();
  });
  let replied = 0;
  const connection = hornbook.connect((message) => {
    if (inputEnded && isReply(message)) replied = performance.now();
    // The amount waiting may have dropped.
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
    inputEnded = true;
    replied = performance.now();
    time = LAST_REPLIES;
    const idle = hornbook.idle();
    let left = LAST_REPLY;
    while (left > 0 && !(await within(left, idle))) left = replied + LAST_REPLY - performance.now();
  }
  open = false;
  stdin.destroy();
  connection.close();
  return within(time, output.end());
}

/** Whether a message answers a request, and does not report progress or ask something. */
function isReply(message: string): boolean {
  return !('method' in JSON.parse(message));
}

/** Whether the work finishes within `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** Splits chunks into lines. Empty lines are dropped; lines of more than `most` bytes are not kept. */
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

  /** The input has ended: an unfinished line counts as a line. */
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
  /** The number of characters in those lines. */
  #length = 0;
  /** Whether too much output is unread. */
  congested = false;

  /** @param read called when the client has caught up */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly read: () => void,
  ) {
    stream.on('drain', () => this.#relax());
  }

  /** Returns whether more may be written now. */
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
    // If all of it was written at once, there is nothing to wait for.
    if (lines.length === 0 || this.stream.write(`${lines.join('\n')}\n`)) this.#relax();
  }

  #relax(): void {
    if (!this.congested) return;
    this.congested = false;
    this.read();
  }
}
