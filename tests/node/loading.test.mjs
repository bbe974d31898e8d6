// What a file contains besides clauses: goals as directives, and files that it loads.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

  /** A server that has imported `main.pl` of `files`; `write` changes files and reloads one, and returns what is said. */
  async function kept(t, files) {
    const { server } = await imported(t, 'main.pl', undefined, files);
    const reload = (filename = 'main.pl') => server.call('files', { operation: 'reload', filename });
    const write = async (changed, filename) => {
      for (const [name, text] of Object.entries(changed)) writeFileSync(join(server.directory, name), text);
      return (await reload(filename)).text;
    };
    const names = async () => {
      const { data } = await server.call('files', { operation: 'list' });
      return data.files.map(({ filename }) => filename.split('/').at(-1));
    };
    return { server, reload, write, names };
  }

  test('one that is read again keeps its place among the clauses of a predicate', async (t) => {
    const { server, write } = await kept(t, {
      'first.pl': ':- discontiguous price/2.\nprice(salt, 0).\n',
      'rules.pl': 'price(tea, 1) :- !.\n',
      'main.pl': ':- discontiguous price/2.\n:- include(first).\n:- include(rules).\nprice(_, 100).\n',
    });
    const prices = () => server.solve('price(tea, X)');
    assert.deepEqual(await prices(), ['X = 1']);
    await write({ 'rules.pl': 'price(tea, 2) :- !.\n' });
    assert.deepEqual(await prices(), ['X = 2']);
    await write({ 'rules.pl': 'price(milk, 4).\nprice(tea, 3) :- !.\n' }, 'rules.pl');
    assert.deepEqual(await prices(), ['X = 3']);
    const first = ':- discontiguous price/2.\nprice(tea, 5).\nprice(salt, 0).\n';
    await write({ 'first.pl': first, 'rules.pl': 'price(tea, 4) :- !.\n' });
    assert.deepEqual(await prices(), ['X = 5', 'X = 4']);
    // Revisions of the file itself and of the two that it loads.
    for (const _ of [1, 2]) await server.call('workspace', { operation: 'undo' });
    assert.deepEqual(await prices(), ['X = 5', 'X = 3']);
    for (const _ of [1, 2]) await server.call('workspace', { operation: 'redo' });
    assert.deepEqual(await prices(), ['X = 5', 'X = 4']);
  });

  test('one that comes with a new text comes before what that text adds to its predicates', async (t) => {
    const { server, write } = await kept(t, {
      'rules.pl': 'price(tea, 1) :- !.\n',
      'main.pl': ':- discontiguous price/2.\nprice(_, 100).\n',
    });
    await write({ 'main.pl': ':- discontiguous price/2.\n:- include(rules).\nprice(_, 100).\n' });
    assert.deepEqual(await server.solve('price(tea, X)'), ['X = 1']);
  });

  test('one that no file loads any more leaves with that reload, and comes back with its undo', async (t) => {
    const { server, write, names } = await kept(t, {
      'tax19.pl': ':- module(tax19, [rate/1]).\n:- use_module(deep).\nrate(19).\n',
      'tax21.pl': ':- module(tax21, [rate/1]).\nrate(21).\n',
      'deep.pl': ':- module(deep, [deep/1]).\ndeep(1).\n',
      'other.pl': 'other.\n',
      'main.pl': ':- use_module(tax19).\n:- ensure_loaded(other).\ntax(X, Y) :- rate(R), Y is X * R.\n',
    });
    assert.deepEqual(await server.solve('tax(1, X)'), ['X = 19']);
    const next = ':- use_module(tax21).\n:- ensure_loaded(other).\ntax(X, Y) :- rate(R), Y is X * R.\n';
    const said = await write({ 'main.pl': next });
    assert.match(said, /tax19\.pl has left the book/);
    assert.match(said, /deep\.pl has left the book/);
    assert.deepEqual(await server.solve('tax(1, X)'), ['X = 21']);
    assert.deepEqual((await names()).toSorted(), ['main.pl', 'other.pl', 'tax21.pl']);
    await server.call('workspace', { operation: 'undo' });
    assert.deepEqual((await names()).toSorted(), ['deep.pl', 'main.pl', 'other.pl', 'tax19.pl', 'tax21.pl']);
    assert.deepEqual(await server.solve('tax(1, X)'), ['X = 19']);
  });

  test('one that was imported by itself, or that another file loads, stays', async (t) => {
    const { server, write } = await kept(t, {
      'v1.pl': 'val(1).\n',
      'v2.pl': 'val(2).\n',
      'v3.pl': 'val(3).\n',
      'other.pl': ":- consult('sub/../v2').\nother.\n",
      'main.pl': ':- discontiguous val/1.\n',
    });
    mkdirSync(join(server.directory, 'sub'));
    for (const filename of ['v1.pl', 'other.pl']) await server.call('files', { operation: 'import', filename });
    await write({ 'main.pl': ':- consult(v1).\n:- consult(v2).\n:- consult(v3).\n' });
    const said = await write({ 'main.pl': 'main.\n' });
    assert.match(said, /no longer loads \S*v1\.pl, which stays in the book: unimport it/);
    assert.match(said, /v3\.pl has left the book/);
    assert.doesNotMatch(said, /v2\.pl/);
    assert.deepEqual(await server.solve('val(X)'), ['X = 1', 'X = 2']);
  });

  test('one with other exports is read again together with the file that loads it', async (t) => {
    const { server, write } = await kept(t, {
      'ut.pl': ':- module(ut, [a/1]).\na(1).\n',
      'main.pl': ':- use_module(ut).\ng(X) :- a(X).\n',
    });
    const said = await write({
      'ut.pl': ':- module(ut, [a/1, bb/1]).\na(1).\nbb(2).\n',
      'main.pl': ':- use_module(ut).\ng(X) :- a(X).\nh(X) :- bb(X).\n',
    });
    assert.doesNotMatch(said, /restarted/);
    assert.deepEqual(await server.solve('h(X)'), ['X = 2']);
  });

  test('one that could not be read at first is told each time, and read as soon as it can be', async (t) => {
    const { server, reload, write } = await kept(t, { 'main.pl': 'main.\n' });
    const said = await write({
      'c.pl': 'c(1.\n',
      'b.pl': ':- ensure_loaded(c).\nb(X) :- c(X).\n',
      'main.pl': ':- ensure_loaded(b).\nmain.\n',
    });
    assert.match(said, /c\.pl:1:\d+: /);
    assert.match((await reload()).text, /c\.pl:1:\d+: /);
    await write({ 'c.pl': 'c(1).\n' });
    assert.deepEqual(await server.solve('b(X)'), ['X = 1']);
  });

  test('one that cannot be read is told each time, and the book keeps what it had of it', async (t) => {
    const { server, reload, write } = await kept(t, {
      'util.pl': ':- module(util, [u/1]).\nu(1).\n',
      'main.pl': ':- use_module(util).\nm(X) :- u(X).\n',
    });
    assert.match(await write({ 'util.pl': ':- module(util, [u/1]).\nu(2.\n' }), /util\.pl:2:\d+: /);
    assert.match((await reload()).text, /util\.pl:2:\d+: /);
    assert.deepEqual(await server.solve('m(X)'), ['X = 1']);
    const partly = ':- module(util, [u/1]).\nu(2.\nu(3).\n';
    assert.match(await write({ 'util.pl': partly }), /util\.pl:2:\d+: /);
    assert.match((await reload()).text, /util\.pl:2:\d+: /);
    assert.deepEqual(await server.solve('m(X)'), ['X = 3']);
  });

  test('one that is not there any more is told each time', async (t) => {
    const { server, reload } = await kept(t, { 'util.pl': 'u(1).\n', 'main.pl': ':- ensure_loaded(util).\n' });
    rmSync(join(server.directory, 'util.pl'));
    const told =
      /^ *1:0: \S*util\.pl is not there any more\. The book keeps what it had of it: restore the file, or unimport it/m;
    assert.match((await reload()).text, told);
    assert.match((await reload()).text, told);
    assert.deepEqual(await server.solve('u(X)'), ['X = 1']);
  });

  test('a chain of them is as deep as there are files', async (t) => {
    const chain = Array.from({ length: 250 }, (_, at) => [`f${at}.pl`, `:- ensure_loaded(f${at + 1}).\np(${at}).\n`]);
    const { server, write } = await kept(t, {
      ...Object.fromEntries(chain),
      'f250.pl': 'p(250).\n',
      'main.pl': ':- ensure_loaded(f0).\n',
    });
    await write({ 'f250.pl': 'p(last).\n' });
    assert.deepEqual((await server.solve('p(X)')).slice(0, 2), ['X = last', 'X = 249']);
  });

  test('one that another loads is there by itself once it is imported, with the text that it has', async (t) => {
    const { server } = await kept(t, { 'a.pl': 'a(1).\n', 'main.pl': ':- ensure_loaded(a).\nmain.\n' });
    const by = (operation, filename) => server.call('files', { operation, filename });
    assert.match((await by('import', 'a.pl')).text, /a\.pl was in the book because another file loads it/);
    assert.match((await by('import', 'a.pl')).text, /already imported\. Reload it/);
    await by('unimport', 'main.pl');
    assert.deepEqual(await server.solve('a(X)'), ['X = 1']);
  });

  test('what was retracted from one stays so when it becomes a part of a module', async (t) => {
    const { server } = await imported(t, 'part.pl', undefined, {
      'part.pl': 'p(1).\np(2).\n',
      'main.pl': ':- module(m, [p/1]).\n:- ensure_loaded(part).\n',
    });
    await server.retract(['p(1).']);
    const { text } = await server.call('files', { operation: 'import', filename: 'main.pl' });
    assert.match(text, /part\.pl now belongs to module m/);
    assert.deepEqual(await server.solve('m:p(X)'), ['X = 2']);
  });
});
