// A capability is a folder of its own: with tests/support/room.pl and one more line in rooms.pl, an engine has its
// request, its word and its predicates, and no other file knows of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { EngineHandle } from '../../pkg/engine/host.js';
import { loadParts, startWorker } from '../../pkg/node/engine.js';
import { freshEngine, prologSources } from '../../scripts/build.mjs';

const engines = [];
let image;
let loading = '';

before(async () => {
  const sources = prologSources();
  sources['tally/room.pl'] = readFileSync(new URL('../support/room.pl', import.meta.url), 'utf8');
  sources['rooms.pl'] += ':- use_module(tally/room).\n';
  const logged = [];
  const engine = await freshEngine((text) => logged.push(text), sources);
  loading = logged.join('');
  const memory = await engine.save();
  image = await loadParts({ memory: async () => memory.slice() });
  engine.end();
});
after(() => {
  for (const engine of engines) engine.end();
});

/** An engine booted with these capabilities: called with a request, it returns the lines of the reply. */
async function booted(...capabilities) {
  const engine = new EngineHandle(startWorker, image, () => {});
  engines.push(engine);
  await engine.ready;
  const ask = async (request) => (await engine.request(request)).slice(16).trimEnd().split('\n');
  const boot = await ask(`boot([unknown(error), capabilities([${capabilities}])])`);
  return { boot, ask, query: (text) => ask(`query(1, "${text}", 10, 5.0, 100, -100)`) };
}

test('its room loads without a warning', () => assert.equal(loading, ''));

test('its request is answered, with its own word in the control line', async () => {
  const { ask, query } = await booted('tally');
  assert.deepEqual(await ask('tallies([apples])'), ['ok {"tallies":[0]}', '"apples"']);
  assert.match(
    (await query('tally(apples), tallied(pears, tally(apples)), maplist(tally, [pears])'))[0],
    /"answers":1/,
  );
  assert.deepEqual(await ask('tallies([apples,pears])'), ['ok {"tallies":[2,2]}', '"apples"', '"pears"']);
});

test('its predicates exist only in engines that are booted with it', async () => {
  const [, , , , builtins] = (await booted('tally')).boot;
  assert.ok(JSON.parse(builtins).includes('tally/1'));
  const without = await booted();
  assert.ok(!JSON.parse(without.boot[4]).includes('tally/1'));
  assert.match((await without.query('tally(apples)')).join('\n'), /existence_error.*tally\/1/);
  assert.match((await without.ask('add(inline, [9], [1-1], 10)\ntally(x).'))[0], /\["f",0,0,9,1\]/);
});

test('a capability that does not exist is refused', async () => {
  const { boot } = await booted('nonesuch');
  assert.equal(boot[0], 'refused {}');
  assert.match(boot[1], /existence_error.*nonesuch/);
});

test('its predicates are built in: the user cannot define them, and their goal arguments are checked', async () => {
  const { ask, query } = await booted('tally');
  assert.match((await ask('add(inline, [9], [1-1], 10)\ntally(x).'))[0], /\["e",/);
  assert.match((await query('tallied(pears, shell(ls))')).join('\n'), /unsafe_goal/);
  assert.match((await query('tallied(pears, tally:count(_, _))')).join('\n'), /unsafe_goal/);
  assert.match((await query('tally:tally(pears)')).join('\n'), /unsafe_goal/);
});

test('clauses that call them read as they were written', async () => {
  const { ask, query } = await booted('tally');
  const clause = 'p :- tally(apples), tallied(pears, (tally(plums), q)).';
  await ask(`add(inline, [${clause.length}], [1-1], 10)\n${clause}`);
  const [, , answer] = await query('clause(p, Body)');
  assert.equal(JSON.parse(answer).bindings[0][1], '(tally(apples),tallied(pears,(tally(plums),q)))');
});

test('an unknown request is refused, and untrusted code cannot add one', async () => {
  const { ask, query } = await booted('tally');
  for (const goal of [
    'assertz(hb_capability:request(mine, [], []))',
    'hb_capability:request(tallies([]), _, _)',
    'hb_capability:word(_)',
  ]) {
    assert.match((await query(goal)).join('\n'), /unsafe_goal|permission_error/, goal);
  }
  assert.deepEqual(await ask('mine'), ['died {}', '"it could not do mine"']);
});
