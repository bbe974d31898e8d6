// An agent of the editor without a model: what a test posts to HAND_PORT is called as the editor calls a tool for a model.
const { createServer } = require('node:http');
const vscode = require('vscode');

async function answer(request) {
  if (request.method === 'GET') return { tools: vscode.lm.tools.map(({ name }) => name) };
  let text = '';
  for await (const part of request) text += part;
  const { name, input } = JSON.parse(text);
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return { text: content.map(({ value }) => value).join('') };
}

exports.activate = ({ subscriptions }) => {
  const server = createServer(async (request, response) => {
    try {
      response.end(JSON.stringify(await answer(request)));
    } catch (error) {
      response.end(JSON.stringify({ error: `${error.message}` }));
    }
  }).listen(Number(process.env.HAND_PORT), '127.0.0.1');
  subscriptions.push({ dispose: () => server.close() });
};
