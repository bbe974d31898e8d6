// A session with `hornbook serve` in the older era, message by message, and bodies that no client would send.

/** Begin a session. Rejects if the server refuses. */
export async function beginSession(
  url,
  book,
  { headers = {}, revision = '2025-11-25', capabilities = {}, name = 'tests' } = {},
) {
  const session = new Session(`${url}/mcp/${book}`, headers);
  const clientInfo = { name, version: '1' };
  const response = await session.send({
    jsonrpc: '2.0',
    id: 'begin',
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  });
  const text = await response.text();
  if (response.status !== 200 || JSON.parse(answerIn(text)).error)
    throw Object.assign(new Error(text), { status: response.status });
  session.id = response.headers.get('mcp-session-id');
  return session;
}

class Session {
  #last = 0;

  constructor(address, headers) {
    this.address = address;
    this.headers = headers;
  }

  /** Send a message, a batch or any text. */
  send(message, { headers = {}, signal, method = 'POST' } = {}) {
    return fetch(this.address, {
      method,
      signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.id && { 'Mcp-Session-Id': this.id }),
        ...this.headers,
        ...headers,
      },
      body: method === 'POST' ? (typeof message === 'string' ? message : JSON.stringify(message)) : undefined,
    });
  }

  /** A tool's answer, parsed. */
  async call(name, values, options) {
    const params = { name, arguments: values };
    const response = await this.send({ jsonrpc: '2.0', id: ++this.#last, method: 'tools/call', params }, options);
    return { status: response.status, ...JSON.parse(answerIn(await response.text())) };
  }
}

/** The last message in a body, which may be an event stream. */
export const answerIn = (text) => /(?:^|\n)data: ?(.*)\n\n$/s.exec(text)?.[1] ?? text;
