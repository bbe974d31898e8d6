// Programs in DML as nodes: in the package, by the command, and over MCP.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { Workflow, WorkflowLoadError } from '../../pkg/workflow.js';
import { BIN, Server } from '../node/harness.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-programs-'));
after(() => rmSync(directory, { recursive: true }));

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

const YAML = `
nodes:
- name: name
  type: dml
  run: |
    agent_main(Topic) :- output("looks"), task("Name a word for {Topic}.", string(Word)), answer("{Topic}: {Word}").
  output: { said: "{{ result.answer }}", log: "{{ result.output }}" }
- name: length
  language: prolog
  run: state(said, S), atom_length(S, N), return(n, N).
- { name: double, type: dml, with: { n: "{{ state.n }}" }, output: twice, run: "agent_main(N) :- M is N * 2, answer(M)." }
- { name: both, type: dml, run: "agent_main :- param(n, N), answer(N)." }
`;
const TURN = {
  calls: [
    { tool: 'set_result', args: { variable: 'Word', value: 'dusk' } },
    { tool: 'finish', args: { success: true } },
  ],
};
const STATE = { topic: 'evening', said: 'evening: dusk', log: ['looks'], n: 13, twice: '26', answer: '13', output: [] };

test('a program gets the state or parameters, and gives what it answers and puts out', async () => {
  const dml = await createDeepClause({ model: scriptedModel([TURN]) });
  const workflow = await Workflow.load(YAML, { dml });
  assert.equal(workflow.drawing().nodes[0].does, 'dml');
  assert.deepEqual(await lastOf(workflow.run({ topic: 'evening' })), { type: 'final', state: STATE });
  workflow.close();
  dml.close();
});

test('what is wrong with a program is an error of the node, which on_error holds', async () => {
  const yaml = (code) =>
    `nodes:\n- { name: a, type: dml, run: ${JSON.stringify(code)}, on_error: { mode: graceful } }\n`;
  for (const [code, message] of [
    ['agent_main :- fail.', /^The program was false: agent_main failed\.$/],
    ['agent_main :- X is foo + 1, answer(X).', /foo/],
    ['agent_main :- task("t").', /no language model/],
    ['agent_main :- input("Which?", X), answer(X).', /Nobody answered|Which/],
    ['agent_main :- p(', /Syntax error/],
  ]) {
    const workflow = await Workflow.load(yaml(code));
    const { type, state } = await lastOf(workflow.run());
    assert.equal(type, 'final');
    assert.equal(state.__error__.type, 'dml', code);
    assert.match(state.__error__.message, message);
    workflow.close();
  }
  const misplaced = Workflow.load('nodes:\n- { name: a, type: dml, run: x, language: prolog }\n');
  await assert.rejects(misplaced, (error) => {
    assert.ok(error instanceof WorkflowLoadError);
    assert.match(error.message, /^line 2, column 43: 'language' of node 'a' has no meaning there/);
    return true;
  });
});

test('hornbook flow takes the models of programs', async () => {
  writeFileSync(join(directory, 'flow.yaml'), YAML);
  writeFileSync(join(directory, 'turns.json'), JSON.stringify([TURN]));
  const { code, stdout, stderr } = await new Promise((resolve) => {
    const args = [BIN, 'flow', 'flow.yaml', '--state', 'topic=evening', '--script', 'turns.json'];
    execFile(process.execPath, args, { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), STATE);
});

test('over MCP they are run where the tools of DML are served', async () => {
  const yaml =
    'nodes:\n- { name: a, type: dml, run: "agent_main :- param(n, N), M is N + 1, answer(M).", output: m }\n';
  const call = (server) => server.request('tools/call', { name: 'workflow_run', arguments: { yaml, state: { n: 1 } } });
  const server = await Server.start({ args: ['--tools', 'prolog,dml,workflow'] });
  const { structuredContent } = await call(server);
  assert.deepEqual([structuredContent.status, structuredContent.state], ['ended', { n: 1, m: '2' }]);
  await server.close();
  const without = await Server.start({ args: ['--tools', 'workflow'] });
  const refused = await call(without);
  assert.match(refused.content[0].text, /Node 'a' is a program in DML, .* serve the set of tools dml, too/);
  await without.close();
});
