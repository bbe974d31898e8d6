/** The language models that the editor offers to extensions, for programs of the page. */
import * as vscode from 'vscode';
import type { Message, ModelRequest, Turn } from '../../../pkg/generated/dml.js';
import type { EditorModel } from './view/messages.js';

export async function editorModels(): Promise<EditorModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ id, name, vendor }) => ({ id, label: `${name} (${vendor})` }));
}

/** One turn of the model with this id. The editor asks the person for permission the first time. */
export async function turnOf(id: string, request: ModelRequest, token: vscode.CancellationToken): Promise<Turn> {
  const [model] = await vscode.lm.selectChatModels({ id });
  if (!model) throw vscode.LanguageModelError.NotFound(`The editor no longer has the model ${id}. Choose another.`);
  const tools = request.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
  }));
  const options = {
    justification: 'A DML program asks it.',
    tools,
    ...(request.temperature !== undefined && { modelOptions: { temperature: request.temperature } }),
  };
  const response = await model.sendRequest(request.messages.map(spoken), options, token);
  const turn = { text: '', calls: [] as { id: string; tool: string; args: unknown }[] };
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) turn.text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart)
      turn.calls.push({ id: part.callId, tool: part.name, args: part.input });
  }
  return turn;
}

/** The equivalent HTTP status if the model cannot be asked at all. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof vscode.LanguageModelError)) return undefined;
  return { NoPermissions: 403, NotFound: 404 }[error.code];
}

/** The editor only has user and assistant messages: instructions become user messages. */
function spoken({ role, content, calls = [], callId = '' }: Message): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessage;
  if (role === 'tool')
    return User([new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(content)])]);
  if (role !== 'assistant') return User(content);
  const called = calls.map(({ id, tool, args }) => new vscode.LanguageModelToolCallPart(id, tool, args as object));
  return Assistant([...(content ? [new vscode.LanguageModelTextPart(content)] : []), ...called]);
}
