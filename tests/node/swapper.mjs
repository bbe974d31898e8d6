// At a path there is by turns what belongs there and a symbolic link to elsewhere, over and over.
import { linkSync, renameSync, statSync, symlinkSync, unlinkSync } from 'node:fs';

const [path, elsewhere] = process.argv.slice(2);
const away = `${path}-away`;
const isDirectory = statSync(path).isDirectory();
renameSync(path, away);
for (;;) {
  // A directory is moved to and fro; a file gets a second name, and the link takes its place at once.
  if (isDirectory) renameSync(away, path);
  else {
    linkSync(away, `${path}-next`);
    renameSync(`${path}-next`, path);
  }
  if (isDirectory) renameSync(path, away);
  symlinkSync(elsewhere, `${path}-next`);
  renameSync(`${path}-next`, path);
  if (isDirectory) unlinkSync(path);
}
