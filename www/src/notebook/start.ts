/** The worker that reads notebooks. */
export const startReader = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'Reader of notebooks' });
