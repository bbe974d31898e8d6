/** The server's end of `window.postMessage` (docs/page.md). */
import type { Hornbook, Which } from '../full/hornbook.js';
import type { Port, PortConnection } from '../transport.js';

/** Which windows may connect. */
export interface FrameOptions {
  /** Their origins, as `https://example.org`. The own origin is not allowed by itself. */
  origins: string[];
}

/** The windows that are served. */
export interface FrameServer {
  /** Serve no more windows, and stop what runs for those that are. */
  close(): void;
}

/** Serve other windows until it is closed. `connect` serves one port. Throws when an origin is none. */
export function serveFrames(
  hornbook: Hornbook,
  origins: string[],
  connect: (port: Port, closed: () => void) => PortConnection,
): FrameServer {
  const post = (to: Which, origin: string, message: object) => windowOf(to)?.postMessage(message, origin);
  const frames = hornbook.serveFrames(origins, location.origin, parentOrigins(origins), post);
  const connections = new Set<PortConnection>();
  // A window that waits asks again, with the same id; its answer is on the way.
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

/** What posts to a window is a window, a port or a service worker. */
function whichOf(source: MessageEventSource): Which | undefined {
  if (source === window) return 'own';
  if (source === window.parent) return 'parent';
  return 'window' in source ? 'other' : undefined;
}

function windowOf(which: Which): Window | undefined {
  if (which === 'own') return window;
  return which === 'parent' && window.parent !== window ? window.parent : undefined;
}

/** The origins that the parent may have: where the browser does not tell it, any that is allowed. */
function parentOrigins(allowed: string[]): string[] {
  if (window.parent === window) return [];
  const { ancestorOrigins } = location;
  return ancestorOrigins ? [ancestorOrigins[0]!] : allowed;
}
