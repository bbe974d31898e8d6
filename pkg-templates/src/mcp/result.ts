/** Results of tools. */

interface Result {
  content?: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The structured content of a result, or else its text. Throws if the tool failed. */
export function resultOf(result: unknown): unknown {
  const { content = [], structuredContent, isError } = result as Result;
  const text = content.map((part) => part.text ?? `(${part.type})`).join('\n');
  if (isError) throw new Error(text || 'the tool failed and says nothing');
  return structuredContent ?? text;
}
