/** What tools give. */

interface Result {
  content?: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What a tool gave: its structured content, or else the text. One that failed throws. */
export function resultOf(result: unknown): unknown {
  const { content = [], structuredContent, isError } = result as Result;
  const text = content.map((part) => part.text ?? `(${part.type})`).join('\n');
  if (isError) throw new Error(text || 'the tool failed and says nothing');
  return structuredContent ?? text;
}
