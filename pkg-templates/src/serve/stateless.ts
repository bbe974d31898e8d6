/** Requests of revision 2026-07-28: each is self-contained, and its response ends with its answer. */
import type { OpenBook } from './books.js';
import type { Exchange } from './exchange.js';
import { isRequest, statusOf, type Message } from './message.js';
import type { States } from './states.js';

/** How a request is served. */
export interface Service {
  book: OpenBook;
  /** The key of the client. */
  client: string;
  readOnly: boolean;
  states: States;
}

/** Resolves when the response has ended. A client that disconnects cancels the request. */
export function serveStateless(exchange: Exchange, message: Message, text: string, service: Service): Promise<void> {
  if (!isRequest(message)) {
    exchange.send(202);
    return Promise.resolve();
  }
  const { book, client, readOnly, states } = service;
  const events = exchange.accepts('text/event-stream');
  const pipe = book.connect(client, readOnly, (sent, heard) => {
    if (Array.isArray(heard)) return true;
    if (heard.method !== undefined) return events ? exchange.event(sent) : true;
    const { result } = heard;
    let answer = sent;
    if (result?.resultType === 'input_required' && result.requestState !== undefined) {
      result.requestState = states.sign(result.requestState, book.name, client);
      answer = JSON.stringify(heard);
    }
    if (exchange.streaming) {
      exchange.event(answer);
      exchange.end();
    } else {
      exchange.send(statusOf(heard), answer);
    }
    return true;
  });
  exchange.onread = () => pipe.resume();
  const state = message.params?.requestState;
  if (typeof state === 'string') {
    // A state that was not given to this client must not reach the book.
    message.params!.requestState = states.verified(state, book.name, client) ?? '';
    pipe.receive(JSON.stringify(message));
  } else {
    pipe.receive(text);
  }
  return new Promise((resolve) => {
    const end = () => {
      pipe.close();
      resolve();
    };
    if (exchange.gone.aborted) end();
    else exchange.gone.addEventListener('abort', end);
  });
}
