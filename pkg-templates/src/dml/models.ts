/** The language model interface of DML, and adapters that implement it. */
import { plainRequest, plainTurn } from '../full/hornbook.js';
import type { ModelRequest, PlainRequest, Turn } from '../generated/dml.js';

/** What a model gets besides the request. */
export interface TurnOptions {
  /** Aborted when nobody waits for the turn any more. */
  signal: AbortSignal;
  /** Receives the text in pieces if the request has `streaming` set. */
  onText(text: string): void;
}

/** Any language model. */
export interface LanguageModel {
  /** Identifies the model where replies are cached, such as `openai/gpt-5`. */
  readonly name?: string;
  /** One turn. An error with `isRetryable`, or with `status` 429 or at least 500, is retried. */
  turn(request: ModelRequest, options: TurnOptions): Promise<Turn>;
}

/** A turn of {@link scriptedModel}, or an error to fail with. */
export type ScriptedTurn = Turn | { error: string; status?: number };

/** A model that replays given turns, for tests. `requests` collects the requests it received. */
export function scriptedModel(turns: ScriptedTurn[]): LanguageModel & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async turn(request) {
      const turn = turns[requests.length];
      requests.push(request);
      if (!turn) throw new Error(`the script has ${turns.length} turns only`);
      if ('error' in turn) throw Object.assign(new Error(turn.error), { status: turn.status });
      return turn;
    },
  };
}

/** A model from something that can only complete text. */
export function plainModel(
  complete: (request: PlainRequest, options: { signal: AbortSignal }) => Promise<string>,
): LanguageModel {
  return {
    async turn(request, { signal }) {
      const plain = JSON.parse(plainRequest(JSON.stringify(request))) as PlainRequest;
      return JSON.parse(plainTurn(await complete(plain, { signal }))) as Turn;
    },
  };
}

/** The part of Chrome's built-in `LanguageModel` that is used. */
export interface BuiltInLanguageModel {
  /** Whether the model can be used: `available`, or why not yet. */
  availability(): Promise<string>;
  /** Start a conversation. */
  create(options: object): Promise<{ prompt(input: unknown, options: object): Promise<string>; destroy(): void }>;
}

/** The language model built into Chrome. It has no tool calls, so it is asked for JSON that matches a schema. */
export function chromeModel(
  api = (globalThis as { LanguageModel?: BuiltInLanguageModel }).LanguageModel,
): LanguageModel {
  return plainModel(async ({ messages, schema }, { signal }) => {
    if (!api) throw new Error('this browser has no built-in language model: Chrome has one from version 138 on');
    if ((await api.availability()) === 'unavailable')
      throw new Error('this machine cannot run the built-in language model');
    const session = await api.create({ initialPrompts: messages.slice(0, -1), signal });
    try {
      return await session.prompt(messages.slice(-1), { responseConstraint: schema, signal });
    } finally {
      session.destroy();
    }
  });
}
