/** The runner for JavaScript nodes. */
import { WorkerRunner } from '../../../pkg/languages/runner.js';
import { webLanguage } from '../../../pkg/page/languages.js';

/** A new one, whose worker starts when it is first used. */
export const javascript = (): WorkerRunner =>
  new WorkerRunner(
    webLanguage(
      () =>
        new Worker(new URL('./javascript-worker.ts', import.meta.url), {
          type: 'module',
          name: 'JavaScript of a workflow',
        }),
    ),
    'JavaScript',
  );
