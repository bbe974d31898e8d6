// The server over stdio, with a client that costs as little as possible: what is measured is the server.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));

/** A running server. `call(tool, args)` resolves with the result of the tool; an error result throws. */
export async function server(...options) {
  const child = spawn(process.execPath, [BIN, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      const answer = waiting.get(id);
      if (!answer) continue;
      waiting.delete(id);
      if (error || result.isError) answer.reject(new Error(error?.message ?? result.content[0].text));
      else answer.resolve(result);
    }
  });
  let last = 0;
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    pid: child.pid,
    call: (name, args) => request('tools/call', { name, arguments: args }),
    close: () => new Promise((resolve) => { child.on('exit', resolve); child.stdin.end(); }),
  };
}
