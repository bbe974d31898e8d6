/** The libraries of the server, which are bundled into one file: the package depends on no other. */
export { AwsClient } from 'aws4fetch';
export { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose';
export { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
