/** What a language model is for DML, and models that are made of other things. */
import { plainRequest, plainTurn } from '../full/hornbook.js';
import type { ModelRequest, PlainRequest, Turn } from '../generated/dml.js';

export interface TurnOptions {
  signal: AbortSignal;
  /** Takes the text in pieces, where the request says `streaming`. */
  onText(text: string): void;
}

/** Any language model. */
export interface LanguageModel {
  /** Tells it from other models where replies are kept, as `openai/gpt-5`. */
  readonly name?: string;
  /** One turn. An error with `isRetryable`, or with `status` 429 or from 500 on, is tried again. */
  turn(request: ModelRequest, options: TurnOptions): Promise<Turn>;
}

/** A turn of {@link scriptedModel}, or the error that it fails with. */
export type ScriptedTurn = Turn | { error: string; status?: number };

/** A model that says what it is told to, for tests. `requests` are those it got. */
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

/** A model of something that only completes text. */
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

/** What is used of the `LanguageModel` that Chrome has built in. */
export interface BuiltInLanguageModel {
  availability(): Promise<string>;
  create(options: object): Promise<{ prompt(input: unknown, options: object): Promise<string>; destroy(): void }>;
}

/** The language model that is built into Chrome. It has no tools of its own: it is asked for JSON, by a schema. */
export function chromeModel(
  api = (globalThis as { LanguageModel?: BuiltInLanguageModel }).LanguageModel,
): LanguageModel {
  return plainModel(async ({ messages, schema }, { signal }) => {
    if (!api) throw new Error('this browser has no built-in language model: Chrome has one from version 138 on');
    if ((await api.availability()) === 'unavailable')
      throw new Error('the built-in language model cannot run on this machine');
    const session = await api.create({ initialPrompts: messages.slice(0, -1), signal });
    try {
      return await session.prompt(messages.slice(-1), { responseConstraint: schema, signal });
    } finally {
      session.destroy();
    }
  });
}
