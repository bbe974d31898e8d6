// Makes a path alternate, over and over, between its contents and a symbolic link to elsewhere.
import { linkSync, renameSync, statSync, symlinkSync, unlinkSync } from 'node:fs';

const [path, elsewhere] = process.argv.slice(2);
const away = `${path}-away`;
const isDirectory = statSync(path).isDirectory();
renameSync(path, away);
for (;;) {
  // A directory is moved back and forth; a file gets a second name, and the link replaces it atomically.
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
