/** Messages between processes on a stream: JSON followed by bytes. */
import type { Socket } from 'node:net';

/** The size of the lengths of both parts, two 32-bit numbers. */
const HEAD = 8;
/** The maximum length of a message; anything longer is damaged. */
const MOST_BYTES = 1 << 30;

export interface Frame<T> {
  message: T;
  bytes: Buffer;
}

export function send(socket: Socket, message: object, pieces: Uint8Array[] = []): void {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(
    pieces.reduce((sum, piece) => sum + piece.length, 0),
    4,
  );
  socket.cork();
  socket.write(head);
  socket.write(json);
  for (const piece of pieces) socket.write(piece);
  socket.uncork();
}

/** Call `heard` with each message. An invalid one ends the connection. */
export function receive<T>(socket: Socket, heard: (frame: Frame<T>) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = HEAD;
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk);
    length += chunk.length;
    while (length >= wanted) {
      const all = Buffer.concat(parts);
      const json = all.readUInt32BE(0);
      wanted = HEAD + json + all.readUInt32BE(4);
      if (wanted > MOST_BYTES) return void socket.destroy();
      if (length < wanted) {
        parts = [all];
        return;
      }
      const [message, rest] = [all.subarray(HEAD, HEAD + json), all.subarray(wanted)];
      const bytes = all.subarray(HEAD + json, wanted);
      parts = rest.length > 0 ? [rest] : [];
      length = rest.length;
      wanted = HEAD;
      let parsed: T;
      try {
        parsed = JSON.parse(message.toString()) as T;
      } catch {
        return void socket.destroy();
      }
      heard({ message: parsed, bytes });
    }
  });
}
