/** Requests of revision 2026-07-28: each is self-contained, and its response ends with its answer. */
import type { Rights } from './access.js';
import type { OpenBook } from './books.js';
import type { Admission, Client } from './clients.js';
import type { Exchange } from './exchange.js';
import { isRequest, paramsOf, statusOf, taskOf, type Message } from './message.js';
import type { States } from './states.js';

/** How a request is served. */
export interface Service {
  book: OpenBook;
  client: Client;
  admission: Admission;
  /** What the request may do. */
  rights: Rights;
  states: States;
}

/** Resolves when the response has ended. A client that disconnects cancels the request. */
export function serveStateless(exchange: Exchange, message: Message, service: Service): Promise<void> {
  if (!isRequest(message)) {
    exchange.send(202);
    return Promise.resolve();
  }
  const { book, client, admission, rights, states } = service;
  const events = exchange.accepts('text/event-stream');
  const pipe = book.connect(client, (sent, heard) => {
    if (heard.method !== undefined) return events ? exchange.event(sent) : true;
    const { result } = heard;
    const task = taskOf(heard);
    if (task !== undefined) book.follow(task, client, admission);
    let answer = sent;
    if (result?.resultType === 'input_required' && result.requestState !== undefined) {
      result.requestState = states.sign(result.requestState, book.name, client.key);
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
  let { text } = exchange;
  const params = paramsOf(message);
  if (typeof params.requestState === 'string') {
    // A state that was not given to this client must not reach the book.
    params.requestState = states.verified(params.requestState, book.name, client.key) ?? '';
    text = JSON.stringify(message);
  }
  try {
    pipe.receive(text, rights);
  } catch (error) {
    pipe.close();
    throw error;
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
