// For vitest: the suite has its streams at /v1/stream/NAME, and the server its logs at /log/NAME.
const SUITE = '@durable-streams/server-conformance-tests';

export default {
  cacheDir: '../../node_modules/.vite',
  test: {
    include: ['streams.suite.mjs'],
    server: { deps: { inline: [SUITE] } },
    testTimeout: 30_000,
    // Most of it waits, and each test has streams of its own.
    sequence: { concurrent: true },
  },
  plugins: [
    {
      name: 'paths',
      transform: (code, id) => (id.includes(SUITE) ? code.replaceAll('/v1/stream/', '/log/') : undefined),
    },
  ],
};
