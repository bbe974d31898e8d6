/**
 * The body of an engine worker, in Node and on the web: it confines the realm, boots an engine, and answers messages in
 * order until the engine dies.
 */
import { confine } from './confine.js';
import type { DeathKind, EngineDeath } from './death.js';
import { bootEngine, type Engine, type EngineImage } from './engine.js';

/** To the worker: first the image, and once it is ready requests, each a string. `save` asks for its memory. */
export type ToEngine = EngineImage | string | { save: true };

/**
 * From the worker: the reply to the oldest request, with the size of the engine's memory in bytes. Nothing follows
 * `death`.
 */
export type FromEngine =
  | { reply: string; bytes: number }
  | { ready: true }
  | { state: Uint8Array }
  | { log: string }
  | { death: DeathKind; reason: string };

/** The worker's end of the connection to its host. */
export interface Port {
  send(message: FromEngine): void;
  onMessage(take: (message: ToEngine) => void): void;
}

/**
 * How much may be logged per request, in UTF-16 units, so that a program that warns endlessly does not fill up the
 * host.
 */
const LOG_LIMIT = 16_384;

/** Call once, when the worker starts. */
export function serveEngine(port: Port): void {
  let room = LOG_LIMIT;
  const log = (text: string) => {
    if (room <= 0) return;
    room -= text.length;
    port.send({ log: room > 0 ? text : `${text.slice(0, LOG_LIMIT)}… (no more is logged for this request)\n` });
  };
  confine(log);

  let engine: Engine | undefined;
  port.onMessage(async (message) => {
    room = LOG_LIMIT;
    try {
      if (typeof message === 'string') port.send({ reply: engine!.request(message), bytes: engine!.bytes });
      else if ('save' in message) port.send({ state: await engine!.save() });
      else {
        engine = await bootEngine(message, log);
        port.send({ ready: true });
      }
    } catch (error) {
      engine = undefined;
      const { kind, message: reason } = error as EngineDeath;
      port.send({ death: kind ?? 'failed', reason });
    }
  });
}
