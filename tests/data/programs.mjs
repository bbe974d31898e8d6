// Random programs with their facts: strata, mutual recursion, negation, aggregates, arithmetic, columns of every kind.

/** A generator of numbers below 1, from a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VALUES = {
  integer: ['0', '1', '2', '3', '4', '-1'].map((integer) => ({ integer })),
  float: [0, 1, 2.5, -0.5, 3, 1e20].map((float) => ({ float })),
  atom: ['a', 'b', 'c', '1', 'null', "it's", 'i1', 'é'].map((atom) => ({ atom })),
  string: ['a', '1', '', 'x "y"'].map((string) => ({ string })),
  other: [{ other: 'f(a,1)' }, { other: 'f(b)' }, { integer: '99999999999999999999' }],
};
const KINDS = Object.keys(VALUES);
const NAMES = { integer: 'I', float: 'F', atom: 'A', string: 'S', mixed: 'M' };

class Maker {
  constructor(seed) {
    this.next = random(seed);
  }

  below(n) {
    return Math.floor(this.next() * n);
  }

  chance(p) {
    return this.next() < p;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** What a column is meant to hold. */
  type() {
    return this.pick(['integer', 'integer', 'integer', 'atom', 'atom', 'float', 'string', 'mixed', 'mixed']);
  }

  /** Mostly one of few, so that goals meet. */
  value(type) {
    const values = VALUES[type === 'mixed' ? this.pick(KINDS) : type];
    return this.chance(0.6) ? values[this.below(2)] : this.pick(values);
  }

  column(index) {
    const type = this.type();
    const kinds = type === 'mixed' ? KINDS.filter(() => this.chance(0.6)) : [type];
    if (kinds.length === 0) kinds.push('other');
    const nullable = this.chance(0.25);
    return { name: `c ${index}`, kinds, nullable };
  }

  relation(number) {
    const columns = Array.from({ length: 1 + this.below(3) }, (_, index) => this.column(index));
    const fits = ({ kinds, nullable }) =>
      nullable && this.chance(0.3) ? { atom: 'null' } : this.value(this.pick(kinds));
    const rows = Array.from({ length: this.pick([0, 5, 10, 20, 30]) }, () => columns.map(fits));
    if (rows.length > 0 && this.chance(0.2)) rows.push(rows[0]);
    const types = columns.map(({ kinds, nullable }) =>
      kinds.length > 1 || nullable || kinds[0] === 'other' ? 'mixed' : kinds[0],
    );
    return { name: `b${number}`, types, rows, relation: { table: `base ${number}`, columns }, level: -1 };
  }

  /** An argument for a column of `type`: mostly a variable. */
  argument(type, bound) {
    const roll = this.next();
    if (roll < 0.06) return this.value(type);
    if (roll < 0.2 && bound) return { variable: '_' };
    // A variable of one kind in a column of many narrows it.
    const of = type === 'mixed' && this.chance(0.4) ? this.pick(Object.keys(NAMES)) : type;
    const known = [...(bound ?? [])].filter((name) => name[0] === NAMES[of][0]);
    const variable = known.length > 0 && this.chance(0.55) ? this.pick(known) : `${NAMES[of] ?? 'M'}${this.below(4)}`;
    return { variable };
  }

  goal(predicate, bound) {
    return { name: predicate.name, arguments: predicate.types.map((type) => this.argument(type, bound)) };
  }

  bind(goal, bound) {
    for (const { variable } of goal.arguments) if (variable && variable !== '_') bound.add(variable);
  }

  expression(numbers, integers) {
    const operand = () =>
      this.chance(0.7)
        ? { variable: this.pick(numbers) }
        : this.value(integers ? 'integer' : this.pick(['integer', 'float']));
    const divisor = integers ? { integer: this.pick(['2', '-3', '5']) } : { float: 2.5 };
    switch (this.below(6)) {
      case 0:
        return operand();
      case 1:
        return { operation: this.pick(['+', '-', '*']), arguments: [operand(), operand()] };
      case 2:
        return { operation: this.pick(['abs', '-']), arguments: [operand()] };
      case 3:
        return { operation: integers ? this.pick(['//', 'mod', '/']) : '/', arguments: [operand(), divisor] };
      case 4:
        return {
          operation: this.pick(['min', 'max']),
          arguments: [{ variable: this.pick(numbers) }, { variable: this.pick(numbers) }],
        };
      default:
        return { operation: '+', arguments: [operand(), { integer: '1' }] };
    }
  }

  /** A goal that filters or computes, with what is bound. */
  other(bound, all, level) {
    const names = [...bound];
    const integers = names.filter((name) => name[0] === 'I');
    const floats = names.filter((name) => name[0] === 'F');
    const numbers = integers.length > 0 && this.chance(0.8) ? integers : floats;
    const lower = all.filter((predicate) => predicate.level < level);
    switch (this.below(7)) {
      case 0:
      case 1: {
        const goal = this.goal(this.pick(lower), null);
        goal.arguments = goal.arguments.map((argument) =>
          argument.variable && !bound.has(argument.variable)
            ? this.chance(0.5) && names.length > 0
              ? { variable: this.pick(names) }
              : { variable: '_' }
            : argument,
        );
        return { not: goal };
      }
      case 2: {
        if (numbers.length === 0) return 'true';
        const operator = this.pick(['=:=', '=\\=', '<', '=<', '>', '>=']);
        return {
          compare: { operator, left: this.expression(numbers, numbers === integers), right: this.value('integer') },
        };
      }
      case 3: {
        if (names.length === 0) return 'true';
        const left = this.pick(names);
        const same = names.filter((name) => name[0] === left[0]);
        const right = this.chance(0.5) ? { variable: this.pick(same) } : this.value(this.type());
        return {
          values: {
            operator: this.pick(['=', '\\=', '==', '\\==', '\\==', '@<', '@>=']),
            left: { variable: left },
            right,
          },
        };
      }
      case 4: {
        const variable = this.chance(0.5) && names.length > 0 ? this.pick(names) : `M${this.below(4)}`;
        const list = Array.from({ length: 1 + this.below(3) }, () => this.value(this.type()));
        bound.add(variable);
        return { member: { element: { variable }, list } };
      }
      case 5: {
        if (numbers.length === 0) return 'true';
        const name = `${numbers === integers ? 'I' : 'F'}${this.below(6)}`;
        const expression = this.expression(numbers, numbers === integers);
        bound.add(name);
        return { is: { result: { variable: name }, expression } };
      }
      default: {
        const name = `M${this.below(4)}`;
        if (bound.has(name)) return 'true';
        bound.add(name);
        return { values: { operator: '=', left: { variable: name }, right: this.value('mixed') } };
      }
    }
  }

  rule(predicate, all) {
    const bound = new Set();
    const body = [];
    const below = all.filter(({ level }) => level < predicate.level);
    const callable = predicate.aggregate !== undefined ? below : all.filter(({ level }) => level <= predicate.level);
    const count = this.pick([0, 1, 1, 1, 2, 2, 2, 3]);
    for (let n = 0; n < count; n += 1) {
      const goal = this.goal(this.pick(callable), bound);
      this.bind(goal, bound);
      body.push({ goal });
    }
    for (let n = this.pick([0, 0, 0, 1, 1, 2]); n > 0; n -= 1) body.push(this.other(bound, all, predicate.level));
    // Whatever computes in recursion is bounded.
    for (const literal of [...body]) {
      if (!literal.is) continue;
      const left = literal.is.result;
      body.push({ compare: { operator: '<', left, right: { integer: '9' } } });
      body.push({ compare: { operator: '>', left, right: { integer: '-9' } } });
    }
    // A result that nothing needs.
    const sum = { operation: '+', arguments: [this.value('integer'), { integer: '1' }] };
    if (this.chance(0.1)) body.push({ is: { result: { variable: 'I8' }, expression: sum } });
    if (this.chance(0.1) && body.length > 1) body.push(body.shift());
    const names = [...bound];
    const term = (type) => {
      const fits = names.filter((name) => type === 'mixed' || name[0] === NAMES[type]);
      return fits.length > 0 && this.chance(0.92) ? { variable: this.pick(fits) } : this.value(type);
    };
    const head = predicate.types.map((type, index) => {
      if (predicate.aggregate !== index) return term(type);
      const integers = names.filter((name) => name[0] === 'I');
      if (integers.length === 0 || this.chance(0.4)) return 'count';
      return { [this.pick(['sum', 'min', 'max'])]: this.pick(integers) };
    });
    return { head, body };
  }

  program() {
    const relations = Array.from({ length: 1 + this.below(3) }, (_, number) => this.relation(number));
    let level = 0;
    const derived = Array.from({ length: 1 + this.below(5) }, (_, number) => {
      if (this.chance(0.4)) level += 1;
      const aggregate = this.chance(0.15);
      const types = Array.from({ length: this.pick([0, 1, 1, 2, 2, 2, 3]) }, () => this.type());
      if (aggregate && types.length === 0) types.push('integer');
      if (aggregate) {
        level += 1;
        types[types.length - 1] = this.pick(['integer', 'integer', 'mixed']);
      }
      const made = { name: `d${number}`, types, level, aggregate: aggregate ? types.length - 1 : undefined };
      return made;
    });
    const all = [...relations, ...derived];
    const predicates = all.map((predicate) => {
      const { name, types } = predicate;
      if (predicate.relation) return { name, arity: types.length, relation: predicate.relation };
      const rules = Array.from({ length: 1 + this.below(3) }, () => this.rule(predicate, all));
      return { name, arity: types.length, rules };
    });
    const asked = this.chance(0.9)
      ? derived[derived.length - 1 - this.below(Math.min(2, derived.length))]
      : this.pick(all);
    const known = this.next();
    const goal = {
      name: asked.name,
      arguments: asked.types.map((type, index) =>
        this.chance(known * 0.5) ? this.value(type) : { variable: `G${index}` },
      ),
    };
    const facts = relations.map(({ name, types, rows }) => ({ name, arity: types.length, tuples: rows }));
    return {
      program: { predicates },
      goal,
      facts,
      hasAggregate: derived.some(({ aggregate }) => aggregate !== undefined),
    };
  }
}

/** The program of a seed. */
export const randomProgram = (seed) => new Maker(seed).program();
