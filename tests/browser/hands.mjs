// One served book, opened by a page, an agent on standard input and output, and a client of the server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';
import { CSP, launch, servePackage, visit } from './harness.mjs';

const SNAPSHOT = 'prolog://workspace/snapshot';
/** Whoever waits longer than this, in milliseconds, was not notified. */
const PATIENCE_MS = 10_000;

export class Hands {
  /** Functions that write a clause, by name; each resolves when the write is answered. */
  writers;
  /** When each was notified of what others wrote, in milliseconds since 1970. */
  #ears;

  /** @param origins of other pages that the server allows */
  static async start({ origins = [] } = {}) {
    const hands = new Hands();
    const folder = mkdtempSync(join(tmpdir(), 'hornbook-served-'));
    const site = await servePackage({
      csp: CSP.replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*"),
    });
    const allowed = [site.origin, ...origins].flatMap((origin) => ['--origin', origin]);
    const [browser, server] = await Promise.all([launch(), Serving.start(folder, allowed)]);
    const book = `${server.url}/log/shared`;
    const agent = await Server.start({ args: ['--book', book] });
    hands.close = async () => {
      await Promise.all([browser.close(), site.close(), server.kill(), agent.end()]);
      rmSync(folder, { recursive: true });
    };
    const page = await visit(browser, site.origin);
    await page.evaluate(
      async ([book, uri]) => {
        window.hornbook = await createHornbook({ book });
        window.client = await agent(hornbook);
        window.heard = [];
        client.setNotificationHandler('notifications/resources/updated', () => heard.push(Date.now()));
        await client.listen({ resourceSubscriptions: [uri] });
      },
      [book, SNAPSHOT],
    );
    await agent.request('resources/subscribe', { uri: SNAPSHOT });
    const agentHeard = [];
    const hear = agent.hear.bind(agent);
    agent.hear = (message, line) => {
      hear(message, line);
      if (message.method === 'notifications/resources/updated') agentHeard.push(Date.now());
    };
    Object.assign(hands, { book, page, agent });
    hands.#ears = { page: () => page.evaluate(() => heard), agent: async () => agentHeard };
    hands.writers = {
      page: (clause) => page.evaluate((clauses) => call(client, 'clauses', { operation: 'assert', clauses }), clause),
      agent: (clauses) => agent.call('clauses', { operation: 'assert', clauses }),
      server: (clauses) => server.assert('shared', clauses),
    };
    return hands;
  }

  /**
   * One more that has the book.
   *
   * @param heard when it heard of what others wrote, in milliseconds since 1970
   */
  join(name, { write, heard }) {
    this.writers[name] = write;
    this.#ears[name] = heard;
  }

  /** Makes one of them write a clause; returns how many milliseconds each of the others took to be notified. */
  async write(writer, clause) {
    const others = Object.entries(this.#ears).filter(([name]) => name !== writer);
    const had = await Promise.all(others.map(async ([, heard]) => (await heard()).length));
    const begun = Date.now();
    await this.writers[writer](clause);
    const heard = await Promise.all(
      others.map(async ([name, heard], n) => [name, (await more(heard, had[n])) - begun]),
    );
    return Object.fromEntries(heard);
  }
}

/** Resolves when `heard` has more entries than `had`. */
async function more(heard, had) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const times = await heard();
    if (times.length > had) return times[had];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it was not heard');
}
