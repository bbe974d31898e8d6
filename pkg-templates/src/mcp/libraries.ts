/** The official client, bundled into one file so that the package has no dependency. */
export { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
export { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
