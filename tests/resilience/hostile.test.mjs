// A server whose clients mean to harm: the honest one is always answered, and the book has only what that one wrote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack } from './hostile.mjs';

for (const kind of ['tokens', 'issuer'])
  test(`attackers neither stop the server, nor fill its memory, nor change the book (${kind})`, async () => {
    const figures = await attack(10, kind);
    assert.equal(figures['failed events'], 0, JSON.stringify(figures));
    assert.ok(figures['honest rounds'] > 0, JSON.stringify(figures));
  });
