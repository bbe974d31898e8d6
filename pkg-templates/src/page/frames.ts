/** The server's end of `window.postMessage` (docs/page.md). */
import type { Hornbook, Which } from '../full/hornbook.js';
import type { Port, PortConnection } from '../transport.js';

/** Which windows may connect. */
export interface FrameOptions {
  /** Their origins, such as `https://example.org`. The page's own origin is not allowed unless listed. */
  origins: string[];
}

/** Serves other windows. */
export interface FrameServer {
  /** Accept no more windows, and stop what runs for the connected ones. */
  close(): void;
}

/** Serve other windows until closed. `connect` serves one port. Throws if an origin is invalid. */
export function serveFrames(
  hornbook: Hornbook,
  origins: string[],
  connect: (port: Port, closed: () => void) => PortConnection,
): FrameServer {
  const post = (to: Which, origin: string, message: object) => windowOf(to)?.postMessage(message, origin);
  const frames = hornbook.serveFrames(origins, location.origin, parentOrigins(origins), post);
  const connections = new Set<PortConnection>();
  // A window that is still waiting asks again with the same id, although its answer is on the way.
  const answered = new WeakMap<object, Set<unknown>>();

  const take = ({ source, origin, data }: MessageEvent) => {
    const which = source && whichOf(source);
    const answer = which && frames.receive(which, origin, data);
    if (!answer) return;
    const ids = answered.get(source) ?? new Set();
    answered.set(source, ids);
    if (ids.has(data.id)) return;
    ids.add(data.id);
    const { port1, port2 } = new MessageChannel();
    const connection = connect(port1, () => connections.delete(connection));
    connections.add(connection);
    source.postMessage(answer, { targetOrigin: origin, transfer: [port2] });
  };
  addEventListener('message', take);
  return {
    close() {
      removeEventListener('message', take);
      for (const connection of connections) connection.close();
      frames.close();
    },
  };
}

/** The source of a message to a window is a window, a port or a service worker. */
function whichOf(source: MessageEventSource): Which | undefined {
  if (source === window) return 'own';
  if (source === window.parent) return 'parent';
  return 'window' in source ? 'other' : undefined;
}

function windowOf(which: Which): Window | undefined {
  if (which === 'own') return window;
  return which === 'parent' && window.parent !== window ? window.parent : undefined;
}

/** The origins that the parent may have: if the browser does not reveal it, any allowed one. */
function parentOrigins(allowed: string[]): string[] {
  if (window.parent === window) return [];
  const { ancestorOrigins } = location;
  return ancestorOrigins ? [ancestorOrigins[0]!] : allowed;
}
