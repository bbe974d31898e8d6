// Debian packages, for tools that neither npm nor cargo provides.
import { existsSync } from 'node:fs';
import { Plain, output, run, say } from './steps.mjs';

/** Install the packages that are missing; `purpose` says what for, in words. */
export async function installPackages(packages, purpose) {
  const missing = [];
  for (const name of packages) {
    const status = await output('dpkg-query', ['-W', '-f', '${Status}', name]);
    if (!status?.startsWith('install ok')) missing.push(name);
  }
  if (missing.length === 0) return;
  const command = `apt-get install ${missing.join(' ')}`;
  if (!existsSync('/usr/bin/apt-get'))
    throw new Plain(`${purpose} is missing; install it with the package manager of this system`);
  if (process.getuid() !== 0)
    throw new Plain(`${purpose} is missing, and installing it needs root: run \`${command}\` as root`);
  say(`setup: installing ${missing.join(', ')} for ${purpose}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const explain = `${purpose} is missing, and \`${command}\` failed: are the Debian packages reachable?`;
  const heartbeat = 'installing packages';
  await run('apt-get', ['update', '-q'], { env, explain, heartbeat });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], { env, explain, heartbeat });
}
