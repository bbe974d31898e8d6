/** Hornbook without a host of its own: give it one, or use `hornbook/node`. */
export { default as load, Connection, Hornbook } from './core/hornbook.js';
export type { Engine, FileFault, Host, Options, Store } from './core/hornbook.js';
export { EngineHandle, type EngineWorker, type StartWorker } from './engine/host.js';
export type { EngineImage, Program } from './engine/engine.js';
