// npm start: sets up, builds, and serves the playground.
// npm start -- ARGUMENTS: sets up, builds, then runs `hornbook ARGUMENTS` (`npm start -- --help` lists its commands).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, buildPage } from './build.mjs';
import { servePage } from './page.mjs';
import { setup } from './setup.mjs';
import { ROOT, main } from './steps.mjs';

const BIN = join(ROOT, 'pkg', 'bin.js');
/** A fixed port, since the browser stores the book by address. */
const PORT = 4747;

const MCP = JSON.stringify(
  { mcpServers: { hornbook: { command: process.execPath, args: [BIN, '--root', process.cwd()] } } },
  null,
  2,
);

await main(async () => {
  const args = process.argv.slice(2);
  const env = await setup();
  if (args.length === 0) {
    await buildPage(env);
    const { address } = await servePage(PORT);
    console.log(
      `The playground is at ${address}\nThe documents are at ${address}docs/\n\nThe same for an agent, in its mcp.json:\n\n${MCP}\n\nCtrl+C ends it.`,
    );
    return;
  }
  await build(env);
  const child = spawn(process.execPath, [BIN, ...args], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
});
