/** The server's libraries, bundled into one file so that the package has no dependency. */
export { AwsClient } from 'aws4fetch';
export { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose';
export { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
