// How the Prolog of a node came to its decision: replayed from the state it was given, without effects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { PrologRuntimeError, Workflow } from '../../pkg/workflow.js';

const TRIAGE = `
initial_state: { amount: 240 }
nodes:
  - name: decide
    language: prolog
    run: |
      route(A, person) :- A > 200, !.
      route(_, refund).
      state(amount, A),
      route(A, R), return(route, R).
  - name: tell
    uses: notify
  - name: each
    steps:
      - { name: half, language: prolog, run: "state(amount, A), B is A / 2, return(amount, B)." }
  - { name: small, language: prolog, run: "state(amount, A),\\nA < 100." }
`;

async function using(use, options) {
  const called = [];
  const actions = { notify: () => void called.push('notify') };
  const workflow = await Workflow.load(TRIAGE, { engines: 1, actions, ...options });
  try {
    return await use(workflow, called);
  } finally {
    workflow.close();
  }
}

const rejects = (promise, kind, message) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof PrologRuntimeError);
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  });

test('a decision is explained by the clauses of the node, with their lines', () =>
  using(async (workflow) => {
    const proof = await workflow.explain('decide', { amount: 240 });
    assert.equal(proof.holds, true);
    assert.equal(
      proof.text,
      [
        'state(amount,240)  % state',
        'route(240,person)  % line 1',
        '  240>200  % builtin',
        '  !  % cut',
        'return(route,person)  % return',
      ].join('\n'),
    );
    const { clause } = proof.nodes[1];
    assert.deepEqual(proof.clauses[clause], { text: 'route(A, person) :- A > 200, !.', origin: 'node', line: 1 });
    const other = await workflow.explain('decide', { amount: 20 });
    assert.match(other.text, /route\(20,refund\) {2}% line 2/);
  }));

test('a node that fails is explained by where it stops; a step by its name', () =>
  using(async (workflow) => {
    const proof = await workflow.explain('small', { amount: 240 });
    assert.deepEqual([proof.holds, proof.text], [false, '240<100 fails']);
    assert.match((await workflow.explain('each.half', { amount: 240 })).text, /120 is 240\/2/);
  }));

test('what cannot be explained says so', () =>
  using(async (workflow) => {
    await rejects(workflow.explain('decde', {}), 'graph', /no node 'decde'\. Did you mean 'decide'\?/);
    await rejects(workflow.explain('tell', {}), 'graph', /'tell' has no code in Prolog/);
    await rejects(workflow.explain('each', {}), 'graph', /Its steps are 'each\.half'/);
    await rejects(workflow.explain('small', { amount: 'many' }), 'prolog', /many/);
  }));

test('the state given to a node is in the records; the book and the host see nothing of an explanation', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  try {
    await using(
      async (workflow, called) => {
        const ends = {};
        for await (const event of workflow.run({ amount: 60 }, { run: 'r' }))
          if (event.type === 'node_end') ends[event.node] = event.checkpoint;
        const runs = hornbook.runs();
        assert.deepEqual(runs.met('r', ends.decide), { amount: 60 });
        assert.deepEqual(runs.met('r', ends.small), { amount: 30, route: 'refund', result: null });
        const before = [runs.checkpoints('r'), runs.list(), called.length];
        for (const node of ['decide', 'small']) {
          const proof = await workflow.explain(node, runs.met('r', ends[node]));
          assert.equal(proof.holds, true);
        }
        assert.deepEqual([runs.checkpoints('r'), runs.list(), called.length], before);
        assert.throws(() => runs.met('r', 1), /Checkpoint 1 of the run r is not the end of a node/);
      },
      { book: hornbook },
    );
  } finally {
    await close();
  }
});
