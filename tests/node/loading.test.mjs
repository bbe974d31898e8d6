// What a file contains besides clauses: goals as directives, and files that it loads.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Server } from './harness.mjs';

/** Imports one file into a new server; returns the reply and the server. */
async function imported(t, filename, text, files = {}) {
  const server = await Server.start({ files });
  t.after(() => server.close());
  const reply = await server.call('files', { operation: 'import', filename, ...(text === undefined ? {} : { text }) });
  return { server, reply };
}

describe('directives', () => {
  test('a goal runs when its turn comes, and its effects belong to the import: undo reverts all of them', async (t) => {
    const { server, reply } = await imported(
      t,
      'a.pl',
      ':- dynamic f/1.\n:- retractall(f(_)).\nf(1).\n:- writeln(hello), assertz(g(7)).\nf(2).\n:- f(X), X > 5.\n:- shell(ls).\nh.\n',
    );
    const said = reply.text;
    assert.match(said, /hello/);
    assert.match(said, /6:0: The directive failed/);
    assert.match(said, /7:0: .*shell\/1/);
    assert.deepEqual(await server.solve('f(X)'), ['X = 1', 'X = 2']);
    assert.deepEqual(await server.solve('g(X)'), ['X = 7']);
    await server.call('workspace', { operation: 'undo' });
    assert.equal((await server.call('workspace', { operation: 'list_symbols' })).data.count, 0);
  });

  test('a directive that kills its engine affects only itself, and is reported with its place', async (t) => {
    const server = await Server.start({ args: ['--timeout', '500'] });
    t.after(() => server.close());
    const lines = [
      'loop :- loop.',
      'f(1).',
      ':- assertz(g(1)), writeln(hello).',
      ':- assertz(lost(1)), loop.',
      ':- retract(f(1)), loop.',
      'f(2).',
      ':- assertz(g(2)).',
      'f(3).',
      ':- initialization(loop).',
      ':- initialization(writeln(after)).',
    ];
    const { text } = await server.import('a.pl', lines.join('\n'));
    const told = text.match(/^ *\d+:\d+: .*$/gm);
    assert.equal(told.length, 2, text);
    assert.match(told[0], /4:0: The directive was stopped after 500 ms.*The directive was left out/);
    assert.match(told[1], /5:0: .*left out/);
    assert.match(text, /initialization\(loop\): The initialization was stopped/);
    assert.match(text, /hello\nafter/);
    assert.deepEqual(await server.solve('f(X)'), ['X = 1', 'X = 2', 'X = 3']);
    assert.deepEqual(await server.solve('g(X)'), ['X = 1', 'X = 2']);
    await server.fails('query_start', { query: 'lost(X)', take: 1 }, 'existence_error');
    await server.call('workspace', { operation: 'undo' });
    assert.equal((await server.call('workspace', { operation: 'list_symbols' })).data.count, 0);
  });

  test('a clause that a directive removed again is not in the book', async (t) => {
    const { server } = await imported(
      t,
      'a.pl',
      ':- dynamic f/1.\nf(1).\nf(2).\n:- retract(f(1)).\nf(3).\n:- assertz(f(4)).\nf(5).\n',
    );
    const inBook = await server.solve('f(X)');
    assert.deepEqual(inBook.toSorted(), ['X = 2', 'X = 3', 'X = 4', 'X = 5']);
  });

  test('a module header and conditional compilation', async (t) => {
    const { server, reply } = await imported(
      t,
      'm.pl',
      ':- module(m, [p/1, op(700, xfx, ===>)]).\n:- if(current_prolog_flag(bounded, false)).\np(a ===> b).\n:- else.\np(wrong).\n:- endif.\n',
    );
    assert.doesNotMatch(reply.text, /partial/);
    assert.equal((await server.solve('m:p(X)')).length, 1);
  });
});

describe('files that a file loads', () => {
  test('they are imported before it', async (t) => {
    const { server, reply } = await imported(t, 'main.pl', undefined, {
      'base.pl': ':- module(base, [base/1]).\nbase(1).\nbase(2).\n',
      'main.pl': ":- use_module(base).\n:- use_module('nowhere').\ntwice(Y) :- base:base(X), Y is X * 2.\n",
    });
    const said = reply.text;
    assert.match(said, /base\.pl was imported because this file loads it: 2 clauses/);
    assert.match(said, /2:0: nowhere is neither in the book nor found/);
    assert.deepEqual(await server.solve('twice(X)'), ['X = 2', 'X = 4']);
  });

  test('a file of the book is loaded by its name', async (t) => {
    const { server } = await imported(t, 'one.pl', 'one(1).\n');
    const reply = await server.call('files', {
      operation: 'import',
      filename: 'two.pl',
      text: ':- [one].\ntwo(X) :- one(X).\n',
    });
    assert.doesNotMatch(reply.text, /not among/);
    assert.deepEqual(await server.solve('two(X)'), ['X = 1']);
  });

  test('one that has changed since is read again with a file that loads it, directly or not', async (t) => {
    const { server } = await imported(t, 'main.pl', undefined, {
      'deep.pl': 'deep(1).\n',
      'part.pl': ':- ensure_loaded(deep).\n:- ensure_loaded(main).\npart.\n',
      'main.pl': ':- ensure_loaded(part).\nmain(X) :- deep(X), part.\n',
    });
    const reload = () => server.call('files', { operation: 'reload', filename: 'main.pl' });
    assert.doesNotMatch((await reload()).text, /has changed/);
    writeFileSync(join(server.directory, 'deep.pl'), 'deep(2).\ndeep(3).\n');
    assert.match((await reload()).text, /deep\.pl has changed, and was read again because .*part\.pl loads it\./);
    assert.deepEqual(await server.solve('main(X)'), ['X = 2', 'X = 3']);
    assert.doesNotMatch((await reload()).text, /has changed/);
    writeFileSync(join(server.directory, 'deep.pl'), 'deep(2.\n');
    assert.match((await reload()).text, /deep\.pl:1:\d+: /);
    assert.deepEqual(await server.solve('main(X)'), ['X = 2', 'X = 3']);
  });

  test('files that load each other are each imported once', async (t) => {
    const { server, reply } = await imported(t, 'ping.pl', undefined, {
      'ping.pl': ':- ensure_loaded(pong).\nping.\n',
      'pong.pl': ':- ensure_loaded(ping).\npong.\n',
    });
    assert.match(reply.text, /pong\.pl was imported because this file loads it/);
    assert.deepEqual(await server.solve('ping, pong, X = yes'), ['X = yes']);
  });
});
