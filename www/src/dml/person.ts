/** Lets the person at the page play the model. */
import type { ModelRequest, ToolCall, Turn } from '../../../pkg/dml.js';
import { asked } from '../asking.ts';
import { h } from '../dom.ts';
import { jsonOrText } from './models.ts';
import { conversation } from './tree.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}

/** Ask the person for the model's turn. */
export function askTurn(place: HTMLElement, { messages, tools }: ModelRequest, signal: AbortSignal): Promise<Turn> {
  return asked<Turn>(place, signal, (answer) => {
    const text = h('textarea', { id: 'dml-say', rows: 2, spellcheck: 'false' });
    const tool = h(
      'select',
      { id: 'dml-tool' },
      h('option', { value: '' }, 'none'),
      ...tools.map(({ name }) => h('option', { value: name }, name)),
    );
    const fields = h('div', { class: 'fields' });
    const draw = () => {
      const { description, parameters } = tools.find(({ name }) => name === tool.value) ?? {};
      fields.replaceChildren(
        ...(description ? [h('p', { class: 'note' }, description)] : []),
        ...parametersOf(parameters as Schema | undefined),
      );
    };
    tool.addEventListener('change', draw);
    // Preselect what the task waits for.
    tool.value = tools.find(({ name }) => name === 'set_result')?.name ?? 'finish';
    if (messages.at(-1)?.role === 'tool') tool.value = 'finish';
    draw();
    return h(
      'form',
      {
        class: 'asking',
        onsubmit: (event: Event) => {
          event.preventDefault();
          const calls: ToolCall[] = tool.value ? [{ tool: tool.value, args: argumentsIn(fields) }] : [];
          answer({ text: text.value, calls });
        },
      },
      h('p', {}, h('b', {}, 'You are the model: '), messages.at(-1)?.content ?? ''),
      conversation(messages),
      h('div', { class: 'row' }, h('label', { for: 'dml-tool' }, 'Call a tool'), tool),
      fields,
      h('div', { class: 'row' }, h('label', { for: 'dml-say' }, 'Say'), text),
      h('div', { class: 'row end' }, h('button', { type: 'submit', class: 'main' }, 'Send')),
    );
  });
}

/** A field for each argument. */
function parametersOf(schema: Schema | undefined): HTMLElement[] {
  const properties = Object.entries(schema?.properties ?? {});
  // Choices come before free text.
  properties.sort(([, a], [, b]) => Number(b.enum !== undefined) - Number(a.enum !== undefined));
  return properties.map(([name, { type, enum: values }]) => {
    const options = type === 'boolean' ? ['true', 'false'] : values?.map(String);
    const about = { 'data-argument': name, 'data-text': type === 'string' };
    const field = options
      ? h('select', about, ...options.map((value) => h('option', { value }, value)))
      : h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...about });
    return h(
      'label',
      { class: 'row' },
      h('code', {}, name),
      field,
      type && !options ? h('span', { class: 'note' }, type) : null,
    );
  });
}

function argumentsIn(fields: HTMLElement): Record<string, unknown> {
  const all = [...fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-argument]')];
  return Object.fromEntries(
    all.map((field) => [
      field.dataset.argument,
      field.dataset.text === undefined ? jsonOrText(field.value) : field.value,
    ]),
  );
}
