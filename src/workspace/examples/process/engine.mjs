// One engine behind pipes: node engine.mjs PACKAGE, where PACKAGE is the folder of the npm package.
//   standard input    for each request, LENGTH\n and the request, of LENGTH bytes
//   standard output   for each request, ok LENGTH MEMORY\n and the reply, of LENGTH bytes;
//                     or died KIND REASON\n, and then the end
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const part = (path) => import(pathToFileURL(resolve(process.argv[2], path)));
const { Engines } = await part('engine/host.js');
const { loadParts, startWorker } = await part('node/engine.js');

const engines = new Engines(startWorker, loadParts, (text) => process.stderr.write(text));
const engine = await engines.spawn();

let waiting = Buffer.alloc(0);
for await (const bytes of process.stdin) {
  waiting = Buffer.concat([waiting, bytes]);
  for (;;) {
    const line = waiting.indexOf('\n');
    const end = line + 1 + Number(waiting.subarray(0, Math.max(line, 0)));
    if (line < 0 || waiting.length < end) break;
    const request = waiting.toString('utf8', line + 1, end);
    waiting = waiting.subarray(end);
    try {
      const reply = Buffer.from(await engine.request(request));
      process.stdout.write(`ok ${reply.length} ${engine.bytes}\n`);
      process.stdout.write(reply);
    } catch (death) {
      process.stdout.write(`died ${death.kind} ${death.message.replaceAll('\n', ' ')}\n`, () => process.exit(1));
    }
  }
}
engines.close();
