/** Language models by name, from AI SDK providers installed next to the program. */
import { aiModel } from '../dml/ai-sdk.js';
import type { LanguageModel } from '../dml/models.js';
import { installed } from './installed.js';

/** Settings for a provider; what is missing it takes from the environment. */
export interface ProviderOptions {
  apiKey?: string | undefined;
  /** The provider's address, if not the usual one. */
  baseURL?: string | undefined;
}

/** The provider meant by a model name without one. */
const OWNERS: [RegExp, string][] = [
  [/^(gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
  [/^(mistral|codestral|magistral|ministral)-/, 'mistral'],
  [/^grok-/, 'xai'],
  [/^deepseek-/, 'deepseek'],
];

/**
 * `openai/gpt-5` or `gpt-5` is the model gpt-5 of @ai-sdk/openai. That package and `ai` come from the current directory
 * if it has them. `openai-compatible/NAME` is a model at `baseURL` that speaks the chat completions of OpenAI.
 *
 * @throws Error that says what to install or to write
 */
export async function providerModel(name: string, options: ProviderOptions = {}): Promise<LanguageModel> {
  const [, named, rest] = /^([\w-]+)\/(.+)$/.exec(name) ?? [];
  const provider = named ?? OWNERS.find(([pattern]) => pattern.test(name))?.[1];
  if (provider === undefined) throw new Error(`whose model is '${name}'? Write PROVIDER/MODEL, as openai/gpt-5`);
  const names = ['ai', `@ai-sdk/${provider}`];
  const [sdk, module] = await Promise.all(names.map((name) => installed(name)));
  const missing = names.filter((_, index) => ![sdk, module][index]);
  if (missing.length > 0) throw new Error(`${name} needs ${missing.join(' and ')}: npm install ${names.join(' ')}`);
  const make = Object.entries(module!).find(
    ([key, value]) => /^create[A-Z]/.test(key) && typeof value === 'function',
  )?.[1];
  if (!make) throw new Error(`@ai-sdk/${provider} has no function that makes a provider`);
  // This provider has no variable of its own for the key.
  const key = provider === 'openai-compatible' && process.env.OPENAI_COMPATIBLE_API_KEY;
  return aiModel(
    (make as (options: object) => (id: string) => unknown)({ name: provider, ...(key && { apiKey: key }), ...options })(
      rest ?? name,
    ),
    sdk,
  );
}
