// npm run vscode:test: tests the extension in a real VS Code, code-server, installed once from npm into the cache.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { build } from './build.mjs';
import { installPackages } from './debian.mjs';
import { setup } from './setup.mjs';
import { CACHE, main, run, say, since } from './steps.mjs';
import { packExtension } from './vscode.mjs';

/** The version of Node that code-server requires. */
const NODE = '24.21.0';
const CODE_SERVER = '4.139.1';
/** The libraries that its native modules are compiled against. */
const LIBRARIES = ['libkrb5-dev', 'libsecret-1-dev', 'libx11-dev', 'libxkbfile-dev'];

async function install(folder, name, version, options = {}) {
  const directory = join(CACHE, 'vscode', folder);
  const manifest = join(directory, 'node_modules', name, 'package.json');
  if (existsSync(manifest)) return;
  const started = Date.now();
  say(`setup: installing ${name} ${version} into ${directory}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], {
    cwd: directory,
    heartbeat: `npm install ${name}`,
    explain: `${name} could not be installed; the npm registry and a C++ compiler must be there`,
    ...options,
  });
  say(`setup: ${name} is there (${since(started)})`);
}

await main(async () => {
  const env = await setup({ tests: true });
  await install('node', 'node', NODE);
  const node = join(CACHE, 'vscode', 'node', 'node_modules', 'node', 'bin');
  if (!existsSync(join(CACHE, 'vscode', 'code-server', 'node_modules', 'code-server'))) {
    await installPackages(LIBRARIES, 'what code-server is built with');
    await install('code-server', 'code-server', CODE_SERVER, {
      env: {
        PATH: [node, dirname(process.execPath), process.env.PATH].join(delimiter),
        // npm would read the Node version from it, and that is the one of the npm that runs this script.
        npm_config_user_agent: undefined,
      },
    });
  }
  await build(env);
  await packExtension();
  console.log(
    await run(
      process.execPath,
      ['--test', '--test-concurrency=1', 'tests/vscode/code.test.mjs', 'tests/vscode/served.test.mjs'],
      {
        lines: 200,
        heartbeat: 'VS Code',
      },
    ),
  );
});
