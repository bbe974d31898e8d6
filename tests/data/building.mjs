// Programs for the tests, written briefly.

/** A variable for `'X'`, an atom for `'x'`, an integer for `1`; what is none of these is as it is. */
export const term = (value) => {
  if (Number.isInteger(value)) return { integer: String(value) };
  if (typeof value !== 'string') return value;
  return /^[A-Z_]/.test(value) ? { variable: value } : { atom: value };
};

export const goal = (name, ...terms) => ({ name, arguments: terms.map(term) });
export const call = (name, ...terms) => ({ goal: goal(name, ...terms) });
export const not = (name, ...terms) => ({ not: goal(name, ...terms) });
export const values = (left, operator, right) => ({ values: { left: term(left), operator, right: term(right) } });
export const compare = (left, operator, right) => ({ compare: { left: term(left), operator, right: term(right) } });
export const is = (result, expression) => ({ is: { result: term(result), expression } });
export const of = (operation, ...terms) => ({ operation, arguments: terms.map(term) });

/** Arguments of a head: terms, and aggregates as `{ sum: 'X' }` and `'count'`. */
export const rule = (head, ...body) => ({
  head: head.map((value) => (value === 'count' ? value : term(value))),
  body,
});

/** A predicate of rules. */
export const derived = (name, ...rules) => ({ name, arity: rules[0].head.length, rules });

/** A predicate of the table of the same name, whose columns are of these kinds. */
export const relation = (name, ...kinds) => ({
  name,
  arity: kinds.length,
  relation: {
    table: name,
    columns: kinds.map((kind, index) => ({
      name: `c${index}`,
      kinds: [kind.replace('?', '')].flatMap((one) =>
        one === 'mixed' ? ['integer', 'float', 'atom', 'string', 'other'] : [one],
      ),
      nullable: kind.endsWith('?'),
    })),
  },
});
