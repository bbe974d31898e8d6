// A server that echoes each line through a worker: the minimum cost of standard input and output and a worker.
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  worker.on('message', (text) => process.stdout.write(text));
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => worker.postMessage(text));
  process.stdin.on('end', () => worker.terminate());
} else {
  parentPort.on('message', (text) => parentPort.postMessage(text));
}
