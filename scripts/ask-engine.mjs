// node scripts/ask-engine.mjs REQUEST...: boots an engine from the current files in prolog/, sends the request terms in
// order (docs/engine-protocol.md), and prints the replies without their checksums. `-` reads standard input, one
// request per line.
import { readFileSync } from 'node:fs';
import { buildEngine, freshEngine } from './build.mjs';
import { npmPackages } from './setup.mjs';
import { main } from './steps.mjs';

await main(async () => {
  await npmPackages();
  await buildEngine();
  const engine = await freshEngine((text) => process.stderr.write(text));
  try {
    const requests = process.argv
      .slice(2)
      .flatMap((argument) => (argument === '-' ? readFileSync(0, 'utf8').split('\n').filter(Boolean) : [argument]));
    for (const request of requests) {
      const started = performance.now();
      console.log((await engine.request(request)).slice(8));
      console.error(`  (${(performance.now() - started).toFixed(1)} ms)`);
    }
  } finally {
    engine.end();
  }
});
