/** Models of the Vercel AI SDK, the package `ai`, versions 6 and 7. */
import type { Message, ModelRequest, Turn, Usage } from '../generated/dml.js';
import type { LanguageModel } from './models.js';

/** The part of the package that is used. */
interface AiSdk {
  generateText(
    options: object,
  ): Promise<{ text: string; toolCalls: SdkCall[]; usage: SdkUsage; finishReason?: string }>;
  streamText(options: object): { fullStream: AsyncIterable<SdkPart> };
  jsonSchema(schema: unknown): unknown;
}

interface SdkCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

type SdkUsage = Partial<Record<keyof Usage, number>>;

type SdkPart =
  | { type: 'text-delta'; text: string }
  | ({ type: 'tool-call' } & SdkCall)
  | { type: 'finish'; totalUsage: SdkUsage; finishReason?: string; rawFinishReason?: string }
  | { type: 'error'; error: unknown }
  | { type: 'abort' };

/**
 * A model of the AI SDK, from any provider: `aiModel(openai('gpt-5'))`.
 *
 * @param sdk the package `ai`, if it cannot be imported by that name
 */
export function aiModel(model: unknown, sdk?: object): LanguageModel {
  const { provider, modelId } = (model ?? {}) as { provider?: string; modelId?: string };
  return {
    name: typeof model === 'string' ? model : [provider, modelId].filter(Boolean).join('/'),
    async turn(request, { signal, onText }) {
      const ai = (sdk ?? (await loadSdk())) as AiSdk;
      // The task loop retries itself: it reports retries and counts what they use.
      const options = { model, ...prompt(request, ai), abortSignal: signal, maxRetries: 0 };
      if (request.streaming) return streamed(ai, options, onText);
      const { text, toolCalls, usage, finishReason } = await ai.generateText(options);
      return { text, calls: toolCalls.map(callOf), usage: usageOf(usage), ...cutOf(finishReason) };
    },
  };
}

async function loadSdk(): Promise<object> {
  try {
    return await import('ai');
  } catch {
    throw new Error('the package `ai` is missing: npm install ai, and the package of a provider');
  }
}

async function streamed(ai: AiSdk, options: object, onText: (text: string) => void): Promise<Turn> {
  const turn: Turn & { text: string } = { text: '' };
  const calls: NonNullable<Turn['calls']> = [];
  let ended = false;
  // Without `onError` the SDK logs errors to the console.
  for await (const part of ai.streamText({ ...options, onError() {} }).fullStream) {
    switch (part.type) {
      case 'text-delta':
        turn.text += part.text;
        onText(part.text);
        break;
      case 'tool-call':
        calls.push(callOf(part));
        break;
      case 'finish':
        // The SDK says `other` if the provider gave no reason: its stream ended before that.
        ended = !['unknown', 'error', part.rawFinishReason ? '' : 'other'].includes(part.finishReason ?? '');
        Object.assign(turn, { usage: usageOf(part.totalUsage), ...cutOf(part.finishReason) });
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new Error('it was aborted');
    }
  }
  // A connection may close in good order before the reply is complete.
  if (!ended && calls.length === 0)
    throw Object.assign(new Error('its stream ended before its turn was complete'), { isRetryable: true });
  return { ...turn, calls };
}

/** Why a turn is not complete. */
function cutOf(reason: string | undefined): Pick<Turn, 'cut'> {
  if (reason === 'length') return { cut: 'length' };
  return reason === 'content-filter' ? { cut: 'content_filter' } : {};
}

function prompt({ messages, tools, temperature, maxOutputTokens, topP }: ModelRequest, ai: AiSdk): object {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
  return {
    system,
    temperature,
    maxOutputTokens,
    topP,
    messages: messages.filter(({ role }) => role !== 'system').map(messageOf),
    tools: Object.fromEntries(
      tools.map(({ name, description, parameters }) => [name, { description, inputSchema: ai.jsonSchema(parameters) }]),
    ),
  };
}

function messageOf({ role, content, calls = [], callId, tool }: Message): object {
  switch (role) {
    case 'assistant': {
      const text = content ? [{ type: 'text', text: content }] : [];
      return {
        role,
        content: [
          ...text,
          ...calls.map(({ id, tool, args }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: args })),
        ],
      };
    }
    case 'tool':
      return {
        role,
        content: [
          { type: 'tool-result', toolCallId: callId, toolName: tool, output: { type: 'text', value: content } },
        ],
      };
    default:
      return { role, content };
  }
}

function callOf({ toolCallId, toolName, input }: SdkCall): { id: string; tool: string; args: unknown } {
  return { id: toolCallId, tool: toolName, args: input };
}

function usageOf({ inputTokens = 0, outputTokens = 0 }: SdkUsage): Usage {
  return { inputTokens, outputTokens };
}
