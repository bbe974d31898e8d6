/** Hornbook in Node. */
export { Connection, Hornbook, type Options } from './full/hornbook.js';
export { loadCrate } from './node/crate.js';
export { FileStore } from './node/file-store.js';
export * from './node/open.js';
export { SharedStore } from './node/shared-store.js';
export { wordVectors } from './word-vectors.js';
