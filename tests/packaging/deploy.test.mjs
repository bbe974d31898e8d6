// What `pkg-templates/deploy/` contains: the systemd unit is valid, and the server runs as the unit asks: as an
// unprivileged user, on a file system where only the books and temporary files can be written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BIN, ROOT } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';

const DEPLOY = join(ROOT, 'pkg-templates', 'deploy');
const NOBODY = 65_534;
const has = (command, ...args) => spawnSync(command, args).status === 0;

test('the units are valid', { skip: !has('systemd-analyze', '--version') && 'there is no systemd' }, () => {
  const units = readdirSync(DEPLOY).filter((name) => name.startsWith('hornbook'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units.map((unit) => join(DEPLOY, unit))], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const args = ['security', '--offline=yes', '--threshold=20', join(DEPLOY, 'hornbook.service')];
  const security = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  assert.equal(security.status, 0, security.stdout.split('\n').slice(-3).join());
});

test('the image uses the package, and does not run as root', () => {
  const text = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
  assert.match(text, /^USER node$/m);
  const pg = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies.pg;
  assert.ok(text.includes(`pg@${pg} `), 'the library of Postgres is the one that is tested');
  const [, check] = /CMD \["node", "-e", "(.+)"\]/.exec(text);
  assert.equal(spawnSync(process.execPath, ['--check', '-'], { input: check }).status, 0);
});

const READ_ONLY = 'mount --bind "$1" /mnt && mount -t tmpfs tmpfs /tmp && mount -o remount,bind,ro /';
const DROP = `setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups --no-new-privs`;
// A clone under /tmp, or in a home that others may not enter, does not exist for that user.
const canMount =
  process.getuid?.() === 0 &&
  has('unshare', '-m', 'sh', '-c', `${READ_ONLY} && ${DROP} test -r "$2"`, 'sh', tmpdir(), BIN);
test('it runs where only the books can be written, as a user without rights', {
  skip: !canMount && 'nothing can be mounted here, or other users cannot read this clone',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-deploy-'));
  chownSync(folder, NOBODY, NOBODY);
  const script = `books=$1; shift; set -- "$@"; ${READ_ONLY.replace('"$1"', '"$books"')} && exec ${DROP} "$@"`;
  const command = ['unshare', '-m', 'sh', '-c', script, 'sh', folder, process.execPath, BIN];
  const server = await Serving.start('/mnt', [], { command });
  try {
    await server.assert('kept', 'p(1).');
    assert.deepEqual(await server.answers('kept', 'p(X)', 'X'), ['1']);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    assert.match(readFileSync(join(folder, 'kept.book'), 'utf8'), /p\(1\)/);
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true });
  }
});
