// npm run package: makes dist/hornbook-VERSION.tgz, what is published, from pkg/.
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VERSION, build } from './build.mjs';
import { setup } from './setup.mjs';
import { ROOT, isMain, main, run } from './steps.mjs';

const DIST = join(ROOT, 'dist');

/** Pack pkg/, which is built, into `directory`; resolves with the path of the file. */
export async function pack(directory = DIST) {
  mkdirSync(directory, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', directory], {
    cwd: join(ROOT, 'pkg'),
    explain: 'npm could not pack pkg/',
  });
  return join(directory, `hornbook-${VERSION}.tgz`);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await build(await setup());
    console.log(relative(process.cwd(), await pack()));
  });
}
