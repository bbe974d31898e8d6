// The server over stdio, with a client cheap enough that the measurement is of the server.
import { BIN, StdioProcess } from '../support/stdio.mjs';

/** A running server. `call(tool, args)` resolves with the tool's result; an error result throws. */
export function server(...options) {
  return started([BIN, ...options]);
}

/** The same for any server over stdio, given Node's arguments and additional environment variables. */
export async function started(args, env = {}) {
  const options = { stdio: ['pipe', 'pipe', 'inherit'], env: { ...globalThis.process.env, ...env } };
  const process = new StdioProcess(args, options);
  const request = async (method, params) => {
    const { result, error } = await process.ask((id) => ({ jsonrpc: '2.0', id, method, params })).reply;
    if (error || result.isError) throw new Error(error?.message ?? result.content[0].text);
    return result;
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  process.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    pid: process.child.pid,
    call: (name, args) => request('tools/call', { name, arguments: args }),
    close: () => process.end(),
  };
}
