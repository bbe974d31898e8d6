// The spans of docs/package.md, with the real API of OpenTelemetry.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { openBook } from '../../pkg/index.js';

const DOCUMENT = fileURLToPath(new URL('../../docs/package.md', import.meta.url));
// Beside this test, so that its import is found.
const EXAMPLE = fileURLToPath(new URL('tracing.example.mjs', import.meta.url));

/** A provider that keeps what spans are told. */
function recorder() {
  const spans = [];
  const startSpan = (name) => {
    const span = { name, attributes: {}, status: undefined, hasEnded: false };
    spans.push(span);
    return {
      setAttribute: (key, value) => (span.attributes[key] = value),
      setStatus: (status) => (span.status = status),
      end: () => (span.hasEnded = true),
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  return spans;
}

test('each operation of a book is a span, with its goal and its error', async () => {
  const spans = recorder();
  const [, code] = /```js\n(import \{ SpanStatusCode[\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8'));
  writeFileSync(EXAMPLE, code);
  try {
    const { traced } = await import(pathToFileURL(EXAMPLE));
    const book = traced(await openBook());
    await book.assert('p(1).');
    assert.deepEqual(await book.all('p(X)'), [{ X: 1 }]);
    const found = [];
    for await (const { X } of book.query('p(X)')) found.push(X);
    assert.deepEqual(found, [1]);
    await assert.rejects(book.once('q(X)'), { kind: 'existence_error' });
    await book.close();
  } finally {
    rmSync(EXAMPLE);
  }
  const goal = (text) => ({ 'hornbook.goal': text });
  assert.deepEqual(
    spans.map(({ name, attributes, status, hasEnded }) => [name, attributes, status?.code, hasEnded]),
    [
      ['hornbook.assert', goal('p(1).'), undefined, true],
      ['hornbook.all', goal('p(X)'), undefined, true],
      ['hornbook.query', goal('p(X)'), undefined, true],
      ['hornbook.once', { ...goal('q(X)'), 'error.type': 'existence_error' }, SpanStatusCode.ERROR, true],
      ['hornbook.close', {}, undefined, true],
    ],
  );
});
