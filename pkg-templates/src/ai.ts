/** The tools of a book as tools of the Vercel AI SDK, the package `ai`. */
import { jsonSchema, tool, type ToolSet } from 'ai';
import type { Book } from './book/book.js';

/** The `tools` option of `generateText`, `streamText` and agents. */
export async function bookTools(book: Book): Promise<ToolSet> {
  const tools = await book.tools();
  return Object.fromEntries(
    tools.map(({ name, title, description, inputSchema, call }) => [
      name,
      tool({
        title,
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
        execute: (input) => call(input),
      }),
    ]),
  );
}
