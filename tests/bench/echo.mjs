// A server that says each line back by way of a worker: what standard input and output and a worker cost at least.
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
