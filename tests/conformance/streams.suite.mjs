// What vitest runs: the suite of Durable Streams, against the server that `streams.mjs` has started.
import { runConformanceTests } from '@durable-streams/server-conformance-tests';

runConformanceTests({ baseUrl: process.env.STREAMS_URL });
