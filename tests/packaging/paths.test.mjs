// Compiled files reveal nothing of the machine that compiled them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ROOT } from './harness.mjs';

for (const name of ['core/hornbook_bg.wasm', 'full/hornbook_bg.wasm', 'swipl/hornbook.state']) {
  test(`${name} contains no path of a user`, () => {
    const bytes = readFileSync(join(ROOT, 'pkg', name));
    const text = (name.endsWith('.state') ? gunzipSync(bytes) : bytes).toString('latin1');
    // swipl-wasm has a user of its own, and the folder of its library.
    const home = text.match(/(?:\/(?:root|home|Users)\/(?!web_user|library)|[A-Z]:\\Users\\)[\w.+\\/-]{0,80}/);
    assert.equal(home?.[0], undefined);
    for (const folder of [homedir(), ROOT]) assert.ok(!text.includes(`${folder}/`), folder);
    assert.ok(!text.includes('registry/src/'));
    if (name.endsWith('.wasm')) assert.match(text, /cargo\/serde_json-[\d.]+\/src\//);
  });
}
