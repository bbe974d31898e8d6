// Carries out what src/data/examples/fixpoint says, on DuckDB or Postgres.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The example program, built if it is not up to date. */
function program() {
  const cargo = ['build', '--quiet', '-p', 'hornbook-data', '--example', 'fixpoint'];
  const { status } = spawnSync('cargo', cargo, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('the example cannot be built');
  return join(ROOT, 'target', 'debug', 'examples', 'fixpoint');
}

/** The example program, a request at a time. */
export class Evaluator {
  #process = spawn(process.env.FIXPOINT ?? program(), { stdio: ['pipe', 'pipe', 'inherit'] });
  #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

  async ask(request) {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the example ended at ${JSON.stringify(request)}`);
    return JSON.parse(value);
  }

  /** Evaluate `goal`; `{ refused }` says why it cannot be. Call `clear` when the tables are not needed any more. */
  async evaluate(
    database,
    program,
    goal,
    { proofs = false, read = true, limits = { rounds: 100_000, rows: 20_000_000 } } = {},
  ) {
    const settings = { dialect: database.dialect, prefix: 'sets', proofs };
    let reply = await this.ask({ plan: { program, goal, settings, limits } });
    const log = [];
    while (reply.run) {
      const added = [];
      for (const statement of reply.run) {
        log.push(statement.sql);
        try {
          added.push(await database.change(statement));
        } catch (error) {
          throw new Error(`${error.message}\n${statement.sql}\n${JSON.stringify(statement.parameters)}`);
        }
      }
      reply = await this.ask({ added });
    }
    if (reply.error) {
      if (log.length > 0) await database.clear();
      return { refused: reply.error };
    }
    const { answers, clear, ...rest } = reply.done;
    return {
      ...rest,
      log,
      answers: read ? await database.rows(answers) : [],
      count: () => database.count(answers),
      clear: async () => {
        for (const statement of clear) await database.change(statement);
      },
    };
  }

  close() {
    this.#process.stdin.end();
  }
}

/** A value of a column as a constant. */
function constant(value, kind) {
  if (kind === null) {
    const text = value.slice(1);
    if (value[0] === 'i') return { integer: text };
    if (value[0] === 'f') return { float: Number(text) };
    return { [{ a: 'atom', s: 'string', t: 'other' }[value[0]]]: text };
  }
  if (kind === 'integer') return { integer: String(value) };
  if (kind === 'float') return { float: Number(value) };
  return { [kind]: value };
}

/** A constant in a column of `kinds`, as a literal of SQL. */
export function literal(value, { kinds, nullable }) {
  const text = (string) => `'${string.replaceAll("'", "''")}'`;
  const [[kind, content]] = Object.entries(value);
  if (nullable && kind === 'atom' && content === 'null') return 'null';
  if (kinds.length === 1 && kinds[0] !== 'other')
    return kind === 'integer' || kind === 'float' ? String(content) : text(content);
  return text(`${{ integer: 'i', float: 'f', atom: 'a', string: 's', other: 't' }[kind]}${content}`);
}

const TYPES = { integer: 'bigint', float: 'double precision' };

class Database {
  /** Make the table of a relation, with `rows` of constants. */
  async make({ table, columns }, rows) {
    const type = ({ kinds }) => (kinds.length === 1 && TYPES[kinds[0]]) || 'varchar';
    const list = columns.map((column) => `"${column.name}" ${type(column)}`);
    await this.run(`create table "${table}" (${list.join(', ')})`);
    const row = (values) => `(${values.map((value, index) => literal(value, columns[index])).join(', ')})`;
    if (rows.length > 0) await this.run(`insert into "${table}" values ${rows.map(row).join(', ')}`);
    this.made.push(table);
  }

  async clear() {
    for (const table of this.made) await this.run(`drop table "${table}"`);
    this.made = [];
    await this.clearTemporary();
  }

  made = [];

  async rows({ statement, columns }) {
    const rows = await this.read(statement);
    return rows.map((row) => columns.map((kind, index) => constant(row[index], kind)));
  }

  async count({ statement }) {
    const [[count]] = await this.read({ ...statement, sql: `select count(*) from (${statement.sql}) as answers` });
    return Number(count);
  }
}

export class DuckDb extends Database {
  dialect = 'duckdb';

  static async open() {
    const { DuckDBInstance, DOUBLE } = await import('@duckdb/node-api');
    const database = new DuckDb();
    database.double = DOUBLE;
    database.instance = await DuckDBInstance.create(':memory:', { threads: process.env.THREADS ?? '2' });
    database.connection = await database.instance.connect();
    return database;
  }

  #values({ parameters }) {
    return parameters.map((parameter) => {
      const [[kind, value]] = Object.entries(parameter);
      return kind === 'integer' ? BigInt(value) : value;
    });
  }

  /** A whole number would be bound as an integer. */
  #types({ parameters }) {
    return parameters.map(({ float }) => (float === undefined ? undefined : this.double));
  }

  async run(sql) {
    return this.connection.run(sql);
  }

  async change(statement) {
    return (await this.connection.run(statement.sql, this.#values(statement), this.#types(statement))).rowsChanged;
  }

  async read(statement) {
    const reader = await this.connection.runAndReadAll(statement.sql, this.#values(statement), this.#types(statement));
    return reader.getRowsJS();
  }

  async clearTemporary() {
    const tables = await this.read({ sql: 'select table_name from duckdb_tables() where temporary', parameters: [] });
    for (const [name] of tables) await this.run(`drop table "${name}"`);
  }

  close() {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

export class PostgresDb extends Database {
  dialect = 'postgres';

  static async open(url) {
    const { default: pg } = await import('pg');
    const database = new PostgresDb();
    database.client = new pg.Client(url);
    await database.client.connect();
    return database;
  }

  async run(sql) {
    return this.client.query(sql);
  }

  #query({ sql, parameters }) {
    return this.client.query({ text: sql, values: parameters.map((p) => Object.values(p)[0]), rowMode: 'array' });
  }

  async change(statement) {
    return (await this.#query(statement)).rowCount ?? 0;
  }

  async read(statement) {
    return (await this.#query(statement)).rows;
  }

  async clearTemporary() {
    await this.run('discard temp');
  }

  async close() {
    await this.client.end();
  }
}

const key = (tuple) =>
  JSON.stringify(tuple.map((value) => (value.float === undefined ? value : { float: Number(value.float) + 0 })));

/** Tuples in an order of their own, to be compared. */
export const sorted = (tuples) => tuples.map(key).sort();
