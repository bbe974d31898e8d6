// Sits between a book's server and a follower, and passes on events only when the test says so.
import { once } from 'node:events';
import { createServer } from 'node:http';

export class SlowEvents {
  /** Events that were not passed on yet. */
  #held = [];
  #stream;
  #watchers = new Set();
  /** Before each answer that contains this text, pass on one more of the events before the one that contains it. */
  #text;

  static async before(url) {
    const between = new SlowEvents();
    between.server = createServer((request, response) => {
      between.#pass(url, request, response).catch(() => response.destroy());
    });
    between.server.listen(0, '127.0.0.1');
    await once(between.server, 'listening');
    between.url = `http://127.0.0.1:${between.server.address().port}`;
    return between;
  }

  /** Resolves when an event with this text is held back. */
  async holds(text) {
    while (!this.#held.some((event) => event.includes(text)))
      await new Promise((resolve) => this.#watchers.add(resolve));
  }

  /** Starting with the event that contains `from`, pass on one event before each answer that contains `to`. */
  overtake(from, to) {
    this.#release(this.#place(from));
    this.#text = to;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #pass(url, request, response) {
    const chunks = await request.toArray();
    const { host, connection, 'content-length': length, ...headers } = request.headers;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await fetch(url + request.url, {
      method: request.method,
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      signal: gone.signal,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (request.url.includes('live=sse')) {
      response.flushHeaders();
      this.#stream = response;
      return this.#hold(answer.body);
    }
    const text = await answer.text();
    if (this.#text !== undefined && text.includes(this.#text) && this.#place(this.#text) > 0) {
      // The data event, and the control event that says where it ends.
      this.#release(2);
      // Give the follower time to read it.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    response.end(text);
  }

  async #hold(body) {
    let rest = '';
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + part).split('\n\n');
      rest = events.pop();
      this.#held.push(...events);
      for (const watch of this.#watchers) watch();
      this.#watchers.clear();
    }
  }

  #place(text) {
    return this.#held.findIndex((event) => event.includes(text));
  }

  #release(count) {
    for (const event of this.#held.splice(0, count)) this.#stream.write(`${event}\n\n`);
  }
}
