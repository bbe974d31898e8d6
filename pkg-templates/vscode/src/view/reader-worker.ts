/** Replaces the playground's: the reader of notebooks, in a worker from a blob. */

/** The script of the worker, inserted by the build. */
declare const READER_WORKER: string;

const script = () => URL.createObjectURL(new Blob([READER_WORKER], { type: 'text/javascript' }));

export const startReader = (): Worker => new Worker(script(), { name: 'Reader of notebooks' });
