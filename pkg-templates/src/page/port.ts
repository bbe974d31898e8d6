/** The server's end of a `MessagePort` or a worker (docs/page.md). */
import type { Hornbook } from '../full/hornbook.js';
import { CLOSED, type ConnectOptions, type Port, type PortConnection } from '../transport.js';

/** Serve the client at the other end of a port until either side closes it. */
export function servePort(
  hornbook: Hornbook,
  port: Port,
  closed: () => void,
  { replyTokens, host }: ConnectOptions = {},
): PortConnection {
  const connection = hornbook.connectObjects((message) => port.postMessage(message));
  if (replyTokens !== undefined) connection.replyTokens = replyTokens;
  if (host) connection.actsAsHost();
  const take = ({ data }: MessageEvent) => (data?.method === CLOSED.method ? close() : connection.receiveObject(data));
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    port.removeEventListener('message', take);
    port.removeEventListener('close', close);
    connection.close();
    port.postMessage(CLOSED);
    if (port instanceof MessagePort) port.close();
    closed();
  };
  port.addEventListener('message', take);
  port.addEventListener('close', close);
  port.start?.();
  return { close };
}
