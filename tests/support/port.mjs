import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from 32768 on to whoever asks for any port, as many tests do. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** A port of this machine on which nobody listens, and which nobody gets who asks for any port. */
export async function freePort() {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
