/**
 * The schemas of the MCP client (zod) would try whether they may compile code, which the policy of this page forbids
 * and Firefox tells as an error. Imported before all else: they look at this when they are loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
