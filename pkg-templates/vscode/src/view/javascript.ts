/** Replaces the playground's: JavaScript nodes in a worker from a blob, since this page may not load one from a file. */
import type { StartLanguage } from '../../../../pkg/languages/runner.js';
import { WorkerRunner } from '../../../../pkg/languages/runner.js';
import { sentence } from '../../../../www/src/dom.ts';

/** The address of the script, with QuickJS in it; fetched when a node first needs it. */
let address: Promise<string> | undefined;

async function fetched(): Promise<string> {
  const response = await fetch(`${document.body.dataset.dist}javascript-worker.js`);
  if (!response.ok) throw new Error('The file of its worker is missing.');
  return URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
}

const start: StartLanguage = (take, failed) => {
  let worker: Worker | undefined;
  let isOver = false;
  address ??= fetched();
  address.then(
    (script) => {
      if (isOver) return;
      worker = new Worker(script, { name: 'JavaScript of a workflow' });
      worker.onmessage = ({ data }) => take(data);
      worker.onerror = ({ message }) => failed(message);
    },
    (error: unknown) => {
      address = undefined;
      failed(sentence(error));
    },
  );
  return {
    // It has told that it is ready.
    post: (request) => worker?.postMessage(request),
    end: () => {
      isOver = true;
      worker?.terminate();
    },
  };
};

export const javascript = (): WorkerRunner => new WorkerRunner(start, 'JavaScript');
