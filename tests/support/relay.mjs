// Sits between clients and a server, and can cut all connections at once, or stall them without closing any.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export class Relay {
  #sockets = new Set();
  #hangs = false;

  /**
   * A relay to a port of this machine.
   *
   * @param edit may change what a client sends
   */
  static async to(port, edit = (bytes) => bytes) {
    const relay = new Relay();
    relay.server = createServer((client) => {
      const there = connect(port, '127.0.0.1');
      relay.#join(client, there, edit);
      relay.#join(there, client, (bytes) => bytes);
    }).listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    relay.port = relay.server.address().port;
    return relay;
  }

  #join(from, to, edit) {
    this.#sockets.add(from);
    from
      .on('data', (bytes) => to.write(edit(bytes)))
      .on('error', () => {})
      .on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    if (this.#hangs) from.pause();
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on nothing passes. New connections are accepted, and stall too. */
  hang() {
    this.#hangs = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Pass on what was held back, if anybody still waits for it. */
  goOn() {
    this.#hangs = false;
    for (const socket of this.#sockets) socket.resume();
  }

  stop() {
    this.server.close();
    this.cut();
  }
}
