/**
 * Keeps the MCP client's schemas (zod) from testing whether they can compile code: the page's policy forbids it, and
 * Firefox would report an error. Import this first, since they test when they are loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
