/** WebMCP: the tools, offered to the browser's agent. */
import { Client } from '../client.js';
import type { Hornbook } from '../full/hornbook.js';

/** `document.modelContext`, or `navigator.modelContext` in older browsers. */
interface ModelContext {
  registerTool(tool: object, options: { signal: AbortSignal }): Promise<void> | void;
}

/** The registered tools. */
export interface RegisteredTools {
  /** Take the tools back. */
  close(): void;
}

interface Declared {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean };
}

const context = () =>
  (document as { modelContext?: ModelContext }).modelContext ??
  (navigator as { modelContext?: ModelContext }).modelContext;

/**
 * Register the tools with the browser. Resolves with `undefined` if the browser has no WebMCP. Rejects if a tool cannot
 * be registered because the page has one of that name.
 */
export async function registerTools(hornbook: Hornbook): Promise<RegisteredTools | undefined> {
  const model = context();
  if (!model) return undefined;
  const client = new Client(hornbook, 'WebMCP');
  const registration = new AbortController();
  const close = () => {
    registration.abort();
    client.close();
  };
  const { tools } = (await client.request('tools/list', {})) as { tools: Declared[] };
  try {
    for (const {
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint },
    } of tools) {
      const tool = {
        name,
        title,
        description,
        inputSchema,
        // The content of a user's clauses does not speak for this page.
        annotations: { readOnlyHint, untrustedContentHint: true },
        execute: async (values: object) => {
          const { content, structuredContent, isError } = await client.request('tools/call', {
            name,
            arguments: values,
          });
          return { content, structuredContent, isError };
        },
      };
      await model.registerTool(tool, { signal: registration.signal });
    }
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}
