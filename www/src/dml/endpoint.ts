/**
 * A model at an address that the person enters: anything that speaks OpenAI's chat completions, such as Ollama on this
 * machine.
 */
import type { LanguageModel, ModelRequest, Turn } from '../../../pkg/dml.js';
import { h } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import { Reach } from '../reach/reach.ts';
import type { ModelChoice } from './models.ts';

/** Where the browser stores the endpoint's address and model; the key is never stored. */
const KEPT = 'hornbook.endpoint';

interface Values {
  /** Without the final `/chat/completions`. */
  url: string;
  model: string;
  key: string;
}

export class Endpoint implements ModelChoice {
  readonly name = 'endpoint';
  readonly label = 'An endpoint (Ollama, OpenAI and others)';
  readonly fields: HTMLElement;
  #values: () => Values;

  constructor() {
    const known = textsIn(keptJson(KEPT));
    const field = (label: string, value: string, type: string) => {
      const input = h('input', { type, value, autocomplete: 'off', spellcheck: 'false' });
      return { input, label: h('label', { class: 'row' }, label, input) };
    };
    const url = field('Address', known.get('url') ?? 'http://localhost:11434/v1', 'text');
    const model = field('Model name', known.get('model') ?? 'llama3.2', 'text');
    const key = field('Key', '', 'password');
    this.#values = () => ({ url: url.input.value, model: model.input.value, key: key.input.value });
    for (const { input } of [url, model])
      input.addEventListener('change', () => {
        const { url, model } = this.#values();
        keep(KEPT, JSON.stringify({ url, model }));
      });
    const note = `Prompts go to this address and nowhere else. For Ollama, start it with OLLAMA_ORIGINS=${window.location.origin}. The key is not stored: reloading the page forgets it.`;
    this.fields = h(
      'div',
      { class: 'composer', role: 'group', 'aria-label': 'Endpoint' },
      h('div', { class: 'fields wide' }, url.label, model.label, key.label),
      h('p', { class: 'note' }, note),
    );
  }

  model(): LanguageModel {
    return endpointModel(this.#values());
  }
}

/** Throws a sentence if the address is invalid. */
function endpointModel({ url, model, key }: Values): LanguageModel {
  const base = addressOf(url);
  if (model.trim() === '') throw new Error('Enter the name of a model.');
  const reach = new Reach(base.origin);
  return {
    async turn(request, { signal }) {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (key) headers.authorization = `Bearer ${key}`;
      const url = `${base.href.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
      const body = JSON.stringify(bodyOf(request, model.trim()));
      const response = await reach.fetch(url, { method: 'POST', headers, body, signal }).catch((error: Error) => {
        if (signal.aborted) throw error;
        throw new Error(
          `${base.origin} cannot be reached from this page: ${error.message}. Is it running, and does it allow ${window.location.origin}? For Ollama, set OLLAMA_ORIGINS.`,
        );
      });
      const { status } = response;
      const text = await response.text();
      if (status < 200 || status > 299)
        throw Object.assign(new Error(`${base.host} answered with status ${status}: ${text.slice(0, 300)}`), {
          status,
        });
      return turnOf(text, base.host);
    },
  };
}

function addressOf(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new Error('The address must start with https://, or with http:// for this machine.');
  return url;
}

function bodyOf({ messages, tools }: ModelRequest, model: string): object {
  return {
    model,
    messages: messages.map(({ role, content, calls, callId }) => {
      if (role === 'tool') return { role, tool_call_id: callId, content };
      if (role !== 'assistant' || !calls || calls.length === 0) return { role, content };
      const called = calls.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      return { role, content, tool_calls: called };
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  };
}

interface Completion {
  choices?: {
    message?: {
      content?: unknown;
      tool_calls?: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }[];
    };
  }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
}

function turnOf(text: string, host: string): Turn {
  let completion: Completion | undefined;
  try {
    completion = JSON.parse(text) as Completion;
  } catch {
    // Reported below.
  }
  const message = completion?.choices?.[0]?.message;
  if (!message) throw new Error(`${host} did not answer like OpenAI's chat completions do: ${text.slice(0, 200)}`);
  const usage = completion?.usage;
  const tokens = (count: unknown) => (typeof count === 'number' ? count : 0);
  return {
    text: typeof message.content === 'string' ? message.content : '',
    calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
      id: typeof id === 'string' ? id : '',
      tool: String(called?.name ?? ''),
      args: argumentsOf(called?.arguments),
    })),
    usage: usage && { inputTokens: tokens(usage.prompt_tokens), outputTokens: tokens(usage.completion_tokens) },
  };
}

/** OpenAI sends arguments as text, others as an object. Invalid JSON is passed on to the tool, which refuses it. */
function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value || '{}');
  } catch {
    return value;
  }
}
